// Random lives of machines under faults: whatever happens, what is gone holds nothing and what is there is consistent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textAt } from '../../kube/json.ts';
import {
  nicBody,
  subscriptionId,
  testAzure,
  testImages,
  testSizes,
  vmBody,
} from '../azure-fixture.ts';
import type { FaultEffect } from '../faults.ts';
import { machineOf } from '../network/nic-attachment.ts';

const group = 'nodes';
const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
const location = 'southcentralus';
const names = ['a', 'b', 'c', 'd'];
const nic = (name: string): string =>
  `${place}/providers/Microsoft.Network/networkInterfaces/${name}`;
const vm = (name: string): string => `${place}/providers/Microsoft.Compute/virtualMachines/${name}`;
const spot = { priority: 'Spot', evictionPolicy: 'Delete' };

const step = fc.oneof(
  fc.record({ kind: fc.constant('nic' as const), name: fc.constantFrom(...names) }),
  fc.record({
    kind: fc.constant('vm' as const),
    name: fc.constantFrom(...names),
    isSpot: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom(
      'delete' as const,
      'evict' as const,
      'deallocate' as const,
      'start' as const,
    ),
    name: fc.constantFrom(...names),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 60_000 }) }),
);

const effects: readonly FaultEffect[] = [
  { kind: 'refuse', status: 500, code: 'InternalServerError' },
  { kind: 'fail-late', code: 'AllocationFailed' },
  { kind: 'lose-response' },
];

test('nothing is held by what is gone, and no interface belongs to nobody', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(undefined, ...effects),
      async (steps, effect) => {
        const test = testAzure({
          sizes: testSizes,
          images: testImages,
          throttling: 'off',
          capacity: [{ size: 'Standard_D2s_v3', count: 2 }],
          ...(effect === undefined
            ? {}
            : { faults: [{ operation: 'Microsoft.Compute/*', rate: 0.3, effect }] }),
        });
        const { azure, clock } = test;
        const { store, lifecycle } = azure.env;
        const send = async (
          method: string,
          target: string,
          body?: Parameters<typeof test.send>[2],
        ): Promise<void> => {
          const version = target.includes('Microsoft.Network') ? '2024-07-01' : '2024-11-01';
          await test.send(method, `${target}?api-version=${version}`, body);
        };
        await send('PUT', place, { location });
        await send('PUT', `${place}/providers/Microsoft.Network/virtualNetworks/vnet`, {
          location,
          properties: {
            addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
            subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/24' } }],
          },
        });
        await clock.advance(10_000);
        for (const one of steps) {
          if (one.kind === 'wait') await clock.advance(one.ms);
          else if (one.kind === 'nic') await send('PUT', nic(one.name), nicBody(group));
          else if (one.kind === 'vm') {
            await send(
              'PUT',
              vm(one.name),
              vmBody({ name: one.name, group, changes: one.isSpot ? spot : {} }),
            );
          } else if (one.kind === 'delete') await send('DELETE', vm(one.name));
          else
            await send(
              'POST',
              `${vm(one.name)}/${one.kind === 'evict' ? 'simulateEviction' : one.kind}`,
            );
        }
        await clock.advance(300_000);
        const machines = store.list('Microsoft.Compute/virtualMachines');
        const orphans = store
          .list('Microsoft.Network/networkInterfaces')
          .filter(
            (one) => machineOf(one) !== undefined && store.get(machineOf(one)!) === undefined,
          );
        const states = machines.map(({ body }) => textAt(body, 'properties', 'provisioningState'));
        expect(orphans).toEqual([]);
        expect(states.filter((state) => state !== 'Succeeded' && state !== 'Failed')).toEqual([]);
        expect(
          azure.compute.quotas.usage(subscriptionId, location, 'virtualMachines').current,
        ).toBe(machines.length);

        lifecycle.remove(place);
        const used = ['cores', 'lowPriorityCores', 'virtualMachines'].map(
          (name) => azure.compute.quotas.usage(subscriptionId, location, name).current,
        );
        const room = {
          vmId: '/x',
          region: location,
          size: 'Standard_D2s_v3',
          zone: undefined,
          priority: 'Regular',
        } as const;
        expect([used, azure.compute.capacity.shortage(room), store.below(place)]).toEqual([
          [0, 0, 0],
          undefined,
          [],
        ]);
        expect(clock.pending().timers).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
