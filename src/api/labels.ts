// Every label, annotation, taint key and finalizer that is part of the product's interface, verbatim
// as the original spells them, so that a cluster can change hands without a node noticing.

export const KARPENTER_GROUP = 'karpenter.sh';

export const label = {
  nodePool: 'karpenter.sh/nodepool',
  capacityType: 'karpenter.sh/capacity-type',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  instanceType: 'node.kubernetes.io/instance-type',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  windowsBuild: 'node.kubernetes.io/windows-build',
  hostname: 'kubernetes.io/hostname',
  excludeFromLoadBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
} as const;

export const annotation = {
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  capacityBufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  capacityBufferName: 'karpenter.sh/capacity-buffer-name',
  capacityBufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  aksNodeClassHash: 'karpenter.azure.com/aksnodeclass-hash',
  aksNodeClassHashVersion: 'karpenter.azure.com/aksnodeclass-hash-version',
  inPlaceUpdateHash: 'karpenter.azure.com/in-place-update-hash',
  aksMachineResourceId: 'karpenter.azure.com/aks-machine-resource-id',
} as const;

export const finalizer = {
  termination: 'karpenter.sh/termination',
  aksNodeClass: 'karpenter.azure.com/termination',
} as const;

export const taintKey = {
  disrupted: 'karpenter.sh/disrupted',
  unregistered: 'karpenter.sh/unregistered',
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
  readinessPrefix: 'readiness.k8s.io/',
} as const;

export const capacityType = {
  onDemand: 'on-demand',
  spot: 'spot',
  reserved: 'reserved',
} as const;

/** Labels every cloud provider gives to its instance types; a provider adds its own to these. */
export const coreWellKnownLabels: readonly string[] = [
  label.nodePool,
  label.zone,
  label.region,
  label.instanceType,
  label.arch,
  label.os,
  label.capacityType,
  label.windowsBuild,
];

/** Old spellings of labels and what they mean today. */
export const coreLabelAliases: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': label.zone,
  'failure-domain.beta.kubernetes.io/region': label.region,
  'beta.kubernetes.io/arch': label.arch,
  'beta.kubernetes.io/os': label.os,
  'beta.kubernetes.io/instance-type': label.instanceType,
};

export const AZURE_GROUP = 'karpenter.azure.com';
export const AKS_LABEL_DOMAIN = 'kubernetes.azure.com';

/** Labels of Azure instance types and AKS nodes. */
export const azureLabel = {
  aksNodeClass: 'karpenter.azure.com/aksnodeclass',
  skuName: 'karpenter.azure.com/sku-name',
  skuFamily: 'karpenter.azure.com/sku-family',
  skuSeries: 'karpenter.azure.com/sku-series',
  skuVersion: 'karpenter.azure.com/sku-version',
  skuCpu: 'karpenter.azure.com/sku-cpu',
  skuMemory: 'karpenter.azure.com/sku-memory',
  skuAcceleratedNetworking: 'karpenter.azure.com/sku-networking-accelerated',
  skuPremiumStorage: 'karpenter.azure.com/sku-storage-premium-capable',
  skuUltraSsd: 'karpenter.azure.com/sku-storage-ultra-ssd',
  skuEphemeralOsMaxSize: 'karpenter.azure.com/sku-storage-ephemeralos-maxsize',
  skuGpuName: 'karpenter.azure.com/sku-gpu-name',
  skuGpuManufacturer: 'karpenter.azure.com/sku-gpu-manufacturer',
  skuGpuCount: 'karpenter.azure.com/sku-gpu-count',
  placementScope: 'karpenter.azure.com/placement-scope',
  /** Internal: users may not ask for it. */
  skuHyperVGeneration: 'karpenter.azure.com/sku-hyperv-generation',
  mode: 'kubernetes.azure.com/mode',
  scaleSetPriority: 'kubernetes.azure.com/scalesetpriority',
  priority: 'kubernetes.azure.com/priority',
  fipsEnabled: 'kubernetes.azure.com/fips_enabled',
  osSku: 'kubernetes.azure.com/os-sku',
  cluster: 'kubernetes.azure.com/cluster',
  aksSkuCpu: 'kubernetes.azure.com/sku-cpu',
  aksSkuMemory: 'kubernetes.azure.com/sku-memory',
  ebpfDataplane: 'kubernetes.azure.com/ebpf-dataplane',
  ebpfHostRouting: 'kubernetes.azure.com/ebpf-host-routing',
  networkPolicy: 'kubernetes.azure.com/network-policy',
  hostedVm: 'kubernetes.azure.com/hostedvm',
  legacyAgentPool: 'agentpool',
  legacyStorageProfile: 'storageprofile',
  legacyStorageTier: 'storagetier',
  legacyAccelerator: 'accelerator',
} as const;

/** The labels that every Azure instance type speaks about, if only to say that it has none. */
export const azureWellKnownLabels: readonly string[] = [
  azureLabel.skuName,
  azureLabel.skuFamily,
  azureLabel.skuSeries,
  azureLabel.skuVersion,
  azureLabel.skuCpu,
  azureLabel.skuMemory,
  azureLabel.skuAcceleratedNetworking,
  azureLabel.skuPremiumStorage,
  azureLabel.skuEphemeralOsMaxSize,
  azureLabel.skuUltraSsd,
  azureLabel.skuGpuName,
  azureLabel.skuGpuManufacturer,
  azureLabel.skuGpuCount,
  azureLabel.placementScope,
  azureLabel.aksSkuCpu,
  azureLabel.aksSkuMemory,
  azureLabel.cluster,
  azureLabel.mode,
  azureLabel.scaleSetPriority,
  azureLabel.priority,
  azureLabel.osSku,
  azureLabel.fipsEnabled,
];
