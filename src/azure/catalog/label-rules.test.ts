import { describe, expect, test } from 'vitest';
import { azureWellKnownLabels } from '../../api/labels.ts';
import { createRequirement } from '../../model/requirement.ts';
import { validateRequirement } from '../../model/requirement-validation.ts';
import { azureLabelRules, clusterLabelValue } from './label-rules.ts';

const faults = (key: string, values: readonly string[]): number =>
  validateRequirement(azureLabelRules, { key, operator: 'In', values }).faults.length;

describe('a requirement on Azure', () => {
  test.each([
    ['karpenter.sh/capacity-type', ['spot'], true],
    ['karpenter.sh/capacity-type', ['spot', 'reserved'], true],
    ['karpenter.sh/capacity-type', ['reserved'], false],
    ['karpenter.sh/capacity-type', ['Spot'], false],
    ['karpenter.azure.com/sku-networking-accelerated', ['true'], true],
    ['karpenter.azure.com/sku-networking-accelerated', ['True'], false],
    ['karpenter.azure.com/sku-storage-premium-capable', ['yes'], false],
    ['karpenter.azure.com/sku-storage-ultra-ssd', ['false'], true],
    ['karpenter.azure.com/sku-gpu-manufacturer', ['nvidia', 'intel'], true],
    ['karpenter.azure.com/sku-gpu-manufacturer', ['NVIDIA'], false],
    ['karpenter.azure.com/placement-scope', ['regional'], true],
    ['karpenter.azure.com/placement-scope', ['global'], false],
    ['kubernetes.azure.com/mode', ['user'], true],
    ['kubernetes.azure.com/mode', ['gateway'], false],
    ['kubernetes.azure.com/scalesetpriority', ['low'], false],
    ['kubernetes.azure.com/priority', ['spot'], true],
    ['kubernetes.azure.com/os-sku', ['ubuntu'], false],
    ['kubernetes.azure.com/fips_enabled', ['false'], false],
    ['karpenter.azure.com/sku-name', ['anything'], true],
    ['karpenter.azure.com/sku-hyperv-generation', ['2'], false],
    ['karpenter.azure.com/of-our-own', ['x'], false],
  ])('for %s in %j may be made: %s', (key, values, valid) => {
    expect(faults(key, values) === 0).toBe(valid);
  });

  test('may be made for every well-known label', () => {
    const known = new Map(
      [...azureLabelRules.knownValues].map(([key, values]) => [key, [...values]]),
    );
    const refused = azureWellKnownLabels.filter((key) => faults(key, known.get(key) ?? ['1']) > 0);
    expect(refused).toEqual([]);
  });

  test.each([
    ['eastus-1', 'eastus-1'],
    ['', '0'],
  ])('reads the zone %j of a disk as %s', (written, zone) => {
    const { key, values } = createRequirement(azureLabelRules, {
      key: 'topology.disk.csi.azure.com/zone',
      operator: 'In',
      values: [written],
    });
    expect([key, [...values]]).toEqual(['topology.kubernetes.io/zone', [zone]]);
  });
});

describe('the cluster label', () => {
  test.each([
    ['MC_group_cluster_eastus', 'MC_group_cluster_eastus'],
    ['MC_(a)_b', 'MC_-a-_b'],
    ['a(', 'a-z'],
    ['a_', 'a_z'],
    ['a.', 'a.z'],
    ['a'.repeat(70), 'a'.repeat(63)],
    [`${'a'.repeat(62)}-b`, `${'a'.repeat(62)}z`],
    [`${'a'.repeat(61)}-`, `${'a'.repeat(61)}-z`],
  ])('of %s is %s', (group, value) => {
    expect(clusterLabelValue(group)).toBe(value);
  });
});
