// Names of the labels that the checker itself speaks about.

export const label = {
  hostname: 'kubernetes.io/hostname',
  instanceType: 'node.kubernetes.io/instance-type',
  zone: 'topology.kubernetes.io/zone',
  capacityType: 'karpenter.sh/capacity-type',
  nodePool: 'karpenter.sh/nodepool',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
} as const;
