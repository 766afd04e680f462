// What a machine has, and what of it is left for pods. In: its size, its disk and the kubelet's settings. Out: capacity and
// allocatable as a kubelet measures them.
// Linux and Azure's hypervisor keep some memory before any kubelet sees it: about 1.8 % and 128 MiB, and never quite the same
// twice. So a node is close to what its size promises and never equal to it.
import type { Random } from '../../../base/random.ts';
import { formatQuantity, type Quantity } from '../../../model/quantity.ts';
import type { SizeFacts } from '../../azure/facts.ts';
import type { Floor, KubeletSettings } from '../boot/kubelet-settings.ts';

export interface NodeResources {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** What the machine itself shows: the same at every start of its kubelet. */
export interface Hardware {
  readonly cpuMilli: number;
  readonly memoryKib: number;
  readonly diskKib: number;
  readonly gpus: number;
}

const kibPerGib = 1024 * 1024;
const memoryShare = 0.982;
const memoryKeptKib = 128 * 1024;
/** Of a disk of 128 GiB a file system has about 124. */
const diskShare = 0.968;
const nano = 1_000_000_000n;

export function hardwareOf(options: {
  readonly size: SizeFacts;
  readonly osDiskSizeGb: number;
  readonly random: Random;
}): Hardware {
  const { size, random } = options;
  const noiseKib = random.integer(4096);
  const memoryKib = size.memoryGiB * kibPerGib * memoryShare - memoryKeptKib - noiseKib;
  return {
    cpuMilli: size.vCpus * 1000,
    memoryKib: Math.max(0, Math.floor(memoryKib)),
    diskKib: Math.floor((options.osDiskSizeGb || 128) * kibPerGib * diskShare),
    gpus: size.gpus ?? 0,
  };
}

export function nodeResources(
  hardware: Hardware,
  settings: KubeletSettings,
  /** Undefined until a device plugin has told the kubelet of its devices. */
  healthyGpus: number | undefined,
): NodeResources {
  const memory = BigInt(hardware.memoryKib) * 1024n * nano;
  const disk = BigInt(hardware.diskKib) * 1024n * nano;
  const cpu = BigInt(hardware.cpuMilli) * 1_000_000n;
  const kept = (name: string): bigint =>
    (settings.kubeReserved[name]?.nano ?? 0n) + (settings.systemReserved[name]?.nano ?? 0n);
  const floor = (signal: string, whole: bigint): bigint =>
    floorOf(settings.evictionHard.get(signal), whole);
  const whole = {
    cpu: text(cpu, 'DecimalSI'),
    'ephemeral-storage': text(disk, 'BinarySI'),
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: text(memory, 'BinarySI'),
    pods: String(settings.maxPods),
  };
  const diskLeft = disk - kept('ephemeral-storage') - floor('nodefs.available', disk);
  const memoryLeft = memory - kept('memory') - floor('memory.available', memory);
  return {
    capacity: { ...whole, ...gpuAmount(healthyGpus === undefined ? undefined : hardware.gpus) },
    allocatable: {
      ...whole,
      cpu: text(cpu - kept('cpu'), 'DecimalSI'),
      // Kubelets write this one in plain bytes, because it is a share of the disk.
      'ephemeral-storage': text((diskLeft / nano) * nano, 'DecimalSI', true),
      memory: text((memoryLeft / (1024n * nano)) * 1024n * nano, 'BinarySI'),
      ...gpuAmount(healthyGpus),
    },
  };
}

function gpuAmount(count: number | undefined): Readonly<Record<string, string>> {
  return count === undefined ? {} : { 'nvidia.com/gpu': String(count) };
}

function floorOf(floor: Floor | undefined, whole: bigint): bigint {
  if (floor === undefined) return 0n;
  if ('amount' in floor) return floor.amount.nano;
  return (whole * BigInt(Math.round(floor.share * 10_000))) / 10_000n;
}

function text(amount: bigint, format: Quantity['format'], isPlain = false): string {
  const left = amount < 0n ? 0n : amount;
  return isPlain ? String(left / nano) : formatQuantity({ nano: left, format });
}
