import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toResourceList } from '../../model/resources.ts';
import { estimatedMemoryBytes, overheadOf } from './node-resources.ts';

describe('what Kubernetes keeps of a node', () => {
  test.each([
    [2, 8, '100m', '1843Mi'],
    [4, 7, '140m', '1638Mi'],
    [3, 64, '120m', '5611Mi'],
    [4, 16, '140m', '2662Mi'],
    [64, 256, '740m', '12165Mi'],
    [120, 456, '1299m', '16261Mi'],
    [176, 352, '1859m', '14131Mi'],
    [2, 3.5, '100m', '896Mi'],
  ])('is of %d vCPUs and %d GiB: %s, %s', (vcpus, memoryGiB, cpu, memory) => {
    const { kubeReserved, evictionThreshold, systemReserved } = overheadOf(vcpus, memoryGiB);
    expect([kubeReserved, evictionThreshold, systemReserved].map(toResourceList)).toEqual([
      { cpu, memory },
      { memory: '750Mi' },
      { cpu: '0', memory: '0' },
    ]);
  });

  test('grows with the node, and never takes more than a quarter of the memory', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 1000 }),
        fc.integer({ min: 4, max: 30_000 }),
        (vcpus, gib) => {
          const small = overheadOf(vcpus, gib).kubeReserved;
          const large = overheadOf(vcpus + 1, gib + 1).kubeReserved;
          for (const [name, nano] of small) expect(large.get(name)).toBeGreaterThan(nano);
          expect((small.get('memory') ?? 0n) * 4n).toBeLessThanOrEqual(
            BigInt(gib) * 2n ** 30n * 10n ** 9n,
          );
        },
      ),
    );
  });
});

describe('the memory that a node is expected to show', () => {
  test.each([
    [8, 0.075, 7_945_689_497],
    [3.5, 0, 3 * 2 ** 30],
    [220, 0.075, 208_384 * 2 ** 20],
    [16, 0, 16 * 2 ** 30],
  ])('is of %d GiB less a share of %d: %d', (memoryGiB, share, bytes) => {
    expect(estimatedMemoryBytes(memoryGiB, share)).toBe(bytes);
  });
});
