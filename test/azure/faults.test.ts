// What may go wrong in a launch, call by call, on every back-end. However it ends: one complete machine for the claim, or nothing
// at all after the sweeps. All in virtual time.
import { describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../src/emulator/azure/faults.ts';
import type { TestAzure } from '../../src/emulator/azure/azure-fixture.ts';
import type { Transport } from '../../src/azure/arm/transport.ts';
import { azureWithCluster } from '../../src/emulator/azure/containerservice/container-service-fixture.ts';
import {
  type Adapter,
  adapterOn,
  sized,
  testAdapter,
  testClaim,
} from '../support/azure/adapter.ts';
import {
  batched,
  machineClass,
  machineParts,
  machinePool,
  machinesOn,
  machineType,
  type Putting,
  singly,
  sweepMachines,
} from '../support/azure/machines.ts';
import { testProvider, type TestProvider } from '../support/azure/provider.ts';

const vmType = 'Microsoft.Compute/virtualMachines';
const name = 'default-a1b2c';
const claim = testClaim(name, sized('Standard_D2s_v3'));

/** Every poll is a call to be killed at, and one is like the other. */
const slowPolls = { retryAfterSeconds: 20 };

interface World {
  readonly adapter: Adapter;
  readonly cluster: TestProvider;
  sweep(claims: readonly string[]): Promise<void>;
  /** What there is of machines, without names that are drawn by lot. */
  left(): readonly string[];
}

interface BackEnd {
  readonly name: string;
  /** Every call that a launch makes, as faults name them. */
  readonly operations: readonly string[];
  /** Machine, interface, disk and what is on it. */
  readonly complete: readonly string[];
  azure(): Promise<TestAzure>;
  on(test: TestAzure, wrap?: (transport: Transport) => Transport): Promise<World>;
}

const vms: BackEnd = {
  name: 'virtual machines',
  operations: [
    'Microsoft.Network/networkSecurityGroups/read',
    'Microsoft.Network/loadBalancers/read',
    'Microsoft.Compute/virtualMachines/read',
    'Microsoft.Network/networkInterfaces/write',
    'Microsoft.Network/locations/operations/read',
    'Microsoft.Compute/virtualMachines/write',
    'Microsoft.Compute/locations/operations/read',
    'Microsoft.Compute/virtualMachines/extensions/write',
  ],
  complete: ['computeAksLinuxBilling', `aks-${name}`, `aks-${name}`, `aks-${name}`],
  azure: async () => (await testAdapter(slowPolls)).test,
  on: async (test, wrap) => {
    const adapter = await adapterOn(test, wrap === undefined ? {} : { wrap });
    return {
      adapter,
      cluster: testProvider(adapter),
      sweep: (claims) => adapter.sweep(claims),
      left: () => [
        ...adapter.left(vmType),
        ...adapter.left(`${vmType}/extensions`),
        ...adapter.left('Microsoft.Network/networkInterfaces'),
        ...adapter.left('Microsoft.Compute/disks'),
      ],
    };
  },
};

function machines(putting: Putting, way: string): BackEnd {
  return {
    name: `AKS machines ${way}`,
    operations: [`${machineType}/read`, `${machineType}/write`],
    complete: ['vm', 'vm-nic', 'vm_OsDisk', 'machine'],
    azure: () => azureWithCluster(slowPolls),
    on: async (test, wrap) => {
      const adapter = await adapterOn(test, wrap === undefined ? {} : { wrap });
      const instances = machinesOn(adapter, putting);
      const { pool } = machinePool;
      return {
        adapter,
        cluster: testProvider(adapter, { instances, nodeClass: machineClass, pool }),
        sweep: (claims) => sweepMachines(adapter, instances, claims),
        left: () =>
          machineParts(adapter)
            .map((part) => /vm(-nic|_OsDisk)?$/.exec(part)?.[0] ?? 'machine')
            .toSorted(),
      };
    },
  };
}

const batches = machines(batched, 'in batches');
const backEnds = [vms, machines(singly, 'one by one'), batches];

const effects: Readonly<Record<string, FaultEffect>> = {
  'too many calls': {
    kind: 'refuse',
    status: 429,
    code: 'TooManyRequests',
    retryAfterSeconds: 17,
  },
  'an internal error': { kind: 'refuse', status: 500, code: 'InternalServerError' },
  'a conflict': { kind: 'refuse', status: 409, code: 'Conflict' },
  'no answer in time': { kind: 'delay', delayMs: 10 * 60 * 1000 },
  'a lost answer': { kind: 'lose-response' },
  'a late failure': { kind: 'fail-late', code: 'InternalExecutionError' },
};

const cases = backEnds.flatMap((backEnd) =>
  backEnd.operations.flatMap((operation) =>
    Object.keys(effects).flatMap((effect) =>
      ['once', 'always'].map((often) => ({ backEnd, operation, effect, often })),
    ),
  ),
);

/** What fails after it was accepted ends the claim, as often as it may have happened. */
function isLate({ effect, operation }: (typeof cases)[number]): boolean {
  return (
    effect === 'a late failure' && /(virtualMachines|machines|extensions)\/write$/.test(operation)
  );
}

/** A launch that failed is tried again; in the end the claim is given up. */
async function launchAsTheLoopDoes(adapter: Adapter, cluster: TestProvider): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const outcome = await adapter
      .settle(cluster.launch(claim, adapter.signal))
      .catch((error: unknown) => error);
    if (!(outcome instanceof Error)) return;
    await adapter.test.clock.advance(10_000);
  }
  cluster.claims.delete(name);
}

describe('a launch that meets with', () => {
  test.each(cases)('$effect at $operation, $often ($backEnd.name)', async (row) => {
    const azure = await row.backEnd.azure();
    const { adapter, cluster, sweep, left } = await row.backEnd.on(azure);
    const fault = azure.azure.env.faults.add({
      operation: row.operation,
      effect: effects[row.effect]!,
      ...(row.often === 'once' && { count: 1 }),
    });
    await launchAsTheLoopDoes(adapter, cluster);
    // Long enough for every retry and for the operation that never ends.
    await azure.clock.advance(45 * 60 * 1000);
    fault[Symbol.dispose]();
    await sweep([...cluster.claims.keys()]);
    const isFatal = row.often === 'always' || isLate(row);
    expect(isFatal || cluster.claims.has(name)).toBe(true);
    expect(left().toSorted()).toEqual(
      cluster.claims.has(name) ? row.backEnd.complete.toSorted() : [],
    );
  });
});

async function callsOfALaunch(backEnd: BackEnd): Promise<number> {
  const { adapter, cluster } = await backEnd.on(await backEnd.azure());
  await adapter.settle(cluster.launch(claim, adapter.signal));
  await adapter.test.clock.advance(10 * 60 * 1000);
  return adapter.seen.length;
}

/** Aborts at the n-th call, before it goes out or after its answer has come. */
function killing(kill: AbortController, at: number, when: 'before' | 'after') {
  let calls = 0;
  return (transport: Transport): Transport =>
    async (request) => {
      const isIt = calls++ === at;
      if (isIt && when === 'before') kill.abort();
      request.signal.throwIfAborted();
      const answer = await transport(request);
      if (isIt && when === 'after') kill.abort();
      return answer;
    };
}

async function killedLaunch(backEnd: BackEnd, at: number, when: 'before' | 'after') {
  const azure = await backEnd.azure();
  const kill = new AbortController();
  const kills = killing(kill, at, when);
  let isReading = true;
  // The catalogue is read before anything is launched.
  const { adapter, cluster } = await backEnd.on(azure, (transport) => {
    const killable = kills(transport);
    return (request) => (isReading ? transport(request) : killable(request));
  });
  isReading = false;
  kill.signal.addEventListener('abort', () => void cluster.provider.drain());
  const launched = await adapter.settle(cluster.launch(claim, kill.signal)).catch(() => undefined);
  await azure.clock.runUntil(() => kill.signal.aborted, { what: 'the call that kills' });
  await azure.clock.settle();
  return { azure, isLaunched: launched !== undefined };
}

/** Machines made one by one make the same calls as those in batches. */
const kills = [vms, batches].flatMap((backEnd) =>
  (['before', 'after'] as const).map((when) => ({ backEnd, when })),
);

describe('a process that is killed in the middle of a launch', () => {
  test.each(kills)(
    'leaves what the next one completes, $when any call ($backEnd.name)',
    async ({ backEnd, when }) => {
      const calls = await callsOfALaunch(backEnd);
      expect(calls).toBeGreaterThan(4);
      for (let at = 0; at < calls; at++) {
        const { azure, isLaunched } = await killedLaunch(backEnd, at, when);
        const { adapter, cluster, left } = await backEnd.on(azure);
        const { signal } = adapter;
        if (isLaunched) await adapter.settle(cluster.provider.resume(claim, signal));
        else await adapter.settle(cluster.launch(claim, signal));
        await azure.clock.advance(10 * 60 * 1000);
        expect([at, cluster.ended, left().toSorted()]).toEqual([
          at,
          [],
          backEnd.complete.toSorted(),
        ]);
      }
    },
  );

  test.each(kills)(
    'leaves nothing once its claim is gone, $when any call ($backEnd.name)',
    async ({ backEnd, when }) => {
      const calls = await callsOfALaunch(backEnd);
      for (let at = 0; at < calls; at++) {
        const { azure } = await killedLaunch(backEnd, at, when);
        const { sweep, left } = await backEnd.on(azure);
        await sweep([]);
        expect([at, left()]).toEqual([at, []]);
      }
    },
  );
});
