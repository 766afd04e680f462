// What a node of a size has and what of it pods do not get. In: vCPUs, memory, GPUs, disk. Out: resource vectors.
// The reservations are AKS's own progressive rates; they are computed in doubles and cut off, in the order in which
// the original computes them, because the node's kubelet is told the very same numbers.
import { nanoPerUnit } from '../../model/quantity.ts';
import { resourceName, type Resources, units } from '../../model/resources.ts';
import type { Overhead } from '../../model/instance-type.ts';

interface Bracket {
  readonly upTo: number;
  readonly rate: number;
}

const memoryBrackets: readonly Bracket[] = [
  { upTo: 4, rate: 0.25 },
  { upTo: 8, rate: 0.2 },
  { upTo: 16, rate: 0.1 },
  { upTo: 128, rate: 0.06 },
  { upTo: Number.MAX_VALUE, rate: 0.02 },
];

const cpuBrackets: readonly Bracket[] = [
  { upTo: 1, rate: 0.06 },
  { upTo: 2, rate: 0.04 },
  { upTo: 4, rate: 0.02 },
  { upTo: Number.MAX_VALUE, rate: 0.01 },
];

const bytesPerGiB = 2 ** 30;
const bytesPerMiB = 2 ** 20;
const evictionThresholdMiB = 750;
const nanoPerMilli = nanoPerUnit / 1000n;

export const gpuResource = { nvidia: 'nvidia.com/gpu', amd: 'amd.com/gpu' } as const;

export function capacityOf(node: {
  readonly vcpus: number;
  readonly memoryBytes: number;
  readonly osDiskSizeGb: number;
  readonly maxPods: number;
  readonly nvidiaGpus: number;
  readonly amdGpus: number;
}): Resources {
  return new Map([
    [resourceName.cpu, units(node.vcpus)],
    [resourceName.memory, units(node.memoryBytes)],
    [resourceName.ephemeralStorage, units(node.osDiskSizeGb * 1e9)],
    [resourceName.pods, units(node.maxPods)],
    [gpuResource.nvidia, units(node.nvidiaGpus)],
    [gpuResource.amd, units(node.amdGpus)],
  ]);
}

/** What the operating system will see of the memory, before any node of the size has been seen. */
export function estimatedMemoryBytes(memoryGiB: number, overheadShare: number): number {
  const bytes = Math.trunc(memoryGiB) * bytesPerGiB;
  return bytes - Math.ceil(bytes * overheadShare);
}

export function overheadOf(vcpus: number, memoryGiB: number): Overhead {
  const reservedMilli = Math.trunc(1000 * progressive(cpuBrackets, vcpus));
  const reservedMiB = Math.trunc(1024 * progressive(memoryBrackets, memoryGiB));
  return {
    kubeReserved: new Map([
      [resourceName.cpu, BigInt(reservedMilli) * nanoPerMilli],
      [resourceName.memory, units(reservedMiB * bytesPerMiB)],
    ]),
    systemReserved: new Map([
      [resourceName.cpu, 0n],
      [resourceName.memory, 0n],
    ]),
    evictionThreshold: new Map([[resourceName.memory, units(evictionThresholdMiB * bytesPerMiB)]]),
  };
}

function progressive(brackets: readonly Bracket[], amount: number): number {
  let sum = 0;
  let lower = 0;
  for (const { upTo, rate } of brackets) {
    if (lower > amount) break;
    sum += (Math.min(upTo, amount) - lower) * rate;
    lower = upTo;
  }
  return sum;
}
