// What nobody owns goes, and nothing else.
import { describe, expect, test } from 'vitest';
import { garbageControllers } from '../../src/azure/instance/garbage-controllers.ts';
import { sweepInstances, sweepInterfaces } from '../../src/azure/instance/sweeps.ts';
import { silentLogger } from '../../src/base/log.ts';
import { subscriptionId } from '../../src/emulator/azure/azure-fixture.ts';
import {
  nodeGroup,
  readyClass,
  testAdapter,
  testClaim,
  type Adapter,
} from '../support/azure/adapter.ts';
import { launchPlan } from '../support/azure/launch-plan.ts';

const minuteMs = 60 * 1000;
const nicType = 'Microsoft.Network/networkInterfaces';

async function launched(adapter: Adapter, name: string): Promise<string> {
  const { vms, settle, signal, catalog } = adapter;
  const begun = await settle(vms.create(launchPlan(catalog, readyClass(), { name }), signal));
  await settle(begun.completed(signal));
  return begun.instance.providerId;
}

async function sweptInstances(adapter: Adapter, owned: readonly string[]) {
  const { vms: instances, signal, test } = adapter;
  const gone = await adapter.settle(
    sweepInstances({ instances, owned: () => new Set(owned), clock: test.clock, signal }),
  );
  return gone.map(({ name }) => name);
}

test('the loops sweep with what the cluster says, and take the node along', async () => {
  const adapter = await testAdapter();
  const { arm, vms, signal, test } = adapter;
  const kept = await launched(adapter, 'default-kept');
  const lost = await launched(adapter, 'default-lost');
  await test.clock.advance(10 * minuteMs);
  const nodesGone: string[] = [];
  const controllers = garbageControllers({
    arm,
    nodeGroup: { subscriptionId, resourceGroup: nodeGroup },
    vms,
    nodeClaims: () => [{ ...testClaim('default-kept'), status: { providerID: kept } }],
    deleteNode: (providerId) => {
      nodesGone.push(providerId);
      return Promise.resolve();
    },
    clock: test.clock,
    log: silentLogger,
  });
  const outcomes = [];
  for (const { reconcile } of controllers) {
    outcomes.push(await adapter.settle(reconcile({ key: '', log: silentLogger, signal })));
  }
  await test.clock.advance(10 * minuteMs);
  expect([controllers.map(({ name }) => name), outcomes]).toEqual([
    ['instance.garbagecollection', 'networkinterface.garbagecollection'],
    [{ requeueAfterMs: 2 * minuteMs }, { requeueAfterMs: 5 * minuteMs }],
  ]);
  expect([nodesGone, adapter.left('Microsoft.Compute/virtualMachines')]).toEqual([
    [lost],
    ['aks-default-kept'],
  ]);
});

async function sweptInterfaces(
  adapter: Adapter,
  claims: readonly string[] = [],
): Promise<readonly string[]> {
  const { arm, vms, signal } = adapter;
  return await adapter.settle(
    sweepInterfaces({
      arm,
      nodeGroup: { subscriptionId, resourceGroup: nodeGroup },
      vmNames: async () => (await vms.list(signal)).map(({ name }) => name),
      nodeClaimNames: () => claims,
      log: silentLogger,
      signal,
    }),
  );
}

describe('machines', () => {
  test('go without a claim, once they are old enough to have one', async () => {
    const adapter = await testAdapter();
    const kept = await launched(adapter, 'default-kept');
    await launched(adapter, 'default-lost');
    await adapter.test.clock.advance(5 * minuteMs);
    await launched(adapter, 'default-young');
    expect(await sweptInstances(adapter, [kept])).toEqual(['aks-default-lost']);
    await adapter.test.clock.advance(5 * minuteMs);
    expect(adapter.left('Microsoft.Compute/virtualMachines').toSorted()).toEqual([
      'aks-default-kept',
      'aks-default-young',
    ]);
  });

  test('that Resource Graph still shows are no error', async () => {
    const adapter = await testAdapter({ graph: { lagMs: 30 * minuteMs } });
    await launched(adapter, 'default-gone');
    await adapter.test.clock.advance(40 * minuteMs);
    await adapter.settle(adapter.vms.discard('default-gone', adapter.signal));
    expect(await adapter.settle(adapter.vms.list(adapter.signal))).toHaveLength(1);
    expect(await sweptInstances(adapter, [])).toEqual([]);
  });
});

describe('interfaces', () => {
  test('go without a machine and a claim', async () => {
    const adapter = await testAdapter();
    await launched(adapter, 'default-kept');
    for (const name of ['default-lost', 'default-coming']) {
      adapter.test.azure.env.faults.add({
        operation: 'Microsoft.Compute/virtualMachines/write',
        resource: name,
        effect: { kind: 'refuse', status: 400, code: 'BadRequest' },
      });
      await launched(adapter, name).catch(() => undefined);
    }
    expect(await sweptInterfaces(adapter, ['default-coming'])).toEqual(['aks-default-lost']);
    expect(adapter.left(nicType).toSorted()).toEqual(['aks-default-coming', 'aks-default-kept']);
  });

  test('that Azure still keeps for a failed machine go with a later sweep', async () => {
    const adapter = await testAdapter();
    const { vms, settle, signal, catalog, test } = adapter;
    test.azure.env.faults.add({
      operation: 'Microsoft.Compute/virtualMachines/write',
      effect: { kind: 'fail-late', code: 'AllocationFailed' },
    });
    const plan = launchPlan(catalog, readyClass(), { name: 'default-a' });
    const begun = await settle(vms.create(plan, signal));
    await settle(begun.completed(signal)).catch(() => undefined);
    await settle(vms.discard('default-a', signal));
    expect(await sweptInterfaces(adapter)).toEqual([]);
    await test.clock.advance(5 * minuteMs);
    expect(await sweptInterfaces(adapter)).toEqual(['aks-default-a']);
  });
});
