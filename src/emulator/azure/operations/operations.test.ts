import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../base/log.ts';
import { seededRandom } from '../../../base/random.ts';
import { VirtualClock } from '../../../base/virtual-clock.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import { ArmError, preempted } from '../errors.ts';
import { LatencySource } from './latency.ts';
import { Operations } from './operations.ts';

function world() {
  const clock = new VirtualClock();
  const latency = new LatencySource({ random: seededRandom(1) });
  const operations = new Operations({
    clock,
    random: seededRandom(2),
    latency,
    log: silentLogger,
    retryAfterSeconds: 1,
  });
  return { clock, operations };
}

const call: ArmCall = {
  method: 'DELETE',
  path: {
    subscriptionId: 's',
    resourceGroup: 'g',
    scope: '/subscriptions/s/resourceGroups/g',
    namespace: 'Microsoft.Compute',
    types: ['virtualMachines'],
    names: ['v'],
  },
  id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v',
  operation: 'Microsoft.Compute/virtualMachines/delete',
  apiVersion: '2024-11-01',
  query: new URLSearchParams(),
  headers: {},
  body: undefined,
  caller: { objectId: 'o', tenantId: 't', name: 'n' },
  baseUrl: 'https://arm',
  correlationId: 'c',
  fault: undefined,
};

describe('an operation', () => {
  test('is polled under both addresses of a deletion', () => {
    const { operations } = world();
    const { id, headers } = operations.start(call, { location: 'eastus', run: () => undefined });
    const place = 'https://arm/subscriptions/s/providers/Microsoft.Compute/locations/eastus';
    expect(headers).toEqual({
      'retry-after': '1',
      'azure-asyncoperation': `${place}/operations/${id}?api-version=2024-11-01`,
      location: `${place}/operationResults/${id}?api-version=2024-11-01`,
    });
  });

  test('does its work once, when its time is up, and keeps its result', async () => {
    const { operations, clock } = world();
    let runs = 0;
    const { id } = operations.start(call, {
      location: 'eastus',
      latencyMs: 1000,
      run: () => ++runs,
    });
    await clock.advance(999);
    const before = operations.get(id)?.status;
    await clock.advance(1);
    await clock.advance(60_000);
    expect([before, runs, operations.get(id)]).toMatchObject([
      'InProgress',
      1,
      { status: 'Succeeded', result: 1 },
    ]);
  });

  test('that was cancelled tells why and does nothing', async () => {
    const { operations, clock } = world();
    const told: string[] = [];
    const { id } = operations.start(call, {
      location: 'eastus',
      run: () => expect.unreachable(),
      failed: ({ code }) => told.push(code),
    });
    operations.whenEnded(id, ({ status }) => told.push(status));
    operations.cancel(id, preempted());
    operations.cancel(id, preempted());
    await clock.advance(120_000);
    expect(told).toEqual(['OperationPreempted', 'Canceled']);
  });

  test('fails with what its work throws, and hides what nobody meant to throw', async () => {
    const { operations, clock } = world();
    const codes: string[] = [];
    for (const error of [new ArmError(409, 'AllocationFailed', 'full'), new Error('a bug')]) {
      operations.start(call, {
        location: 'eastus',
        run: () => {
          throw error;
        },
        failed: ({ code }) => codes.push(code),
      });
    }
    await clock.advance(120_000);
    expect(codes).toEqual(['AllocationFailed', 'InternalServerError']);
  });

  test('ends never after a stop', async () => {
    const { operations, clock } = world();
    operations.start(call, { location: 'eastus', run: () => expect.unreachable() });
    operations.stop();
    await clock.advance(120_000);
    expect(clock.pending().timers).toEqual([]);
  });
});

describe('latency', () => {
  test('is drawn from the first range that names the operation, scaled', () => {
    const at = (operation: string, factor: number): number =>
      new LatencySource({
        random: seededRandom(3),
        factor,
        latencies: [['Microsoft.Test/*', { minMs: 500, maxMs: 500 }]],
      }).draw(operation);
    const vm = at('Microsoft.Compute/virtualMachines/write', 1);
    expect([
      at('Microsoft.Test/x/write', 1),
      at('microsoft.test/x', 2),
      at('Microsoft.Test/x', 0),
    ]).toEqual([500, 1000, 0]);
    expect(vm >= 10_000 && vm <= 60_000).toBe(true);
  });
});
