import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { ArmError } from './errors.ts';
import { Faults } from './faults.ts';
import { TokenBuckets, type ThrottleRequest } from './throttle.ts';

const request: ThrottleRequest = {
  operation: 'Microsoft.Compute/virtualMachines/write',
  method: 'PUT',
  subscriptionId: 's',
  resourceId: '/vm/a',
  callerId: 'me',
};

function refusal(run: () => unknown): ArmError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof ArmError) return error;
    throw error;
  }
}

describe('budgets', () => {
  test('of one resource are spent before those of the subscription, and refill', async () => {
    const clock = new VirtualClock();
    const throttle = new TokenBuckets(clock);
    const first = throttle.admit(request);
    for (let i = 1; i < 12; i++) throttle.admit(request);
    const refused = refusal(() => throttle.admit(request));
    const other = refusal(() => throttle.admit({ ...request, resourceId: '/vm/b' }));
    await clock.advance(15_000);
    expect(first).toMatchObject({
      'x-ms-ratelimit-remaining-subscription-writes': '199',
      'x-ms-ratelimit-remaining-resource':
        'Microsoft.Compute/PutVMSubscriptionMaximum;1499,Microsoft.Compute/PutVMResource;11',
    });
    expect(refused).toMatchObject({
      status: 429,
      code: 'OperationNotAllowed',
      headers: { 'retry-after': '15' },
      details: [{ code: 'TooManyRequests', target: 'Microsoft.Compute/PutVMResource' }],
    });
    expect([other, refusal(() => throttle.admit(request))]).toEqual([undefined, undefined]);
  });

  test('of callers are apart', () => {
    const throttle = new TokenBuckets(new VirtualClock(), []);
    for (let i = 0; i < 200; i++) throttle.admit(request);
    expect(refusal(() => throttle.admit(request))?.code).toBe('SubscriptionRequestsThrottled');
    expect(refusal(() => throttle.admit({ ...request, callerId: 'you' }))).toBeUndefined();
    expect(refusal(() => throttle.admit({ ...request, method: 'GET' }))).toBeUndefined();
  });
});

describe('faults', () => {
  const effect = { kind: 'lose-response' } as const;

  test('strike by operation and resource, in any casing, until they are taken back', () => {
    const faults = new Faults(seededRandom(1));
    const rule = faults.add({ operation: 'microsoft.compute/*/write', resource: 'VM-A', effect });
    const struck = [
      faults.strike('Microsoft.Compute/virtualMachines/write', '/x/vm-a'),
      faults.strike('Microsoft.Compute/virtualMachines/write', '/x/vm-b'),
      faults.strike('Microsoft.Compute/virtualMachines/read', '/x/vm-a'),
    ];
    rule[Symbol.dispose]();
    expect([
      ...struck,
      faults.strike('Microsoft.Compute/virtualMachines/write', '/x/vm-a'),
    ]).toEqual([effect, undefined, undefined, undefined]);
  });

  test('strike at their rate, the same times for the same seed', () => {
    const count = (seed: number): number => {
      const faults = new Faults(seededRandom(seed), [{ operation: '*', rate: 0.3, effect }]);
      return Array.from({ length: 1000 }, () => faults.strike('a', 'b')).filter(Boolean).length;
    };
    expect(count(7)).toBe(count(7));
    expect(count(7) > 240 && count(7) < 360).toBe(true);
  });
});
