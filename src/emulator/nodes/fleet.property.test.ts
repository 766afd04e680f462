import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VirtualMachine } from '../azure/compute/vm-events.ts';
import { textAt } from '../kube/json.ts';
import { conditionsOf, testWorld, type TestWorld } from './node-fixture.ts';

type Step = (world: TestWorld, vm: VirtualMachine) => void;

const steps: Readonly<Record<string, Step>> = {
  stop: ({ events }, vm) => events.emit({ kind: 'stopped', vm }),
  deallocate: ({ events }, vm) => events.emit({ kind: 'deallocated', vm }),
  start: ({ events }, vm) => events.emit({ kind: 'running', vm }),
  restart: ({ events }, vm) => events.emit({ kind: 'restarted', vm }),
  reimage: ({ events }, vm) => events.emit({ kind: 'reimaged', vm }),
  preempt: ({ events, clock }, vm) =>
    events.emit({ kind: 'preempting', vm, atMs: clock.now() + 30_000 }),
  freeze: ({ fleet }) => fleet.setFault('aks-one', 'frozen', true),
  thaw: ({ fleet }) => fleet.setFault('aks-one', 'frozen', false),
  break: ({ fleet }) => fleet.setFault('aks-one', 'not-ready', true),
  fill: ({ fleet }) => fleet.setFault('aks-one', 'disk-pressure', true),
  reboot: ({ fleet }) => fleet.reboot('aks-one'),
};

const story = fc.array(
  fc.record({
    step: fc.constantFrom(...Object.keys(steps)),
    afterMs: fc.constantFrom(0, 700, 4000, 20_000, 70_000),
  }),
  { maxLength: 8 },
);

test('whatever happens to a machine, it is a ready node with its pod again after a clean start', async () => {
  const told = fc.asyncProperty(story, async (happenings) => {
    const world = await testWorld();
    const vm = world.start();
    await world.clock.advance(40_000);
    // Of the system, so that a full disk does not cost it its place.
    await world.place({ name: 'web', spec: { priorityClassName: 'system-node-critical' } });
    for (const { step, afterMs } of happenings) {
      steps[step]?.(world, vm);
      await world.clock.advance(afterMs);
    }
    world.events.emit({ kind: 'stopped', vm });
    world.events.emit({ kind: 'running', vm });
    await world.clock.advance(120_000);
    const pod = await world.pod('web');
    expect([
      conditionsOf(await world.node())['Ready'],
      textAt(pod, 'status', 'phase'),
      conditionsOf(pod)['Ready'],
    ]).toEqual(['True KubeletReady', 'Running', 'True']);
    world.fleet.stop();
  });
  await fc.assert(told, { numRuns: 20 });
}, 60_000);
