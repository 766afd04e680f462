// The suite on plain virtual machines, and what is special about them.
import { describe, expect, test } from 'vitest';
import { subscriptionId } from '../../src/emulator/azure/azure-fixture.ts';
import {
  adapterOn,
  nodeGroup,
  readyClass,
  testAdapter,
  type Adapter,
} from '../support/azure/adapter.ts';
import { launchPlan } from '../support/azure/launch-plan.ts';
import { instancesSuite, type Stage } from './instances.ts';

const vmType = 'Microsoft.Compute/virtualMachines';
const nicType = 'Microsoft.Network/networkInterfaces';
const types = [vmType, nicType, 'Microsoft.Compute/disks'];
const place = `/subscriptions/${subscriptionId}/resourceGroups/${nodeGroup}/providers`;

async function start(): Promise<Stage> {
  const adapter = await testAdapter();
  const { vms, seen, signal, settle, catalog, test } = adapter;
  return {
    instances: vms,
    seen,
    signal,
    settle,
    pass: (ms) => test.clock.advance(ms),
    sweep: () => adapter.sweep(),
    restart: async () => (await adapterOn(test)).vms,
    plan: (name, changes) => launchPlan(catalog, readyClass(), { name, ...changes }),
    addFault: (rule) => test.azure.env.faults.add(rule),
    createOperation: `${vmType}/write`,
    deletion: /^DELETE .*\/virtualMachines\//,
    leftovers: () => types.flatMap((type) => adapter.left(type)),
  };
}

instancesSuite('plain virtual machines', start);

async function launch(adapter: Adapter, name: string): Promise<void> {
  const { vms, settle, signal, catalog } = adapter;
  const begun = await settle(vms.create(launchPlan(catalog, readyClass(), { name }), signal));
  await settle(begun.completed(signal));
}

function bodyOf({ test }: Adapter, type: string, name: string): Record<string, unknown> {
  const found = test.azure.env.store.list(type).find((resource) => resource.name === name);
  return found?.body ?? {};
}

describe('a pool of the load balancer that is gone', () => {
  async function withStalePool() {
    const adapter = await testAdapter();
    await launch(adapter, 'default-first');
    await adapter.settle(adapter.vms.discard('default-first', adapter.signal));
    await adapter.test.finish(
      'PUT',
      `${place}/Microsoft.Network/loadBalancers/kubernetes?api-version=2024-05-01`,
      {
        location: 'southcentralus',
        properties: { backendAddressPools: [{ name: 'kubernetes' }] },
      },
    );
    adapter.seen.length = 0;
    return adapter;
  }
  const lists = ({ seen }: Adapter) => seen.filter(({ path }) => path.endsWith('/loadBalancers'));

  test('is noticed, and the pools are looked up once more', async () => {
    const adapter = await withStalePool();
    await launch(adapter, 'default-next');
    expect(lists(adapter)).toHaveLength(1);
    expect(JSON.stringify(bodyOf(adapter, nicType, 'aks-default-next'))).toContain(
      'backendAddressPools/kubernetes',
    );
  });

  test('is looked up once for all launches that meet it', async () => {
    const adapter = await withStalePool();
    const plans = ['a', 'b', 'c'].map((name) =>
      launchPlan(adapter.catalog, readyClass(), { name: `default-${name}` }),
    );
    await adapter.settle(
      Promise.all(plans.map((plan) => adapter.vms.create(plan, adapter.signal))),
    );
    expect([lists(adapter).length, adapter.left(vmType).length]).toEqual([1, 3]);
  });

  test('is no reason to try again when Azure misses something else', async () => {
    const adapter = await testAdapter();
    using _ = adapter.test.azure.env.faults.add({
      operation: `${nicType}/write`,
      effect: {
        kind: 'refuse',
        status: 400,
        code: 'InvalidResourceReference',
        message: 'subnet /x is not there',
      },
    });
    await expect(launch(adapter, 'default-a')).rejects.toMatchObject({
      code: 'InvalidResourceReference',
    });
    expect(adapter.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });
});

describe('a machine that AKS prepares', () => {
  const vms = {
    boot: () => Promise.resolve({ customData: 'eA==', command: '/bin/bash prepare.sh' }),
    hasScript: true,
  };
  const extensionPuts = ({ seen }: Adapter) =>
    seen
      .filter(({ method, path }) => method === 'PUT' && path.includes('/extensions/'))
      .map(({ path }) => path.split('/').at(-1));

  test('runs its script, and only then is billed', async () => {
    const adapter = await adapterOn((await testAdapter()).test, { vms });
    await launch(adapter, 'default-a');
    expect(extensionPuts(adapter)).toEqual(['cse-agent-karpenter', 'computeAksLinuxBilling']);
  });

  test('does not run it again when its launch is taken up', async () => {
    const first = await adapterOn((await testAdapter()).test, { vms });
    await launch(first, 'default-a');
    const next = await adapterOn(first.test, { vms });
    const { signal, catalog } = next;
    const instance = await next.settle(next.vms.find('default-a', signal));
    const plan = launchPlan(catalog, readyClass(), { name: 'default-a' });
    const resumed = await next.settle(next.vms.resume(instance!, plan, signal));
    await next.settle(resumed.completed(signal));
    expect(extensionPuts(next)).toEqual([]);
  });

  test('is made with a token for the galleries of AKS when it needs one', async () => {
    const tokens: (string | undefined)[] = [];
    const galleryTokens = { token: () => Promise.resolve('gallery'), forget: () => undefined };
    const adapter = await adapterOn((await testAdapter()).test, {
      vms: { galleryTokens },
      wrap: (transport) => (request) => {
        const token = request.headers['x-ms-authorization-auxiliary'];
        if (request.method === 'PUT') tokens.push(token);
        return transport(request);
      },
    });
    await launch(adapter, 'default-a');
    // Interface, machine, extension.
    expect(tokens).toEqual([undefined, 'Bearer gallery', undefined]);
  });
});

describe('changes to a machine', () => {
  test('reach everything that was made for it', async () => {
    const adapter = await testAdapter();
    await launch(adapter, 'default-a');
    const tags = { 'karpenter.sh_nodepool': 'default', team: 'others' };
    await adapter.settle(adapter.vms.update('aks-default-a', { tags }, adapter.signal));
    expect(
      [
        bodyOf(adapter, vmType, 'aks-default-a'),
        bodyOf(adapter, nicType, 'aks-default-a'),
        bodyOf(adapter, `${vmType}/extensions`, 'computeAksLinuxBilling'),
      ].map((body) => body['tags']),
    ).toEqual([tags, tags, tags]);
  });

  test('do not need the extension that bills', async () => {
    const adapter = await testAdapter();
    await launch(adapter, 'default-a');
    await adapter.test.finish(
      'DELETE',
      `${place}/${vmType}/aks-default-a/extensions/computeAksLinuxBilling?api-version=2025-04-01`,
    );
    const tags = { 'karpenter.sh_nodepool': 'default' };
    await adapter.settle(adapter.vms.update('aks-default-a', { tags }, adapter.signal));
    expect(bodyOf(adapter, vmType, 'aks-default-a')['tags']).toEqual(tags);
  });

  test('add identities and never take one away', async () => {
    const adapter = await testAdapter();
    await launch(adapter, 'default-a');
    const ids = ['one', 'two'].map(
      (name) => `${place}/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
    );
    for (const id of ids) {
      await adapter.test.finish('PUT', `${id}?api-version=2024-11-30`, {
        location: 'southcentralus',
      });
      const change = { identities: [id] };
      await adapter.settle(adapter.vms.update('aks-default-a', change, adapter.signal));
    }
    const instance = await adapter.settle(adapter.vms.get('aks-default-a', adapter.signal));
    expect(new Set(instance.identities.map((id) => id.split('/').at(-1)))).toEqual(
      new Set(['one', 'two']),
    );
    expect(instance.tags['karpenter.sh_nodepool']).toBe('default');
  });
});

test('a machine that has lost our tag is not ours any more', async () => {
  const adapter = await testAdapter();
  await launch(adapter, 'default-a');
  await adapter.settle(adapter.vms.update('aks-default-a', { tags: {} }, adapter.signal));
  expect(await adapter.settle(adapter.vms.list(adapter.signal))).toEqual([]);
});

describe('counts of launches', () => {
  const at =
    'image="/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/202502.09.0",size="Standard_D2s_v3",zone="southcentralus-1",capacity_type="on-demand",nodepool="default"';

  async function countsAfter(effect?: Parameters<Stage['addFault']>[0]['effect']) {
    const adapter = await testAdapter();
    if (effect !== undefined) {
      adapter.test.azure.env.faults.add({ operation: `${vmType}/write`, effect });
    }
    await launch(adapter, 'default-a').catch(() => undefined);
    const text = await adapter.registry.text();
    return text.split('\n').filter((line) => line.startsWith('karpenter_instance_vm_create'));
  }

  test.each([
    ['that succeed', undefined, []],
    [
      'that are refused',
      { kind: 'refuse', status: 409, code: 'SkuNotAvailable' },
      [
        `karpenter_instance_vm_create_failure_total{${at},phase="sync",error_code="SkuNotAvailable"} 1`,
      ],
    ],
    [
      'that fail later',
      { kind: 'fail-late', code: 'AllocationFailed' },
      [
        `karpenter_instance_vm_create_failure_total{${at},phase="async",error_code="AllocationFailed"} 1`,
      ],
    ],
  ] as const)('tell of those %s', async (_, effect, failures) => {
    expect(await countsAfter(effect)).toEqual([
      `karpenter_instance_vm_create_start_total{${at}} 1`,
      ...failures,
    ]);
  });
});
