// Many events about one thing become few writes. In: events as they happen. Out: for each a new Event to
// create, a count to raise on an Event that exists, or nothing. The numbers are those of every Kubernetes
// component, so that the same cluster sees the same load.
//  1. Equal events raise the count of the first one.
//  2. From the tenth different message about one object and reason within ten minutes of each other, messages
//     are combined into one Event.
//  3. One object gets 25 events of a type at once and one more every five minutes; what exceeds that is dropped.
import type { Clock } from '../../base/clock.ts';
import { TokenBucket } from '../../base/token-bucket.ts';
import type { KubeEvent } from '../../api/core.ts';
import { LruMap } from '../../base/lru-map.ts';

const maxMessages = 10;
const messageWindowMs = 600_000;
const spamBurst = 25;
const spamPerSecond = 1 / 300;
/** Of each kind of memory: what has not been seen for this many others is forgotten. */
const memorySize = 4096;

/** An Event as the recorder makes it: with everything that is compared or counted here. */
export interface CountedEvent extends KubeEvent {
  readonly reason: string;
  readonly message: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

export interface CorrelatedEvent {
  /** As it should be on the server. */
  readonly event: CountedEvent;
  /** What has changed on it since it was written. Absent for a new one. */
  readonly patch?: Pick<CountedEvent, 'count' | 'lastTimestamp' | 'message'>;
}

interface Similar {
  readonly messages: ReadonlySet<string>;
  readonly lastMs: number;
}

export class EventAggregation {
  readonly #clock: Clock;
  readonly #similar = new LruMap<string, Similar>(memorySize);
  readonly #written = new LruMap<string, CountedEvent>(memorySize);
  readonly #budgets = new LruMap<string, TokenBucket>(memorySize);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined when the object has had its share of events. */
  correlate(event: CountedEvent): CorrelatedEvent | undefined {
    const correlated = this.#count(...this.#combine(event));
    return this.#isSpam(event) ? undefined : correlated;
  }

  /** The event, or the one that stands for all of its like, and the key under which it is counted. */
  #combine(event: CountedEvent): [CountedEvent, string] {
    const { message, reason } = event;
    const nowMs = this.#clock.monotonic();
    const group = keyOf(event, reason, event.reportingComponent, event.reportingInstance);
    const known = this.#similar.get(group);
    const isRecent = known !== undefined && nowMs - known.lastMs <= messageWindowMs;
    const messages = new Set(isRecent ? known.messages : []).add(message);
    const isCrowded = messages.size >= maxMessages;
    // Whichever goes: the set only has to stay at the brink.
    if (isCrowded) messages.delete(message);
    this.#similar.set(group, { messages, lastMs: nowMs });
    if (!isCrowded) return [event, keyOf(event, reason, message)];
    return [{ ...event, message: `(combined from similar events): ${message}` }, group];
  }

  #count(event: CountedEvent, key: string): CorrelatedEvent {
    const first = this.#written.get(key);
    if (first === undefined) {
      this.#written.set(key, event);
      return { event };
    }
    const { message, lastTimestamp } = event;
    const patch = { message, lastTimestamp, count: first.count + 1 };
    const repeated = { ...first, ...patch };
    this.#written.set(key, repeated);
    return { event: repeated, patch };
  }

  #isSpam(event: CountedEvent): boolean {
    const spender = keyOf(event);
    const budget =
      this.#budgets.get(spender) ??
      new TokenBucket({ clock: this.#clock, perSecond: spamPerSecond, burst: spamBurst });
    this.#budgets.set(spender, budget);
    return !budget.tryTake();
  }
}

/** Who reports what type of event about which object, and whatever else tells events apart. */
function keyOf(event: CountedEvent, ...more: (string | undefined)[]): string {
  const { source, involvedObject: object } = event;
  return JSON.stringify([
    source?.component,
    source?.host,
    object.kind,
    object.namespace,
    object.name,
    object.uid,
    object.apiVersion,
    event.type,
    ...more,
  ]);
}
