// Tells people what happened to their objects. In: an event about an object. Out: a Kubernetes Event, soon.
// Publishing never blocks and never fails. The same event about the same thing is written once per window;
// an event type may have a budget of its own, which only events that are not duplicates draw on.
import { toTimestamp, type Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { ObjectReference } from '../../api/core.ts';
import type { KubeObject } from '../../api/meta.ts';
import { apiVersionOf, type ResourceType } from '../../api/resource-type.ts';
import type { CountedEvent } from './event-aggregation.ts';
import { EventSender, type EventSink } from './event-sender.ts';
import type { Runnable } from '../manager/runnable.ts';
import { randomUuid } from '../../base/uuid.ts';

export interface ObjectEvent {
  readonly object: ObjectReference & { readonly name: string };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Events of one reason with equal values are duplicates. Without values nothing is. */
  readonly dedupeValues?: readonly string[];
  /** How long a duplicate is suppressed. Two minutes unless given. */
  readonly dedupeTimeoutMs?: number;
  /** Shared by all events of a kind. */
  readonly rateLimiter?: { tryTake(): boolean };
  /** Who reports it, if not the product itself. */
  readonly component?: string;
}

/** What components are given to tell of events. */
export interface Recorder {
  publish(...events: readonly ObjectEvent[]): void;
}

export interface EventRecorderOptions {
  readonly sink: EventSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: MetricsRegistry;
  /** `karpenter` unless given. */
  readonly component?: string;
  readonly bufferSize?: number;
  readonly flushMs?: number;
}

const defaultDedupeMs = 120_000;
const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export class EventRecorder implements Recorder, Runnable {
  readonly name = 'events';
  readonly stage = 'service';
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #component: string;
  readonly #sender: EventSender;
  readonly #recent: TtlCache<string, true>;
  #lastNanos = 0n;

  constructor(options: EventRecorderOptions) {
    const { clock, metrics } = options;
    this.#clock = clock;
    this.#random = options.random;
    this.#component = options.component ?? 'karpenter';
    this.#recent = new TtlCache({ clock, ttlMs: defaultDedupeMs });
    const dropped = metrics?.counter({
      name: 'karpenter_events_dropped_total',
      help: 'Events that were not written: too many at once, refused, or no server to be reached',
    });
    this.#sender = new EventSender({ ...options, dropped });
  }

  publish(...events: readonly ObjectEvent[]): void {
    for (const event of events) {
      if (this.#isDuplicate(event)) continue;
      if (event.rateLimiter?.tryTake() === false) continue;
      this.#sender.offer(this.#toKubeEvent(event));
    }
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#sender.run(signal);
  }

  #isDuplicate(event: ObjectEvent): boolean {
    const { dedupeValues = [], dedupeTimeoutMs = defaultDedupeMs } = event;
    if (dedupeValues.length === 0) return false;
    const key = `${event.reason.toLowerCase()}-${dedupeValues.join('-')}`;
    if (this.#recent.has(key)) return true;
    this.#recent.set(key, true, dedupeTimeoutMs);
    return false;
  }

  #toKubeEvent(event: ObjectEvent): CountedEvent {
    const { object, type, reason, message, component = this.#component } = event;
    const now = toTimestamp(this.#clock.now());
    const namespace =
      object.namespace === undefined || object.namespace === '' ? 'default' : object.namespace;
    return {
      metadata: { name: this.#nameFor(object.name), namespace },
      involvedObject: object,
      type,
      reason,
      message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      reportingComponent: component,
      reportingInstance: '',
    };
  }

  /** The time in nanoseconds, made unique: the clock counts milliseconds, and two events may share one. */
  #nameFor(object: string): string {
    const nanos = BigInt(Math.trunc(this.#clock.now())) * 1_000_000n;
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    const name = `${object}.${this.#lastNanos.toString(16)}`;
    return name.length <= 253 && validName.test(name) ? name : randomUuid(this.#random);
  }
}

/** Names an object in an event. Objects from a list carry no kind of their own. */
export function referenceTo(
  type: ResourceType,
  object: KubeObject,
): ObjectReference & { readonly name: string } {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
