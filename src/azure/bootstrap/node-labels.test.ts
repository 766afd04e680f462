import { describe, expect, test } from 'vitest';
import { azureLabel, azureWellKnownLabels, label } from '../../api/labels.ts';
import { isSystemNode, kubeletLabels, machineLabels } from './node-labels.ts';
import { subnetId, testCluster, testPlan, type TestNode } from './test-node.ts';

const aks = 'kubernetes.azure.com/';

function labelsOf(node: TestNode = {}, cluster = testCluster()) {
  return kubeletLabels(cluster, testPlan(node));
}

function some(labels: Readonly<Record<string, string>>, ...names: string[]) {
  return names.map((name) => labels[`${aks}${name}`]);
}

describe('a node registers with', () => {
  test('what AKS puts on every node', () => {
    const names = [
      'role',
      'cluster',
      'kubelet-identity-client-id',
      'mode',
      'os-sku',
      'os-sku-requested',
      'os-sku-effective',
      'localdns-state',
    ];
    expect(some(labelsOf(), ...names)).toEqual([
      'agent',
      'MC_group_cluster',
      'identity-1',
      'user',
      'Ubuntu',
      'Ubuntu',
      'Ubuntu2204',
      'disabled',
    ]);
    expect(labelsOf()[label.doNotSyncTaints]).toBe('true');
  });

  test('every label by which it could have been chosen', () => {
    const labels = labelsOf({
      size: 'Standard_NC24ads_A100_v4',
      gpu: 'A100',
      spec: { fipsMode: 'FIPS' },
    });
    expect(azureWellKnownLabels.filter((key) => labels[key] === undefined)).toEqual([]);
  });

  test.each([
    ['Ubuntu', '1.33.0', ['Ubuntu', 'Ubuntu', 'Ubuntu2204']],
    ['Ubuntu', '1.34.0', ['Ubuntu', 'Ubuntu', 'Ubuntu2404']],
    ['Ubuntu2204', '1.34.0', ['Ubuntu', 'Ubuntu2204', 'Ubuntu2204']],
    ['Ubuntu2404', '1.30.0', ['Ubuntu', 'Ubuntu2404', 'Ubuntu2404']],
    ['AzureLinux', '1.31.0', ['AzureLinux', 'AzureLinux', 'AzureLinux2']],
    ['AzureLinux', '1.32.0', ['AzureLinux', 'AzureLinux', 'AzureLinux3']],
  ] as const)(
    'the system it asked for and got: %s on %s',
    (imageFamily, kubernetesVersion, skus) => {
      const labels = labelsOf({ spec: { imageFamily }, plan: { kubernetesVersion } });
      expect(some(labels, 'os-sku', 'os-sku-requested', 'os-sku-effective')).toEqual(skus);
    },
  );

  test('FIPS only when it is on', () => {
    expect(some(labelsOf({ spec: { fipsMode: 'FIPS' } }), 'fips_enabled')).toEqual(['true']);
    expect(some(labelsOf({ spec: { fipsMode: 'Disabled' } }), 'fips_enabled')).toEqual([undefined]);
  });

  const arm = {
    size: 'Standard_D4ps_v5',
    architecture: 'arm64' as const,
  };

  test.each([
    ['on', { spec: { artifactStreaming: { enabled: true } } }, 'true'],
    ['off', { spec: { artifactStreaming: { enabled: false } } }, undefined],
    ['not set', { spec: { artifactStreaming: {} } }, undefined],
    ['absent', {}, undefined],
    ['on for arm64', { ...arm, spec: { artifactStreaming: { enabled: true } } }, undefined],
    ['absent for arm64', arm, undefined],
  ])('artifact streaming when it is %s', (_, node, value) => {
    expect(some(labelsOf(node), 'artifactstreaming-enabled')).toEqual([value]);
  });

  test.each([
    ['Enabled', 'enabled'],
    ['Disabled', 'disabled'],
    [undefined, 'disabled'],
  ] as const)('the state of its DNS cache from the status alone: %s', (localDNSState, value) => {
    const status = localDNSState === undefined ? {} : { localDNSState };
    expect(some(labelsOf({ status }), 'localdns-state')).toEqual([value]);
  });

  const overlay = [
    'network-subnet',
    'nodenetwork-vnetguid',
    'azure-cni-overlay',
    'podnetwork-type',
    'network-stateless-cni',
    'ebpf-dataplane',
  ];
  const none = undefined;

  test.each([
    ['azure', 'overlay', 'cilium', ['aks-subnet', 'guid-1', 'true', 'overlay', 'false', 'cilium']],
    ['azure', 'overlay', 'azure', ['aks-subnet', 'guid-1', 'true', 'overlay', 'false', none]],
    ['azure', '', 'azure', [none, none, none, none, none, none]],
    ['azure', '', 'cilium', [none, none, none, none, none, 'cilium']],
    ['none', '', '', [none, none, none, none, none, none]],
  ] as const)('the network %s, %s, %s', (plugin, pluginMode, dataplane, values) => {
    const cluster = testCluster({ network: { plugin, pluginMode, dataplane } });
    expect(some(labelsOf({}, cluster), ...overlay)).toEqual(values);
  });

  test.each([
    ['1.33.9', 'false'],
    ['1.34.0', 'true'],
  ])('a CNI on %s that keeps no state: %s', (kubernetesVersion, value) => {
    expect(some(labelsOf({ plan: { kubernetesVersion } }), 'network-stateless-cni')).toEqual([
      value,
    ]);
  });

  test('the subnet of its class, if that has one', () => {
    const vnetSubnetID = subnetId.replace('aks-subnet', 'other');
    expect(some(labelsOf({ spec: { vnetSubnetID } }), 'network-subnet')).toEqual(['other']);
  });

  test('labels of its claim, but not those that a kubelet may not set', () => {
    const labels = labelsOf({
      claim: {
        labels: {
          team: 'a',
          'node-restriction.kubernetes.io/team': 'a',
          'kubernetes.io/custom': 'a',
          'node.kubernetes.io/custom': 'a',
        },
      },
    });
    expect([
      labels['team'],
      labels['node.kubernetes.io/custom'],
      labels['node-restriction.kubernetes.io/team'],
      labels['kubernetes.io/custom'],
    ]).toEqual(['a', 'a', undefined, undefined]);
  });

  test('the one value that its claim leaves, and none where there is a choice', () => {
    const labels = labelsOf({
      claim: {
        spec: {
          requirements: [
            { key: 'team', operator: 'In', values: ['a'] },
            { key: 'tier', operator: 'In', values: ['a', 'b'] },
            { key: 'ring', operator: 'NotIn', values: ['a'] },
            { key: azureLabel.mode, operator: 'In', values: ['system'] },
          ],
        },
      },
    });
    expect([labels['team'], labels['tier'], labels['ring'], labels[azureLabel.mode]]).toEqual([
      'a',
      undefined,
      undefined,
      'system',
    ]);
  });

  test('what its type is, whatever the claim says', () => {
    const labels = labelsOf({ claim: { labels: { [azureLabel.skuName]: 'Standard_X' } } });
    expect(labels[azureLabel.skuName]).toBe('Standard_D4s_v5');
  });

  test.each([
    ['spot', 'southcentralus-1', true, ['spot', 'spot', 'spot', 'zonal', 'true']],
    ['on-demand', '0', false, ['on-demand', 'regular', 'regular', 'regional', 'false']],
  ] as const)(
    'the offering that was taken: %s in %s, ultra disks %s',
    (capacityType, zone, ultraSsd, values) => {
      const labels = labelsOf({ plan: { capacityType, zone, ultraSsd } });
      const keys = [
        label.capacityType,
        azureLabel.scaleSetPriority,
        azureLabel.priority,
        azureLabel.placementScope,
        azureLabel.skuUltraSsd,
      ];
      expect(keys.map((key) => labels[key])).toEqual(values);
    },
  );

  test('labels in the order of their keys, also when its claim has none', () => {
    const { nodeClaim, ...rest } = testPlan();
    const bare = { ...rest, nodeClaim: { ...nodeClaim, metadata: { name: 'a' } } };
    const keys = Object.keys(kubeletLabels(testCluster(), bare));
    expect(keys).toEqual(keys.toSorted());
  });
});

describe('an AKS machine', () => {
  test('is given what the service does not know by itself', () => {
    const labels = machineLabels(
      testPlan({
        claim: {
          labels: {
            'karpenter.sh/nodepool': 'default',
            team: 'a',
            agentpool: 'x',
            [`${aks}mode`]: 'system',
          },
        },
      }),
    );
    expect(Object.keys(labels).filter((key) => !key.startsWith('karpenter.azure.com/'))).toEqual([
      'karpenter.sh/capacity-type',
      'karpenter.sh/nodepool',
      'team',
    ]);
    expect(labels[azureLabel.skuName]).toBe('Standard_D4s_v5');
  });

  test.each([
    ['system', true],
    ['user', false],
    ['other', false],
  ])('in mode %s is a system node: %s', (mode, expected) => {
    expect(isSystemNode(testPlan({ claim: { labels: { [azureLabel.mode]: mode } } }))).toBe(
      expected,
    );
  });
});
