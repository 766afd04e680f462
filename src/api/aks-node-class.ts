// AKSNodeClass as the product reads it. The fields come from the CRD definition; nothing is repeated here.
import {
  aksNodeClassDefinition,
  aksNodeClassSpec,
  type aksNodeClassStatus,
} from './crd/aks-node-class.ts';
import { fillDefaults } from './crd/validation/default.ts';
import { resourceTypeOf } from './crd/definition.ts';
import type { Stored } from './crd/schema.ts';
import { toStructuralNode } from './crd/validation/structural-node.ts';
import type { KubeObject } from './meta.ts';

export type AKSNodeClassSpec = Stored<typeof aksNodeClassSpec>;
export type AKSNodeClassStatus = Stored<typeof aksNodeClassStatus>;

export interface AKSNodeClass extends KubeObject {
  /** The schema does not require it; read it with `specOf`. */
  readonly spec?: AKSNodeClassSpec;
  readonly status?: AKSNodeClassStatus;
}

export type ImageFamily = AKSNodeClassSpec['imageFamily'];
export type KubeletConfiguration = NonNullable<AKSNodeClassSpec['kubelet']>;
export type LocalDns = NonNullable<AKSNodeClassSpec['localDNS']>;
export type LocalDnsZoneOverride = LocalDns['vnetDNSOverrides'][number];
export type LinuxOsConfiguration = NonNullable<AKSNodeClassSpec['linuxOSConfig']>;
export type SysctlConfiguration = NonNullable<LinuxOsConfiguration['sysctls']>;
export type NodeImage = NonNullable<AKSNodeClassStatus['images']>[number];

export const aksNodeClasses = resourceTypeOf<AKSNodeClass>(aksNodeClassDefinition);

const allDefaults = fillDefaults(
  {},
  toStructuralNode(aksNodeClassSpec.openApi),
) as AKSNodeClassSpec;

/** The spec, or all defaults for a class that has none. */
export function specOf(nodeClass: AKSNodeClass): AKSNodeClassSpec {
  return nodeClass.spec ?? allDefaults;
}

export const aksNodeClassCondition = {
  ready: 'Ready',
  imagesReady: 'ImagesReady',
  kubernetesVersionReady: 'KubernetesVersionReady',
  subnetsReady: 'SubnetsReady',
  validationSucceeded: 'ValidationSucceeded',
  localDnsReady: 'LocalDNSReady',
} as const;
