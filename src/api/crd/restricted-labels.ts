// Which label keys a user may not put on nodes: CEL rules on a map of labels (NodePool template) and on a
// single key (requirements). The domain test is a bare suffix, so `mykarpenter.sh/x` is refused as well:
// the original's clusters already live with that, and a stricter controller would not help anyone.
import { AKS_LABEL_DOMAIN, AZURE_GROUP, azureLabel, KARPENTER_GROUP, label } from '../labels.ts';
import type { ValidationRule } from './open-api.ts';

interface Restriction {
  readonly message: string;
  /** The CEL condition that the key named by `key` has to meet. */
  readonly allows: (key: string) => string;
}

function domain(name: string, allowed: readonly string[]): Restriction {
  const list = allowed.map((key) => `"${key}"`).join(', ');
  return {
    message: `label domain "${name}" is restricted`,
    allows: (key) => `${key} in [${list}] || !${key}.find("^([^/]+)").endsWith("${name}")`,
  };
}

function single(name: string): Restriction {
  return {
    message: `label "${name}" is restricted`,
    allows: (key) => `${key} != "${name}"`,
  };
}

const nodePoolLabel = single(label.nodePool);

// The domain rule lets the NodePool label through because another rule, where wanted, names it.
const karpenterDomain = domain(KARPENTER_GROUP, [label.capacityType, label.nodePool]);

const restrictions: readonly Restriction[] = [
  single(label.hostname),
  domain(AZURE_GROUP, [
    azureLabel.aksNodeClass,
    azureLabel.skuName,
    azureLabel.skuFamily,
    azureLabel.skuSeries,
    azureLabel.skuVersion,
    azureLabel.skuCpu,
    azureLabel.skuMemory,
    azureLabel.skuAcceleratedNetworking,
    azureLabel.skuPremiumStorage,
    azureLabel.skuUltraSsd,
    azureLabel.skuEphemeralOsMaxSize,
    azureLabel.skuGpuName,
    azureLabel.skuGpuManufacturer,
    azureLabel.skuGpuCount,
    azureLabel.placementScope,
  ]),
  domain(AKS_LABEL_DOMAIN, [
    azureLabel.mode,
    azureLabel.scaleSetPriority,
    azureLabel.priority,
    azureLabel.fipsEnabled,
    azureLabel.osSku,
    azureLabel.cluster,
    azureLabel.aksSkuCpu,
    azureLabel.aksSkuMemory,
    azureLabel.ebpfDataplane,
    azureLabel.ebpfHostRouting,
    azureLabel.networkPolicy,
    azureLabel.hostedVm,
  ]),
  single(azureLabel.legacyAgentPool),
  single(azureLabel.legacyStorageProfile),
  single(azureLabel.legacyStorageTier),
  single(azureLabel.legacyAccelerator),
];

function onKey({ message, allows }: Restriction): ValidationRule {
  return { rule: allows('self'), message };
}

function onMap({ message, allows }: Restriction): ValidationRule {
  return { rule: `self.all(x, ${allows('x')})`, message };
}

/** For requirement keys where naming a NodePool is allowed (NodeClaim, NodeOverlay). */
export const restrictedKeyRules = [karpenterDomain, ...restrictions].map(onKey);

/** For requirement keys inside a NodePool, which cannot name a NodePool. */
export const restrictedNodePoolKeyRules = [karpenterDomain, nodePoolLabel, ...restrictions].map(
  onKey,
);

/** For the labels of a NodePool's template. */
export const restrictedLabelRules = [karpenterDomain, nodePoolLabel, ...restrictions].map(onMap);
