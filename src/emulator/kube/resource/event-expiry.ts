// Events are kept for an hour after their last change, as the real server keeps them. In: the events table. Out: a sweep
// every few minutes; nothing ticks before `start` or after `stop`.
import type { Clock, Timer } from '../../../base/clock.ts';
import { stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Store } from '../store/store.ts';

const table = '/events';
const keptMs = 60 * 60_000;
const sweepEveryMs = 5 * 60_000;

export class EventExpiry {
  readonly #store: Store;
  readonly #clock: Clock;
  #timer: Timer | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  start(): void {
    this.#timer ??= this.#clock.setTimer(sweepEveryMs, () => this.#sweep(), 'event expiry');
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #sweep(): void {
    this.#timer = undefined;
    const oldest = this.#clock.now() - keptMs;
    for (const event of this.#store.all(table)) {
      if (lastChangeMs(event) > oldest) continue;
      this.#store.delete(table, `${event.metadata.namespace ?? ''}/${event.metadata.name}`);
    }
    this.start();
  }
}

function lastChangeMs(event: ApiObject): number {
  const times = [
    event.metadata.creationTimestamp,
    stringAt(event, 'lastTimestamp'),
    stringAt(event, 'series', 'lastObservedTime'),
    ...(event.metadata.managedFields ?? []).map((entry) => entry.time),
  ];
  return Math.max(...times.map((time) => (time === undefined ? 0 : Date.parse(time) || 0)));
}
