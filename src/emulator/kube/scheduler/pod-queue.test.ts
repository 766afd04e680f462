import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import { compileShape, shapeKey } from './pod-shape.ts';
import type { SchedulingPod } from './objects.ts';
import { PodQueue } from './pod-queue.ts';
import { aPod } from './scheduler-fixture.ts';

const shapeOf = (pod: SchedulingPod) => compileShape(pod, shapeKey(pod));

function queueWith(...pods: readonly SchedulingPod[]) {
  const clock = new VirtualClock();
  const queue = new PodQueue(clock);
  for (const pod of pods) queue.add(pod, shapeOf(pod));
  return { clock, queue };
}

const nameOf = (queue: PodQueue) => queue.pop()?.pod.metadata.name;

describe('the queue of pods', () => {
  test('gives higher priority first, and equals in the order they came', () => {
    const priority = (name: string, value: number) => aPod(name, { spec: { priority: value } });
    const { queue } = queueWith(priority('a', 0), priority('b', 5), priority('c', 5), aPod('d'));
    expect([nameOf(queue), nameOf(queue), nameOf(queue), nameOf(queue), nameOf(queue)]).toEqual([
      'b',
      'c',
      'a',
      'd',
      undefined,
    ]);
  });

  test('keeps a refused pod until something helps its shape', () => {
    const [a, b] = [aPod('a', { cpu: '1' }), aPod('b', { cpu: '2' })];
    const { queue } = queueWith(a, b);
    const [first, second] = [queue.pop()!, queue.pop()!];
    queue.park(first);
    queue.park(second);
    expect(nameOf(queue)).toBeUndefined();
    queue.help(first.shape);
    expect(nameOf(queue)).toBe('a');
    expect(nameOf(queue)).toBeUndefined();
  });

  test('lets a helped pod go before its backoff ends only when nothing else is active', () => {
    const { queue } = queueWith(aPod('a', { cpu: '1' }), aPod('b', { cpu: '2' }));
    const first = queue.pop()!;
    queue.park(first);
    queue.help(first.shape);
    expect([nameOf(queue), nameOf(queue)]).toEqual(['b', 'a']);
  });

  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [5, 10_000],
    [9, 10_000],
  ])('after %i errors waits %i ms', async (attempts, waitMs) => {
    const { clock, queue } = queueWith(aPod('a'));
    for (let attempt = 1; attempt < attempts; attempt++) {
      queue.retry(queue.pop()!);
      await clock.advance(10_000);
    }
    queue.retry(queue.pop()!);
    expect(queue.nextMs()).toBe(waitMs);
    await clock.advance(waitMs - 1);
    expect(nameOf(queue)).toBeUndefined();
    await clock.advance(1);
    expect(nameOf(queue)).toBe('a');
  });

  test('tries a pod again after five minutes even if nothing has helped', async () => {
    const { clock, queue } = queueWith(aPod('a'));
    queue.park(queue.pop()!);
    expect(queue.nextMs()).toBe(300_000);
    await clock.advance(299_999);
    expect(nameOf(queue)).toBeUndefined();
    await clock.advance(1);
    expect(nameOf(queue)).toBe('a');
  });

  test('forgets a removed pod wherever it is', () => {
    const { queue } = queueWith(aPod('a'), aPod('b'), aPod('c'));
    queue.remove('uid-default-b');
    queue.park(queue.pop()!);
    queue.remove('uid-default-a');
    queue.help(shapeOf(aPod('a')));
    expect([nameOf(queue), nameOf(queue)]).toEqual(['c', undefined]);
    expect(queue.nextMs()).toBeUndefined();
  });

  test('remembers attempts of a pod that is added again', () => {
    const { queue } = queueWith(aPod('a'));
    queue.park(queue.pop()!);
    queue.add(aPod('a'), shapeOf(aPod('a')));
    expect(queue.pop()?.attempts).toBe(2);
  });
});
