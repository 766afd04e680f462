// Budgets of requests. In: an operation of a caller on a subscription. Out: how much is left, as headers, or the 429
// that the real service gives. Resource Manager counts reads, writes and deletes by subscription and caller; Compute
// and Network count again, by subscription and by resource, in buckets that refill steadily.
import type { Clock } from '../../base/clock.ts';
import { LruMap } from '../../base/lru-map.ts';
import { ArmError } from './errors.ts';
import { wildcard } from './faults.ts';

export interface ThrottleBudget {
  /** As the header names it: `Microsoft.Compute/PutVM`. */
  readonly name: string;
  /** `*` for any text. */
  readonly operation: string;
  readonly per: 'subscription' | 'resource';
  readonly burst: number;
  readonly perSecond: number;
}

export interface ThrottleRequest {
  readonly operation: string;
  readonly method: string;
  readonly subscriptionId: string;
  readonly resourceId: string;
  readonly callerId: string;
}

export interface Throttle {
  /** Takes one token of each budget that applies; throws TooManyRequests when one is empty. */
  admit(request: ThrottleRequest): Readonly<Record<string, string>>;
}

type ArmClass = 'reads' | 'writes' | 'deletes';

/** Burst, and refill a second, of the published token buckets of Resource Manager. */
const armBuckets: Readonly<Record<ArmClass, readonly [burst: number, perSecond: number]>> = {
  reads: [250, 25],
  writes: [200, 10],
  deletes: [200, 10],
};

/** The published limits of Compute (by minute) and of Network (by five minutes). */
const azureBudgets: readonly ThrottleBudget[] = [
  {
    name: 'Microsoft.Compute/PutVMSubscriptionMaximum',
    operation: 'Microsoft.Compute/virtualMachines/write',
    per: 'subscription',
    burst: 1500,
    perSecond: 500 / 60,
  },
  {
    name: 'Microsoft.Compute/PutVMResource',
    operation: 'Microsoft.Compute/virtualMachines/write',
    per: 'resource',
    burst: 12,
    perSecond: 4 / 60,
  },
  {
    name: 'Microsoft.Compute/DeleteVMSubscriptionMaximum',
    operation: 'Microsoft.Compute/virtualMachines/delete',
    per: 'subscription',
    burst: 1500,
    perSecond: 500 / 60,
  },
  {
    name: 'Microsoft.Compute/LowCostGetSubscriptionMaximum',
    operation: 'Microsoft.Compute/*/read',
    per: 'subscription',
    burst: 15_000,
    perSecond: 5000 / 60,
  },
  {
    name: 'Microsoft.Network/Writes5Min',
    operation: 'Microsoft.Network/*/write',
    per: 'subscription',
    burst: 1000,
    perSecond: 1000 / 300,
  },
  {
    name: 'Microsoft.Network/Reads5Min',
    operation: 'Microsoft.Network/*/read',
    per: 'subscription',
    burst: 10_000,
    perSecond: 10_000 / 300,
  },
];

export const unlimited: Throttle = { admit: () => ({}) };

export class TokenBuckets implements Throttle {
  readonly #clock: Clock;
  readonly #budgets: readonly (ThrottleBudget & { readonly pattern: RegExp })[];
  /** One that was not touched for so long is full again: forgetting it changes nothing. */
  readonly #buckets = new LruMap<string, Bucket>(50_000);

  constructor(clock: Clock, budgets: readonly ThrottleBudget[] = azureBudgets) {
    this.#clock = clock;
    this.#budgets = budgets.map((budget) => ({ ...budget, pattern: wildcard(budget.operation) }));
  }

  admit(request: ThrottleRequest): Readonly<Record<string, string>> {
    const headers = this.#admitToArm(request);
    const left: string[] = [];
    for (const budget of this.#budgets) {
      if (!budget.pattern.test(request.operation)) continue;
      const owner = budget.per === 'resource' ? request.resourceId : request.subscriptionId;
      const bucket = this.#bucket(`${budget.name} ${owner.toLowerCase()}`, budget);
      if (!bucket.take()) throw providerThrottled(budget, bucket.secondsToNext());
      left.push(`${budget.name};${bucket.left}`);
    }
    return left.length === 0
      ? headers
      : { ...headers, 'x-ms-ratelimit-remaining-resource': left.join(',') };
  }

  #admitToArm(request: ThrottleRequest): Record<string, string> {
    if (request.subscriptionId === '') return {};
    const kind = armClass(request.method);
    const [burst, perSecond] = armBuckets[kind];
    const key = `${kind} ${request.subscriptionId.toLowerCase()} ${request.callerId}`;
    const bucket = this.#bucket(key, { burst, perSecond });
    if (!bucket.take()) throw armThrottled(request, kind, bucket.secondsToNext());
    return { [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(bucket.left) };
  }

  #bucket(key: string, limits: { readonly burst: number; readonly perSecond: number }): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const bucket = new Bucket(this.#clock, limits);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

class Bucket {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perMs: number;
  #tokens: number;
  #updatedMs: number;

  constructor(clock: Clock, limits: { readonly burst: number; readonly perSecond: number }) {
    this.#clock = clock;
    this.#burst = limits.burst;
    this.#perMs = limits.perSecond / 1000;
    this.#tokens = limits.burst;
    this.#updatedMs = clock.monotonic();
  }

  get left(): number {
    return Math.floor(this.#tokens);
  }

  take(): boolean {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#updatedMs) * this.#perMs);
    this.#updatedMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  secondsToNext(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perMs / 1000));
  }
}

function armClass(method: string): ArmClass {
  if (method === 'DELETE') return 'deletes';
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
}

function armThrottled(request: ThrottleRequest, kind: ArmClass, seconds: number): ArmError {
  return new ArmError(
    429,
    'SubscriptionRequestsThrottled',
    `Number of '${kind}' requests for subscription '${request.subscriptionId}' exceeded the limit. Please try again after '${seconds}' seconds.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** Compute's wording: the outer code is not what a client expects of a throttled request, the inner one is. */
function providerThrottled(budget: ThrottleBudget, seconds: number): ArmError {
  return new ArmError(
    429,
    'OperationNotAllowed',
    'The server rejected the request because too many requests have been received for this subscription.',
    {
      headers: { 'retry-after': String(seconds) },
      details: [
        {
          code: 'TooManyRequests',
          target: budget.name,
          message: JSON.stringify({
            operationGroup: budget.name,
            allowedRequestCount: budget.burst,
            retryAfterSeconds: seconds,
          }),
        },
      ],
    },
  );
}
