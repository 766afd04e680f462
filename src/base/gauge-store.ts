// Gauges that follow objects. In: a key (an object) and the full set of series it has now. Out: the gauges
// show exactly that. A series missing from the new set is removed; an equal one is overwritten in place, so a
// scrape between the two never sees it gone.
import type { Gauge, Labels } from './metrics.ts';

export interface GaugeValue {
  readonly gauge: Gauge;
  readonly labels: Labels;
  readonly value: number;
}

export class GaugeStore {
  readonly #byKey = new Map<string, readonly GaugeValue[]>();

  update(key: string, values: readonly GaugeValue[]): void {
    const kept = new Set(values.map(seriesOf));
    for (const old of this.#byKey.get(key) ?? []) {
      if (!kept.has(seriesOf(old))) old.gauge.delete(old.labels);
    }
    for (const { gauge, labels, value } of values) gauge.set(value, labels);
    this.#byKey.set(key, values);
  }

  delete(key: string): void {
    this.update(key, []);
    this.#byKey.delete(key);
  }

  /** Drops every key that is not named: what a full resync found gone. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#byKey.keys()) if (!keys.has(key)) this.delete(key);
  }
}

function seriesOf({ gauge, labels }: GaugeValue): string {
  const pairs = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([gauge.name, pairs]);
}
