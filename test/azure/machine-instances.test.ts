// The suite on AKS machines, made one by one and in batches, and what is special about them.
import { describe, expect, test } from 'vitest';
import { findArmError } from '../../src/azure/arm/arm-error.ts';
import { azureWithCluster } from '../../src/emulator/azure/containerservice/container-service-fixture.ts';
import { adapterOn } from '../support/azure/adapter.ts';
import { launchPlan } from '../support/azure/launch-plan.ts';
import {
  batched,
  machineClass,
  machineParts,
  machinesOn,
  machineType,
  type Putting,
  singly,
  sweepMachines,
} from '../support/azure/machines.ts';
import { instancesSuite, type Stage } from './instances.ts';

async function start(putting: Putting): Promise<Stage> {
  const adapter = await adapterOn(await azureWithCluster());
  const { seen, signal, settle, catalog, test } = adapter;
  const instances = machinesOn(adapter, putting);
  return {
    instances,
    seen,
    signal,
    settle,
    pass: (ms) => test.clock.advance(ms),
    sweep: () => sweepMachines(adapter, instances),
    restart: async () => machinesOn(await adapterOn(test), putting),
    plan: (name, changes) => launchPlan(catalog, machineClass, { name, ...changes }),
    addFault: (rule) => test.azure.env.faults.add(rule),
    createOperation: `${machineType}/write`,
    deletion: /^POST .*\/deleteMachines$/,
    leftovers: () => machineParts(adapter),
  };
}

instancesSuite('AKS machines, one by one', () => start(singly));
instancesSuite('AKS machines, in batches', () => start(batched));

function putsIn({ seen }: Stage): number {
  return seen.filter(({ method }) => method === 'PUT').length;
}

describe('machines in batches', () => {
  test('are made with one call', async () => {
    const stage = await start(batched);
    const names = Array.from({ length: 5 }, (_, i) => `default-aaaa${i}`);
    const launches = await stage.settle(
      Promise.all(names.map((name) => stage.instances.create(stage.plan(name), stage.signal))),
    );
    expect(launches.map(({ instance }) => instance.name)).toEqual(names);
    expect(putsIn(stage)).toBe(1);
    stage.seen.length = 0;
    await stage.settle(Promise.all(launches.map((launch) => launch.completed(stage.signal))));
    // All wait on the same lists.
    expect(stage.seen.every(({ path }) => path.endsWith('/machines'))).toBe(true);
    expect(stage.seen.length).toBeLessThan(20);
  });

  test('are told apart when one of them is refused', async () => {
    const stage = await start(batched);
    using _ = stage.addFault({
      operation: stage.createOperation,
      resource: 'default-bbbbb',
      effect: { kind: 'refuse', status: 400, code: 'VMSizeNotSupported', message: 'no' },
    });
    const outcomes = await stage.settle(
      Promise.allSettled(
        ['default-aaaaa', 'default-bbbbb', 'default-ccccc'].map((name) =>
          stage.instances.create(stage.plan(name), stage.signal),
        ),
      ),
    );
    expect(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? outcome.value.instance.name
          : findArmError(outcome.reason)?.code,
      ),
    ).toEqual(['default-aaaaa', 'VMSizeNotSupported', 'default-ccccc']);
  });

  test('go apart when they differ', async () => {
    const stage = await start(batched);
    const { instances, signal } = stage;
    await stage.settle(
      Promise.all([
        instances.create(stage.plan('default-aaaaa'), signal),
        instances.create(stage.plan('default-bbbbb', { capacityType: 'spot' }), signal),
      ]),
    );
    expect(putsIn(stage)).toBe(2);
  });
});

test('a machine whose name another claim has is left alone', async () => {
  const stage = await start(singly);
  const { instances, signal } = stage;
  const name = 'a-pool-with-a-name-that-is-far-too-long-for-a-machine-x1y2z';
  const launch = await stage.settle(instances.create(stage.plan(name), signal));
  expect(launch.instance.name).toHaveLength(34);
  const short = launch.instance.name;
  await expect(stage.settle(instances.find(short, signal))).rejects.toMatchObject({
    code: 'MachineNameTaken',
  });
  await stage.settle(instances.discard(short, signal));
  expect(await stage.settle(instances.get(short, signal))).toMatchObject({ name: short });
});
