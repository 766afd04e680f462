// What is decided before a node can be made: what is the same for all nodes of a cluster, and what was chosen for this
// one. All three ways to make a node start from these two.
import { type AKSNodeClass, specOf } from '../../api/aks-node-class.ts';
import { label } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { allows } from '../../model/requirement.ts';
import type { Requirements } from '../../model/requirements.ts';
import type { Architecture } from '../image/image-definition.ts';

export interface ClusterNetwork {
  readonly plugin: 'azure' | 'none';
  readonly pluginMode: 'overlay' | '';
  readonly dataplane: 'azure' | 'cilium' | '';
  readonly policy: string;
  /** For classes that name none. */
  readonly subnetId: string;
  readonly vnetGuid: string;
  readonly dnsServiceIp: string;
  /** Name of the security group that AKS manages, which carries the id of the cluster. */
  readonly networkSecurityGroup: string;
}

/** For clusters behind a proxy or with a certificate authority of their own. */
export interface NodeTrust {
  /** Certificates in base64. */
  readonly customCaCertificates?: readonly string[];
  readonly httpProxy?: {
    readonly httpUrl: string;
    readonly httpsUrl: string;
    readonly noProxy: readonly string[];
    /** Certificate in base64; empty for a proxy that needs none. */
    readonly trustedCa: string;
  };
}

export interface ClusterSettings {
  /** As `ARM_CLOUD` names it, or the name in a file that describes a cloud of its own. */
  readonly cloud: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly location: string;
  readonly clusterName: string;
  readonly clusterResourceGroup: string;
  readonly nodeResourceGroup: string;
  readonly apiServerName: string;
  /** In base64. */
  readonly certificateAuthority: string;
  /** `id.secret` */
  readonly bootstrapToken: string;
  readonly kubeletIdentityClientId: string;
  readonly adminUsername: string;
  readonly additionalTags: Readonly<Record<string, string>>;
  readonly network: ClusterNetwork;
  readonly trust?: NodeTrust;
}

export interface NodePlan {
  readonly nodeClaim: NodeClaim;
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly imageId: string;
  readonly instanceType: InstanceType;
  /** What the claim requires, as read for the choice of the type. */
  readonly requirements: Requirements;
  readonly capacityType: string;
  readonly zone: string;
  readonly ultraSsd: boolean;
  readonly ephemeralOsDisk: boolean;
}

export function architectureOf({ instanceType }: Pick<NodePlan, 'instanceType'>): Architecture {
  const requirement = instanceType.requirements.get(label.arch);
  return requirement !== undefined && allows(requirement, 'arm64') ? 'arm64' : 'amd64';
}

export function isLocalDnsEnabled({ status }: AKSNodeClass): boolean {
  return status?.localDNSState === 'Enabled';
}

/** Images are streamed on amd64 only. */
export function isArtifactStreamingOn(plan: NodePlan): boolean {
  const { artifactStreaming } = specOf(plan.nodeClass);
  return artifactStreaming?.enabled === true && architectureOf(plan) === 'amd64';
}
