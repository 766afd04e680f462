import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { testSizes } from '../../azure/azure-fixture.ts';
import { kubeletSettings } from '../boot/kubelet-settings.ts';
import { hardwareOf, nodeResources } from './node-resources.ts';

const [size] = testSizes;

function settings(flags: string) {
  const reading = kubeletSettings({ flags, labels: '', minor: 33 });
  if (!reading.ok) throw new Error(reading.reason);
  return reading.value;
}

const hardware = { cpuMilli: 2000, memoryKib: 8_000_000, diskKib: 100_000_000, gpus: 4 };

describe('what is left for pods', () => {
  test('is the machine without what is kept and what starts evictions', () => {
    const flags =
      '--max-pods=30 --kube-reserved=cpu=100m,memory=1000Mi --system-reserved=cpu=50m --eviction-hard=memory.available<750Mi,nodefs.available<10%';
    const { capacity, allocatable } = nodeResources(hardware, settings(flags), undefined);
    expect([capacity, allocatable]).toEqual([
      {
        cpu: '2',
        memory: '8000000Ki',
        'ephemeral-storage': '100000000Ki',
        'hugepages-1Gi': '0',
        'hugepages-2Mi': '0',
        pods: '30',
      },
      {
        cpu: '1850m',
        memory: `${8_000_000 - 1750 * 1024}Ki`,
        'ephemeral-storage': String(100_000_000 * 1024 * 0.9),
        'hugepages-1Gi': '0',
        'hugepages-2Mi': '0',
        pods: '30',
      },
    ]);
  });

  test('is the whole disk when nothing guards it', () => {
    const guard = settings('--eviction-hard=memory.available<750Mi');
    const { allocatable } = nodeResources(hardware, guard, undefined);
    expect(allocatable['ephemeral-storage']).toBe(String(100_000_000 * 1024));
  });

  test('is never below nothing', () => {
    const greedy = settings('--kube-reserved=cpu=3,memory=100Gi');
    const { allocatable } = nodeResources(hardware, greedy, undefined);
    expect([allocatable['cpu'], allocatable['memory']]).toEqual(['0', '0']);
  });

  test('has the GPUs that are well, of those that are there', () => {
    const { capacity, allocatable } = nodeResources(hardware, settings(''), 3);
    expect([capacity['nvidia.com/gpu'], allocatable['nvidia.com/gpu']]).toEqual(['4', '3']);
  });
});

describe('what a machine shows of its size', () => {
  const promisedKib = 8 * 1024 * 1024;

  test('is a little less memory than promised, and a little different each time', () => {
    const random = seededRandom(1);
    const shown = Array.from({ length: 20 }, () =>
      hardwareOf({ size: size!, osDiskSizeGb: 128, random }),
    );
    const memory = shown.map(({ memoryKib }) => memoryKib / promisedKib);
    expect(new Set(memory).size).toBeGreaterThan(15);
    expect(Math.min(...memory)).toBeGreaterThan(0.96);
    expect(Math.max(...memory)).toBeLessThan(0.975);
    expect(new Set(shown.map(({ cpuMilli }) => cpuMilli))).toEqual(new Set([2000]));
  });
});
