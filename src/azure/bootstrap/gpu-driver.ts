// The driver for the GPUs of a size. In: a size and whether drivers are wanted. Out: which image on the node installs
// it, mcr.microsoft.com/aks/aks-gpu-<type>:<version>-<suffix>; undefined when none is to be installed.
// Node images bring a part of the driver along: another version on top of that hides the GPU. The numbers therefore
// move with the node images, never on their own.
import { gpuSupportOf } from '../catalog/gpu-registry.ts';

export interface GpuDriver {
  readonly type: 'cuda' | 'cuda-lts' | 'grid' | 'grid-v20';
  readonly version: string;
  readonly imageSuffix: string;
}

const cudaSuffix = '20260629214430';

const gridV20: GpuDriver = {
  type: 'grid-v20',
  version: '595.58.03',
  imageSuffix: '20260609172331',
};
const grid: GpuDriver = { type: 'grid', version: '570.211.01', imageSuffix: '20260522192315' };
/** The last one for K80. */
const cuda: GpuDriver = { type: 'cuda', version: '470.82.01', imageSuffix: cudaSuffix };
const cudaLts: GpuDriver = { type: 'cuda-lts', version: '580.159.04', imageSuffix: cudaSuffix };

export function gpuDriverFor(size: string, isDriverWanted: boolean): GpuDriver | undefined {
  if (!isDriverWanted || !isNvidia(size)) return undefined;
  const name = size.toLowerCase();
  if (name.endsWith('_xl_rtxpro6000bse_v6')) return gridV20;
  if (/^standard_n[cv]\d+ad(?:s|ms)_a10_v[45]$/.test(name)) return grid;
  return name.startsWith('standard_nc') && !name.includes('_v') ? cuda : cudaLts;
}

/** Eight GPUs behind switches, which the driver alone does not set up: no program would see a GPU. */
const switchedSizes: ReadonlySet<string> = new Set(
  `nd96asr_v4 nd96ams_v4 nd96ams_a100_v4 nd96amsr_a100_v4 nd112asr_a100_v4 nd112amsr_a100_v4 nd120asr_a100_v4
  nd120amsr_a100_v4 nd96is_h100_v5 nd96isr_h100_v5 nd96is_h200_v5 nd96isr_h200_v5 nd96isrf_h200_v5`.split(
    /\s+/,
  ),
);

export function needsFabricManager(size: string): boolean {
  return switchedSizes.has(size.toLowerCase().replace(/^standard_/, ''));
}

export function isNvidia(size: string): boolean {
  return gpuSupportOf(size)?.vendor === 'nvidia';
}
