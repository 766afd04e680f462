// What the bootstrapping service is asked, read and checked. In: the body. Out: the node that is meant, or why it is refused.
// Strict: a field that the service does not have, a number that stands for nothing, a size that the region does not sell.
import { listAt, numberAt, objectAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Cluster } from '../containerservice/cluster.ts';
import type { ContainerService } from '../containerservice/container-service.ts';
import type { BootNode } from './node-boot.ts';

export type ProvisionValues =
  | { readonly ok: true; readonly node: BootNode }
  | { readonly ok: false; readonly reason: string };

const known = new Set([
  'name',
  'architecture',
  'osType',
  'osSku',
  'vmSize',
  'distro',
  'orchestratorVersion',
  'vnetSubnetID',
  'vnetCidrs',
  'storageProfile',
  'customNodeLabels',
  'nodeTaints',
  'nodeInitializationTaints',
  'mode',
  'maxPods',
  'securityProfile',
  'enableFIPS',
  'artifactStreamingProfile',
  'customKubeletConfig',
  'customLinuxOSConfig',
  'localDNSProfile',
  'gpuProfile',
]);

/** Numbers stand for names: Linux, Ubuntu and Azure Linux, system and user. */
const numbers = [
  ['osType', [2]],
  ['osSku', [1, 7]],
  ['mode', [1, 2]],
] as const;

export function readProvisionValues(
  service: ContainerService,
  cluster: Cluster,
  body: JsonObject,
): ProvisionValues {
  const profile = objectAt(body, 'provisionProfile');
  if (profile === undefined) return refused('provisionProfile is required');
  const fault = faultOf(service, cluster, profile);
  const size = service.compute.catalog.find(textAt(profile, 'vmSize'), cluster.location);
  if (fault !== undefined || size === undefined) return refused(fault ?? 'vmSize is required');
  const helper = objectAt(body, 'provisionHelperValues');
  const taints = ['nodeTaints', 'nodeInitializationTaints'].flatMap((field) =>
    texts(profile, field),
  );
  return {
    ok: true,
    node: {
      kubernetesVersion: textAt(profile, 'orchestratorVersion'),
      subnetId: textAt(profile, 'vnetSubnetID'),
      labels: (objectAt(profile, 'customNodeLabels') ?? {}) as Record<string, string>,
      taints: [...new Set(taints)],
      maxPods: numberAt(profile, 'maxPods') ?? 110,
      vCpus: numberAt(helper, 'skuCPU') ?? size.vCpus,
      memoryGib: numberAt(helper, 'skuMemory') ?? size.memoryGiB,
    },
  };
}

function refused(reason: string): ProvisionValues {
  return { ok: false, reason };
}

function texts(profile: JsonObject, field: string): string[] {
  return listAt(profile, field).filter((one) => typeof one === 'string');
}

function faultOf(
  service: ContainerService,
  cluster: Cluster,
  profile: JsonObject,
): string | undefined {
  const unknown = Object.keys(profile).find((field) => !known.has(field));
  if (unknown !== undefined) return `unknown field provisionProfile.${unknown}`;
  for (const [field, values] of numbers) {
    const value = numberAt(profile, field);
    if (values.some((one) => one === value)) continue;
    return `provisionProfile.${field} ${value ?? ''} is not supported; it must be one of ${values.join(', ')}`;
  }
  const version = textAt(profile, 'orchestratorVersion');
  if (!service.kubernetesVersions.includes(version)) {
    return `provisionProfile.orchestratorVersion '${version}' is not supported`;
  }
  if (textAt(profile, 'distro') === '') return 'provisionProfile.distro is required';
  return sizeFault(service, cluster, profile);
}

function sizeFault(
  service: ContainerService,
  cluster: Cluster,
  profile: JsonObject,
): string | undefined {
  const name = textAt(profile, 'vmSize');
  const size = service.compute.catalog.find(name, cluster.location);
  if (size === undefined)
    return `provisionProfile.vmSize '${name}' is not sold in ${cluster.location}`;
  const architecture = textAt(profile, 'architecture');
  return architecture === size.architecture
    ? undefined
    : `provisionProfile.architecture '${architecture}' is not that of ${size.name}`;
}
