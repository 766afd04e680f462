import { describe, expect, test } from 'vitest';
import type { CapacityBufferSpec } from '../../api/capacity-buffer.ts';
import type { ResourceRequirements } from '../../api/core.ts';
import { bufferReplicas } from './buffer-replicas.ts';

const piece = (resources: ResourceRequirements = { requests: { cpu: '500m', memory: '1Gi' } }) => ({
  containers: [{ name: 'main', resources }],
});

type Sizes = Pick<CapacityBufferSpec, 'replicas' | 'percentage' | 'limits'>;

function replicas(spec: Sizes, target?: number): number {
  return bufferReplicas({ spec, piece: piece(), target });
}

describe('the size of a buffer', () => {
  test.each<[Sizes, number]>([
    [{ replicas: 3 }, 3],
    [{ replicas: 0 }, 0],
    [{}, 0],
    [{ limits: { cpu: '2' } }, 4],
    [{ limits: { cpu: '2', memory: '3Gi' } }, 3],
    [{ limits: { cpu: '1900m' } }, 3],
    [{ limits: { cpu: '499m' } }, 0],
    [{ limits: { cpu: '0' } }, 0],
    [{ limits: { 'nvidia.com/gpu': '8' } }, 0],
    [{ replicas: 10, limits: { cpu: '2' } }, 4],
    [{ replicas: 2, limits: { cpu: '2' } }, 2],
    [{ replicas: 10, limits: { 'nvidia.com/gpu': '8' } }, 10],
    [{ replicas: 10, limits: { 'nvidia.com/gpu': '8', memory: '3Gi' } }, 3],
    [{ limits: { cpu: '10000000000000' } }, 2 ** 31 - 1],
  ])('%j is %d', (spec, expected) => {
    expect(replicas(spec)).toBe(expected);
  });

  test.each<[Sizes, number, number]>([
    [{ percentage: 50 }, 10, 5],
    [{ percentage: 20 }, 10, 2],
    [{ percentage: 25 }, 10, 3],
    [{ percentage: 1 }, 10, 1],
    [{ percentage: 7 }, 100, 7],
    [{ percentage: 100 }, 10, 10],
    [{ percentage: 200 }, 10, 20],
    [{ percentage: 0 }, 10, 0],
    [{ percentage: 50 }, 0, 0],
    [{ percentage: 50, limits: { cpu: '2' } }, 0, 0],
    [{ percentage: 50, replicas: 3 }, 10, 5],
    [{ percentage: 50, replicas: 8 }, 10, 8],
    [{ percentage: 50, replicas: 3 }, 0, 3],
    [{ percentage: 50, limits: { cpu: '1' } }, 10, 2],
    [{ percentage: 10, replicas: 8, limits: { cpu: '3' } }, 10, 6],
    [{ percentage: 2 ** 31 - 1 }, 1000, 2 ** 31 - 1],
  ])('%j of a workload of %d is %d', (spec, target, expected) => {
    expect(replicas(spec, target)).toBe(expected);
  });

  test('knows no share of a PodTemplate', () => {
    expect(replicas({ percentage: 50, limits: { cpu: '2' } })).toBe(4);
  });

  test('counts nothing that a piece asks for in an amount of 0', () => {
    const nothing = piece({ requests: { cpu: '0' } });
    const spec = { replicas: 5, limits: { cpu: '1' } };
    expect(bufferReplicas({ spec, piece: nothing, target: undefined })).toBe(5);
  });
});
