import { expect, test } from 'vitest';
import {
  coreLabelRules,
  extendLabelRules,
  normalKey,
  normalValues,
  restrictionFaults,
} from './label-rules.ts';

const azure = extendLabelRules(coreLabelRules, {
  wellKnown: new Set(['karpenter.azure.com/sku-cpu']),
  restrictedDomains: new Set(['karpenter.azure.com']),
  restricted: new Set(['kubernetes.azure.com/cluster']),
  aliases: new Map([['topology.disk.csi.azure.com/zone', 'topology.kubernetes.io/zone']]),
  valueAliases: new Map([['topology.kubernetes.io/zone', new Map([['', '0']])]]),
  knownValues: new Map([['karpenter.azure.com/sku-cpu', new Set(['1'])]]),
});

test('a provider adds its own labels, domains and spellings', () => {
  expect({
    known: restrictionFaults(azure, 'karpenter.azure.com/sku-cpu'),
    reserved: restrictionFaults(azure, 'karpenter.azure.com/mine').length,
    single: restrictionFaults(azure, 'kubernetes.azure.com/cluster').length,
    free: restrictionFaults(azure, 'team'),
    key: normalKey(azure, 'topology.disk.csi.azure.com/zone'),
    values: normalValues(azure, 'topology.kubernetes.io/zone', ['', '1']),
    closed: [...azure.knownValues.keys()],
  }).toEqual({
    known: [],
    reserved: 1,
    single: 1,
    free: [],
    key: 'topology.kubernetes.io/zone',
    values: ['0', '1'],
    closed: ['karpenter.sh/capacity-type', 'karpenter.azure.com/sku-cpu'],
  });
});

test('extending by nothing changes nothing, and the core rules are never touched', () => {
  expect(extendLabelRules(coreLabelRules, {})).toEqual(coreLabelRules);
  expect(restrictionFaults(coreLabelRules, 'karpenter.azure.com/mine')).toEqual([]);
  expect(normalKey(coreLabelRules, 'topology.disk.csi.azure.com/zone')).toBe(
    'topology.disk.csi.azure.com/zone',
  );
});
