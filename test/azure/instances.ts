// What every back-end that makes machines must do. One suite, run on plain virtual machines and on AKS machines.
import { describe, expect, test } from 'vitest';
import type { Instance, Instances, LaunchPlan } from '../../src/azure/instance/instance.ts';
import { findArmError } from '../../src/azure/arm/arm-error.ts';
import { isNodeClaimNotFound } from '../../src/cloud/errors.ts';
import type { FaultRule } from '../../src/emulator/azure/faults.ts';
import type { SeenCall } from '../support/azure/in-process-transport.ts';

export interface Stage {
  readonly instances: Instances;
  readonly seen: SeenCall[];
  readonly signal: AbortSignal;
  /** The same Azure, and a process that knows nothing of what the first one did. */
  restart(): Promise<Instances>;
  plan(name: string, changes?: { readonly capacityType?: LaunchPlan['capacityType'] }): LaunchPlan;
  settle<T>(work: Promise<T>): Promise<T>;
  pass(ms: number): Promise<void>;
  /** Takes away what has no owner, some time later. */
  sweep(): Promise<void>;
  addFault(rule: FaultRule): Disposable;
  /** The write that makes the machine, as faults name it. */
  readonly createOperation: string;
  /** A path that calls of its deletion match. */
  readonly deletion: RegExp;
  /** Names of all machines, interfaces and disks. */
  leftovers(): string[];
}

async function launched(stage: Stage, name: string): Promise<Instance> {
  const { instances, signal } = stage;
  const launch = await stage.settle(instances.create(stage.plan(name), signal));
  await stage.settle(launch.completed(signal));
  return await stage.settle(instances.get(launch.instance.name, signal));
}

async function deleted(stage: Stage, name: string): Promise<void> {
  const { instances, signal } = stage;
  for (;;) {
    try {
      await stage.settle(instances.delete(name, signal));
      await stage.settle(instances.get(name, signal));
      await stage.pass(5000);
    } catch (error) {
      if (isNodeClaimNotFound(error)) return;
      throw error;
    }
  }
}

export function instancesSuite(backEnd: string, start: () => Promise<Stage>): void {
  describe(`${backEnd}:`, () => {
    test('makes a machine as it was chosen', async () => {
      const stage = await start();
      const instance = await launched(stage, 'default-a1b2c');
      const plan = stage.plan('default-a1b2c');
      expect({
        size: instance.size,
        zone: instance.zone,
        capacityType: instance.capacityType,
        state: instance.state,
        nodePool: instance.tags['karpenter.sh_nodepool'],
        cluster: instance.tags['karpenter.azure.com_cluster'],
        team: instance.tags['team'],
        ultraSsd: instance.ultraSsd,
      }).toEqual({
        size: plan.size.name,
        zone: plan.zone,
        capacityType: 'on-demand',
        state: 'ready',
        nodePool: 'default',
        cluster: 'cluster',
        team: 'nodes',
        ultraSsd: false,
      });
      expect(instance.providerId).toMatch(/^azure:\/\/\/subscriptions\/.*\/resourceGroups\/mc_/);
    });

    test('makes a spot machine', async () => {
      const stage = await start();
      const plan = stage.plan('default-a1b2c', { capacityType: 'spot' });
      const { instance } = await stage.settle(stage.instances.create(plan, stage.signal));
      expect(instance.capacityType).toBe('spot');
    });

    test('tells of a machine that Azure has accepted before it is complete', async () => {
      const stage = await start();
      const plan = stage.plan('default-a1b2c');
      const { instance } = await stage.settle(stage.instances.create(plan, stage.signal));
      expect(instance.state).toBe('creating');
    });

    test('finds and completes a machine that another process began', async () => {
      const stage = await start();
      const plan = stage.plan('default-a1b2c');
      const begun = await stage.settle(stage.instances.create(plan, stage.signal));
      const other = await stage.restart();
      const found = await stage.settle(other.find('default-a1b2c', stage.signal));
      expect(found?.providerId).toBe(begun.instance.providerId);
      const taken = await stage.settle(other.resume(found!, plan, stage.signal));
      await stage.settle(taken.completed(stage.signal));
      const ready = await stage.settle(other.get(begun.instance.name, stage.signal));
      expect(ready.state).toBe('ready');
    });

    test('finds nothing for a claim without a machine', async () => {
      const stage = await start();
      const { instances, signal } = stage;
      expect(await stage.settle(instances.find('default-none', signal))).toBeUndefined();
      await expect(stage.settle(instances.get('aks-default-none', signal))).rejects.toSatisfy(
        isNodeClaimNotFound,
      );
      await expect(stage.settle(instances.delete('aks-default-none', signal))).rejects.toSatisfy(
        isNodeClaimNotFound,
      );
    });

    test('lists the machines it has made', async () => {
      const stage = await start();
      const names = ['default-aaaaa', 'default-bbbbb', 'default-ccccc'];
      const made = [];
      for (const name of names) made.push(await launched(stage, name));
      const listed = await stage.settle(stage.instances.list(stage.signal));
      expect(new Set(listed.map(({ providerId }) => providerId))).toEqual(
        new Set(made.map(({ providerId }) => providerId)),
      );
      expect(listed.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
    });

    test('leaves nothing of a machine that was deleted', async () => {
      const stage = await start();
      const { name } = await launched(stage, 'default-a1b2c');
      await deleted(stage, name);
      expect(stage.leftovers()).toEqual([]);
    });

    test('asks for a deletion once, however often it is told to', async () => {
      const stage = await start();
      const { name } = await launched(stage, 'default-a1b2c');
      stage.seen.length = 0;
      const { instances, signal } = stage;
      await stage.settle(Promise.all([1, 2, 3].map(() => instances.delete(name, signal))));
      await stage.settle(instances.delete(name, signal));
      const asked = stage.seen.filter(({ method, path }) =>
        stage.deletion.test(`${method} ${path}`),
      );
      expect(asked).toHaveLength(1);
    });

    test('changes tags and nothing else', async () => {
      const stage = await start();
      const before = await launched(stage, 'default-a1b2c');
      const tags = { ...before.tags, team: 'others' };
      await stage.settle(stage.instances.update(before.name, { tags }, stage.signal));
      const after = await stage.settle(stage.instances.get(before.name, stage.signal));
      expect(after).toEqual({ ...before, tags });
    });

    test('says what Azure says when it fails after it was accepted, and can be taken away', async () => {
      const stage = await start();
      const { instances, signal } = stage;
      using _ = stage.addFault({
        operation: stage.createOperation,
        effect: { kind: 'fail-late', code: 'ZonalAllocationFailed', message: 'no room' },
      });
      const launch = await stage.settle(instances.create(stage.plan('default-a1b2c'), signal));
      const outcome = await stage
        .settle(launch.completed(signal))
        .catch((error: unknown) => findArmError(error)?.code);
      expect(outcome).toBe('ZonalAllocationFailed');
      await stage.settle(instances.discard('default-a1b2c', signal));
      await stage.sweep();
      expect(stage.leftovers()).toEqual([]);
    });

    test('discards what is not there without complaint', async () => {
      const stage = await start();
      await stage.settle(stage.instances.discard('default-none', stage.signal));
      expect(stage.leftovers()).toEqual([]);
    });
  });
}
