// What AKS's bootstrapping service is asked. In: the cluster and what was chosen for the node. Out: the body of the
// question, or why it cannot be asked. Numbers stand for names as the service numbers them.
import { type AKSNodeClassSpec, specOf } from '../../api/aks-node-class.ts';
import { azureLabel } from '../../api/labels.ts';
import { nanoPerUnit } from '../../model/quantity.ts';
import { requirementOn } from '../../model/requirements.ts';
import { resourceName } from '../../model/resources.ts';
import { distroOf } from '../image/image-definition.ts';
import { imageReleaseOf, isFips } from '../image/image-family.ts';
import { parseImageId } from '../image/image-id.ts';
import { gpuDriverFor, isNvidia } from './gpu-driver.ts';
import { type KubeletProfile, kubeletProfile } from './kubelet-profile.ts';
import { type LinuxOsProfile, linuxOsProfile } from './linux-os-profile.ts';
import { type LocalDnsProfile, localDnsProfile } from './local-dns-profile.ts';
import { maxPodsOf } from './network-mode.ts';
import { isSystemNode, kubeletLabels, type Labels } from './node-labels.ts';
import {
  architectureOf,
  type ClusterSettings,
  type NodePlan,
  isArtifactStreamingOn,
} from './node-plan.ts';
import { nodeTaintsOf } from './node-taints.ts';
import { withoutUndefined } from './wire-values.ts';

const osType = { linux: 2 } as const;
const osSku = { ubuntu: 1, azureLinux: 7 } as const;
const mode = { system: 1, user: 2 } as const;
const sshAccess = { localUser: 0 } as const;
const driverType = { grid: 2, cuda: 3 } as const;

export interface ProvisionValues {
  readonly provisionProfile: ProvisionProfile;
  readonly provisionHelperValues: { readonly skuCPU: number; readonly skuMemory: number };
}

interface ProvisionProfile {
  readonly name: string;
  readonly architecture: 'x64' | 'Arm64';
  readonly osType: number;
  readonly osSku: number;
  readonly vmSize: string;
  readonly distro: string;
  readonly orchestratorVersion: string;
  readonly vnetSubnetID: string;
  readonly storageProfile: 'ManagedDisks' | 'Ephemeral';
  readonly customNodeLabels: Labels;
  readonly nodeTaints: readonly string[];
  readonly nodeInitializationTaints: readonly string[];
  readonly mode: number;
  readonly maxPods: number;
  readonly vnetCidrs: readonly string[];
  readonly securityProfile: {
    readonly sshAccess: number;
    readonly enableVTPM?: boolean;
    readonly enableSecureBoot?: boolean;
  };
  readonly enableFIPS: boolean;
  readonly artifactStreamingProfile: { readonly enabled: boolean };
  readonly customKubeletConfig: KubeletProfile;
  readonly customLinuxOSConfig?: LinuxOsProfile;
  readonly localDNSProfile?: LocalDnsProfile;
  readonly gpuProfile?: { readonly installGPUDriver: boolean; readonly driverType: number };
}

export type ProvisionQuestion =
  | { readonly ok: true; readonly values: ProvisionValues }
  | { readonly ok: false; readonly reason: string };

export function provisionValues(cluster: ClusterSettings, plan: NodePlan): ProvisionQuestion {
  const distro = distroOf(parseImageId(plan.imageId)?.definition ?? '');
  if (distro === undefined) {
    return {
      ok: false,
      reason: `image ${plan.imageId} is none of AKS's node images, so that the bootstrapping service does not know its distribution`,
    };
  }
  const provisionProfile = {
    ...machineOf(cluster, plan),
    distro,
    ...registrationOf(cluster, plan),
    ...settingsOf(plan),
  };
  return {
    ok: true,
    values: {
      provisionProfile,
      provisionHelperValues: {
        skuCPU:
          Number(plan.instanceType.capacity.get(resourceName.cpu) ?? 0n) / Number(nanoPerUnit),
        skuMemory: soldMemoryGiB(plan),
      },
    },
  };
}

function machineOf({ network }: ClusterSettings, plan: NodePlan) {
  const spec = specOf(plan.nodeClass);
  const isUbuntu = imageReleaseOf(spec, plan.kubernetesVersion).startsWith('Ubuntu');
  return {
    name: '',
    architecture: architectureOf(plan) === 'arm64' ? 'Arm64' : 'x64',
    osType: osType.linux,
    osSku: isUbuntu ? osSku.ubuntu : osSku.azureLinux,
    vmSize: plan.instanceType.name,
    orchestratorVersion: plan.kubernetesVersion,
    vnetSubnetID: spec.vnetSubnetID ?? network.subnetId,
    vnetCidrs: [],
    storageProfile: plan.ephemeralOsDisk ? 'Ephemeral' : 'ManagedDisks',
  } as const;
}

function registrationOf(cluster: ClusterSettings, plan: NodePlan) {
  const { taints, startupTaints } = nodeTaintsOf(plan.nodeClaim);
  return {
    customNodeLabels: kubeletLabels(cluster, plan),
    nodeTaints: taints,
    nodeInitializationTaints: startupTaints,
    mode: isSystemNode(plan) ? mode.system : mode.user,
    maxPods: maxPodsOf(specOf(plan.nodeClass), cluster.network),
  };
}

function settingsOf(plan: NodePlan) {
  const spec = specOf(plan.nodeClass);
  const localDNSProfile = localDnsProfile(plan.nodeClass);
  const { vtpm, secureBoot } = spec.security?.trustedLaunch ?? {};
  return {
    securityProfile: {
      sshAccess: sshAccess.localUser,
      ...withoutUndefined({ enableVTPM: vtpm, enableSecureBoot: secureBoot }),
    },
    enableFIPS: isFips(spec),
    artifactStreamingProfile: { enabled: isArtifactStreamingOn(plan) },
    customKubeletConfig: spec.kubelet === undefined ? {} : kubeletProfile(spec.kubelet),
    ...(spec.linuxOSConfig !== undefined && {
      customLinuxOSConfig: linuxOsProfile(spec.linuxOSConfig),
    }),
    ...(localDNSProfile !== undefined && { localDNSProfile }),
    ...gpuProfileOf(spec, plan.instanceType.name),
  };
}

/** The service is told of NVIDIA only: it has no driver for others. */
function gpuProfileOf({ gpu }: AKSNodeClassSpec, size: string) {
  if (!isNvidia(size)) return {};
  const isGrid = gpuDriverFor(size, true)?.type.startsWith('grid') === true;
  return {
    gpuProfile: {
      installGPUDriver: gpu?.mode !== 'None',
      driverType: isGrid ? driverType.grid : driverType.cuda,
    },
  };
}

/** What the size is sold with, not what a machine shows of it: the service reserves by that. */
function soldMemoryGiB({ instanceType }: NodePlan): number {
  const [megabytes = 0] = requirementOn(instanceType.requirements, azureLabel.skuMemory).values;
  return Math.ceil(Number(megabytes) / 1024);
}
