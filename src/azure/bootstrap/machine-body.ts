// An AKS machine, for the service that makes nodes by itself. In: the cluster and what was chosen for the node. Out: the
// body to PUT, or why there is none. What a class leaves open is left to the service.
import { type AKSNodeClassSpec, specOf } from '../../api/aks-node-class.ts';
import { capacityType } from '../../api/labels.ts';
import { gpuSupportOf } from '../catalog/gpu-registry.ts';
import { armZonesOf } from '../catalog/zones.ts';
import { imageReleaseOf, isFips } from '../image/image-family.ts';
import { nodeImageVersionOf } from '../image/image-id.ts';
import { type KubeletProfile, kubeletProfile } from './kubelet-profile.ts';
import { type LinuxOsProfile, linuxOsProfile } from './linux-os-profile.ts';
import { type LocalDnsProfile, localDnsProfile } from './local-dns-profile.ts';
import { isSystemNode, type Labels, machineLabels } from './node-labels.ts';
import { type ClusterSettings, type NodePlan, isArtifactStreamingOn } from './node-plan.ts';
import { allTaintsOf } from './node-taints.ts';
import { machineTags, type Tags } from './resource-tags.ts';

export interface MachineBody {
  readonly zones: readonly string[];
  readonly properties: {
    readonly nodeImageVersion: string;
    readonly network: { readonly vnetSubnetID?: string };
    readonly hardware: {
      readonly vmSize: string;
      readonly gpuProfile?: { readonly driver: 'Install' | 'None' };
      readonly ultraSsdEnabled: boolean;
    };
    readonly operatingSystem: {
      readonly osType: 'Linux';
      readonly osSKU: string;
      readonly osDiskSizeGB: number;
      readonly osDiskType: 'Ephemeral' | 'Managed';
      readonly enableFIPS: boolean;
      readonly linuxProfile?: { readonly linuxOSConfig: LinuxOsProfile };
    };
    readonly kubernetes: {
      readonly nodeLabels: Labels;
      readonly orchestratorVersion: string;
      readonly kubeletConfig?: KubeletProfile;
      readonly nodeInitializationTaints: readonly string[];
      readonly nodeTaints: readonly string[];
      readonly maxPods?: number;
      readonly artifactStreamingProfile?: { readonly enabled: true };
    };
    readonly mode: 'System' | 'User';
    readonly security: {
      readonly sshAccess: 'LocalUser';
      readonly enableEncryptionAtHost: boolean;
      readonly enableVTPM: boolean;
      readonly enableSecureBoot: boolean;
    };
    readonly priority: 'Spot' | 'Regular';
    readonly tags: Tags;
    readonly localDNSProfile?: LocalDnsProfile;
  };
}

export type MachineOutcome =
  | { readonly ok: true; readonly body: MachineBody }
  | { readonly ok: false; readonly reason: string };

export function machineBody(cluster: ClusterSettings, plan: NodePlan): MachineOutcome {
  const image = nodeImageVersionOf(plan.imageId);
  if (!image.ok) return image;
  const spec = specOf(plan.nodeClass);
  const localDNSProfile = localDnsProfile(plan.nodeClass);
  return {
    ok: true,
    body: {
      zones: armZonesOf(plan.zone),
      properties: {
        nodeImageVersion: image.text,
        network: { ...(spec.vnetSubnetID !== undefined && { vnetSubnetID: spec.vnetSubnetID }) },
        hardware: hardwareOf(spec, plan),
        operatingSystem: operatingSystemOf(spec, plan),
        kubernetes: kubernetesOf(spec, plan),
        mode: isSystemNode(plan) ? 'System' : 'User',
        security: securityOf(spec),
        priority: plan.capacityType === capacityType.spot ? 'Spot' : 'Regular',
        tags: machineTags(cluster, plan),
        ...(localDNSProfile !== undefined && { localDNSProfile }),
      },
    },
  };
}

function hardwareOf({ gpu }: AKSNodeClassSpec, plan: NodePlan) {
  const { name } = plan.instanceType;
  const driver = gpu?.mode === 'None' ? 'None' : 'Install';
  return {
    vmSize: name,
    ...(gpuSupportOf(name) !== undefined && { gpuProfile: { driver } as const }),
    ultraSsdEnabled: plan.ultraSsd,
  };
}

function operatingSystemOf(spec: AKSNodeClassSpec, plan: NodePlan) {
  return {
    osType: 'Linux',
    osSKU: osSkuOf(spec, plan.kubernetesVersion),
    osDiskSizeGB: spec.osDiskSizeGB,
    osDiskType: plan.ephemeralOsDisk ? 'Ephemeral' : 'Managed',
    enableFIPS: isFips(spec),
    ...(spec.linuxOSConfig !== undefined && {
      linuxProfile: { linuxOSConfig: linuxOsProfile(spec.linuxOSConfig) },
    }),
  } as const;
}

/** The release of the image that is sent along: AKS refuses a pair that does not match. FIPS goes by plain names. */
function osSkuOf(spec: AKSNodeClassSpec, kubernetesVersion: string): string {
  if (spec.imageFamily === 'AzureLinux') return 'AzureLinux';
  if (spec.imageFamily === 'Ubuntu' && isFips(spec)) return 'Ubuntu';
  return imageReleaseOf(spec, kubernetesVersion);
}

function kubernetesOf(spec: AKSNodeClassSpec, plan: NodePlan) {
  return {
    nodeLabels: machineLabels(plan),
    orchestratorVersion: plan.kubernetesVersion,
    ...(spec.kubelet !== undefined && { kubeletConfig: kubeletProfile(spec.kubelet) }),
    // The service keeps nodeTaints as they are and has rules about them, such as none on system nodes.
    nodeInitializationTaints: allTaintsOf(plan.nodeClaim),
    nodeTaints: [],
    ...(spec.maxPods !== undefined && { maxPods: spec.maxPods }),
    ...(isArtifactStreamingOn(plan) && { artifactStreamingProfile: { enabled: true } as const }),
  };
}

function securityOf({ security = {} }: AKSNodeClassSpec) {
  const { encryptionAtHost = false, trustedLaunch = {} } = security;
  const { vtpm = false, secureBoot = false } = trustedLaunch;
  return {
    sshAccess: 'LocalUser',
    enableEncryptionAtHost: encryptionAtHost,
    enableVTPM: vtpm,
    enableSecureBoot: secureBoot,
  } as const;
}
