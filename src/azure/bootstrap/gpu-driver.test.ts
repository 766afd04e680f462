import { describe, expect, test } from 'vitest';
import { gpuDriverFor, needsFabricManager } from './gpu-driver.ts';

const gridV20 = { type: 'grid-v20', version: '595.58.03', imageSuffix: '20260609172331' };
const grid = { type: 'grid', version: '570.211.01', imageSuffix: '20260522192315' };
const cuda = { type: 'cuda', version: '470.82.01', imageSuffix: '20260629214430' };
const cudaLts = { type: 'cuda-lts', version: '580.159.04', imageSuffix: '20260629214430' };

describe('the driver of a GPU', () => {
  test.each(['24lds', '36ds', '36lds', '72ds', '72lds', '144ds', '144lds', '288ds', '288lds'])(
    'is the newest GRID for RTX PRO 6000 (%s)',
    (part) => {
      expect(gpuDriverFor(`Standard_NC${part}_xl_RTXPRO6000BSE_v6`, true)).toEqual(gridV20);
    },
  );

  test.each([
    'NV6ads_A10_v5',
    'NV12ads_A10_v5',
    'NV18ads_A10_v5',
    'NV36ads_A10_v5',
    'NV72ads_A10_v5',
    'NV36adms_A10_v5',
    'NC8ads_A10_v4',
    'NC16ads_A10_v4',
    'NC32ads_A10_v4',
  ])('is GRID for A10 (%s)', (size) => {
    expect(gpuDriverFor(`Standard_${size}`, true)).toEqual(grid);
  });

  test.each(['NC6', 'NC12', 'NC24', 'NC24r', 'NC6_Promo'])(
    'is an old CUDA for K80 (%s)',
    (size) => {
      expect(gpuDriverFor(`Standard_${size}`, true)).toEqual(cuda);
    },
  );

  test.each([
    'NC6s_v3',
    'NC4as_T4_v3',
    'NC24ads_A100_v4',
    'ND96isr_H100_v5',
    'NV12s_v3',
    'ND6s',
    'NV6',
  ])('is CUDA for everything else of NVIDIA (%s)', (size) => {
    expect(gpuDriverFor(`Standard_${size}`, true)).toEqual(cudaLts);
  });

  test.each([
    ['is not wanted', 'Standard_NC6s_v3', false],
    ['does not exist, for AMD', 'Standard_ND96isr_MI300X_v5', true],
    ['is not needed without a GPU', 'Standard_D4s_v5', true],
  ])('%s', (_, size, isWanted) => {
    expect(gpuDriverFor(size, isWanted)).toBeUndefined();
  });

  test.each([
    ['Standard_ND96isr_H100_v5', true],
    ['Standard_ND96asr_v4', true],
    ['Standard_NC24ads_A100_v4', false],
    ['Standard_ND40rs_v2', false],
  ])('on %s needs a manager of the switches between GPUs: %s', (size, expected) => {
    expect(needsFabricManager(size)).toBe(expected);
  });
});
