// How fast a subscription may be asked. In: calls about to be made, and what Azure says of its budgets in each answer. Out:
// each call at the moment it should go. All users of one subscription share one of these.
// Resource Manager counts reads, writes and deletes of a subscription; Compute, Network and others count their own on top.
// 1. No more calls go out than Resource Manager's published buckets hold; when it says that less is left, less go.
// 2. After a refusal for too many calls nobody asks again until the time Azure named is over, and then one by one: all at
//    once they would be refused again.
// 3. Turns are given out in advance, first come, first served.
import { type Clock, sleep } from '../../base/clock.ts';

export interface BudgetedCall {
  readonly method: string;
  readonly path: string;
}

type Kind = 'reads' | 'writes' | 'deletes';

/** Of Resource Manager, as published. */
const buckets: Readonly<Record<Kind, { readonly burst: number; readonly perSecond: number }>> = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
};

export class CallBudgets {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock;
  }

  /** Waits for the call's turn. */
  async admit(call: BudgetedCall, signal: AbortSignal): Promise<void> {
    await this.#providerLane(call).enter(signal);
    await this.#managerLane(call).enter(signal);
  }

  note(call: BudgetedCall, headers: Readonly<Record<string, string>>): void {
    const remaining = headers[`x-ms-ratelimit-remaining-subscription-${kindOf(call.method)}`];
    if (remaining !== undefined) this.#managerLane(call).limit(Number(remaining));
  }

  /** `code` tells whose budget is spent. */
  close(call: BudgetedCall, refusal: { readonly code: string; readonly forMs: number }): void {
    const isManagers = refusal.code === 'SubscriptionRequestsThrottled';
    const lane = isManagers ? this.#managerLane(call) : this.#providerLane(call);
    lane.close(refusal.forMs);
  }

  #managerLane({ method, path }: BudgetedCall): Lane {
    const kind = kindOf(method);
    return this.#lane(`${subscriptionIn(path)} ${kind}`, buckets[kind]);
  }

  /** Its size is not known before it is spent. */
  #providerLane({ method, path }: BudgetedCall): Lane {
    const kind = kindOf(method);
    const key = `${subscriptionIn(path)} ${kind} ${providerIn(path)}`;
    return this.#lane(key, { ...buckets[kind], burst: Infinity });
  }

  #lane(key: string, bucket: { readonly burst: number; readonly perSecond: number }): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(this.#clock, bucket);
      this.#lanes.set(key, lane);
    }
    return lane;
  }
}

class Lane {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #perMs: number;
  /** Below zero: so many turns have been given out in advance. */
  #tokens: number;
  #updatedMs: number;
  #closedUntilMs = 0;

  constructor(
    clock: Clock,
    { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  ) {
    this.#clock = clock;
    this.#burst = burst;
    this.#tokens = burst;
    this.#perMs = perSecond / 1000;
    this.#updatedMs = clock.monotonic();
  }

  async enter(signal: AbortSignal): Promise<void> {
    await this.#opened(signal);
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) return;
    const options = { signal, label: 'azure call budget' };
    await sleep(this.#clock, -this.#tokens / this.#perMs, options);
    // It may have been closed while this call waited for its turn.
    await this.#opened(signal);
  }

  limit(tokens: number): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, tokens);
  }

  close(forMs: number): void {
    this.limit(0);
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#clock.monotonic() + forMs);
    // What Azure gives back until then is for those who were refused.
    this.#updatedMs = this.#closedUntilMs;
  }

  async #opened(signal: AbortSignal): Promise<void> {
    for (;;) {
      const closedMs = this.#closedUntilMs - this.#clock.monotonic();
      if (closedMs <= 0) return;
      await sleep(this.#clock, closedMs, { signal, label: 'azure call budget' });
    }
  }

  #refill(): void {
    const elapsedMs = this.#clock.monotonic() - this.#updatedMs;
    if (elapsedMs <= 0) return;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#perMs);
    this.#updatedMs += elapsedMs;
  }
}

function kindOf(method: string): Kind {
  if (method === 'GET') return 'reads';
  return method === 'DELETE' ? 'deletes' : 'writes';
}

function subscriptionIn(path: string): string {
  return /\/subscriptions\/([^/?]+)/i.exec(path)?.[1]?.toLowerCase() ?? '';
}

function providerIn(path: string): string {
  return /\/providers\/([^/?]+)/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
