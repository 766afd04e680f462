// The Node that a kubelet registers. In: the machine, what it was told at boot, and its name. Out: the object without status:
// labels that every kubelet sets, those of its command line over them, and its taints.
import type { VirtualMachine } from '../../azure/compute/vm-events.ts';
import type { SizeFacts } from '../../azure/facts.ts';
import type { JsonObject } from '../../kube/json.ts';
import type { BootInstructions } from '../boot/boot-instructions.ts';

/** Until the cloud has said what it knows of the machine, nothing that minds is placed there. */
export const uninitializedTaint = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

export interface KubeletMachine {
  readonly vm: VirtualMachine;
  readonly size: SizeFacts;
  readonly bootId: string;
}

/** The machine's host name; Azure keeps the case that it was written in, Kubernetes does not. */
export function nodeNameOf({ computerName, name }: VirtualMachine): string {
  return (computerName || name).toLowerCase();
}

export function nodeObject({ vm, size }: KubeletMachine, boot: BootInstructions): JsonObject {
  const { labels, taints, flags } = boot.kubelet;
  const name = nodeNameOf(vm);
  const architecture = architectureOf(size);
  const isExternal = flags.get('cloud-provider') === 'external';
  const all = [
    ...taints.map((taint) => ({ ...taint })),
    ...(isExternal ? [uninitializedTaint] : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: all.length === 0 ? {} : { taints: all },
  };
}

export function nodeInfo({ vm, size, bootId }: KubeletMachine, boot: BootInstructions): JsonObject {
  return {
    machineID: vm.vmId.replaceAll('-', ''),
    systemUUID: vm.vmId,
    bootID: bootId,
    kernelVersion: '5.15.0-1096-azure',
    osImage: osImageOf(vm.imageId),
    containerRuntimeVersion: 'containerd://1.7.28-1',
    kubeletVersion: `v${boot.kubernetesVersion}`,
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: architectureOf(size),
  };
}

function architectureOf({ architecture }: SizeFacts): string {
  return architecture === 'Arm64' ? 'arm64' : 'amd64';
}

const osImages: readonly (readonly [pattern: RegExp, image: string])[] = [
  [/2004/, 'Ubuntu 20.04.6 LTS'],
  [/2204/, 'Ubuntu 22.04.5 LTS'],
  [/2404/, 'Ubuntu 24.04.3 LTS'],
  [/azurelinux|V3/i, 'Microsoft Azure Linux 3.0'],
];

function osImageOf(imageId: string): string {
  return osImages.find(([pattern]) => pattern.test(imageId))?.[1] ?? 'Linux';
}
