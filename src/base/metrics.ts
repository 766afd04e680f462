// Prometheus metrics, the only file that knows prom-client. In: names, labels, values. Out: the text that a
// scraper reads. A registry belongs to one operator; there is no global one, so two worlds in one process
// never mix. Series can be deleted by part of their labels, which dashboards rely on when an object goes.
import prom from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Series {
  /** Deletes every series whose labels contain all of these; tells how many. */
  deleteMatching(partial: Labels): number;
  /** Deletes all series. */
  reset(): void;
}

export interface Counter extends Series {
  add(labels?: Labels, by?: number): void;
}

export interface Gauge extends Series {
  readonly name: string;
  set(value: number, labels?: Labels): void;
  add(labels?: Labels, by?: number): void;
  delete(labels: Labels): void;
}

export interface Histogram extends Series {
  observe(value: number, labels?: Labels): void;
}

/** The native metric, as far as the wrapper needs it. */
interface NativeMetric {
  remove(labels: Labels): void;
  reset(): void;
}

/** Label sets in use, kept beside prom-client because it can only delete by a full set. */
class LabelSets implements Series {
  readonly #native: NativeMetric;
  readonly #names: readonly string[];
  readonly #sets = new Map<string, Labels>();

  constructor(native: NativeMetric, names: readonly string[]) {
    this.#native = native;
    this.#names = names;
  }

  remember(labels: Labels): void {
    if (this.#names.length === 0) return;
    const key = this.#keyOf(labels);
    if (!this.#sets.has(key)) this.#sets.set(key, labels);
  }

  delete(labels: Labels): void {
    if (this.#sets.delete(this.#keyOf(labels))) this.#native.remove(labels);
  }

  deleteMatching(partial: Labels): number {
    const wanted = Object.entries(partial);
    let deleted = 0;
    for (const labels of this.#sets.values()) {
      if (!wanted.every(([name, value]) => labels[name] === value)) continue;
      this.delete(labels);
      deleted++;
    }
    return deleted;
  }

  reset(): void {
    this.#sets.clear();
    this.#native.reset();
  }

  #keyOf(labels: Labels): string {
    let key = '';
    for (const name of this.#names) key += `${labels[name] ?? ''}\u0000`;
    return key;
  }
}

export class MetricsRegistry {
  readonly #registry = new prom.Registry();

  counter(spec: MetricSpec): Counter {
    const native = new prom.Counter(this.#options(spec));
    const sets = new LabelSets(native, spec.labels ?? []);
    return {
      add(labels = {}, by = 1) {
        sets.remember(labels);
        native.inc(labels, by);
      },
      deleteMatching: (partial) => sets.deleteMatching(partial),
      reset: () => sets.reset(),
    };
  }

  gauge(spec: MetricSpec): Gauge {
    const native = new prom.Gauge(this.#options(spec));
    const sets = new LabelSets(native, spec.labels ?? []);
    return {
      name: spec.name,
      set(value, labels = {}) {
        sets.remember(labels);
        native.set(labels, value);
      },
      add(labels = {}, by = 1) {
        sets.remember(labels);
        native.inc(labels, by);
      },
      delete: (labels) => sets.delete(labels),
      deleteMatching: (partial) => sets.deleteMatching(partial),
      reset: () => sets.reset(),
    };
  }

  histogram(spec: MetricSpec & { readonly buckets?: readonly number[] }): Histogram {
    const buckets = spec.buckets === undefined ? {} : { buckets: [...spec.buckets] };
    return this.#observing(spec, new prom.Histogram({ ...this.#options(spec), ...buckets }));
  }

  summary(spec: MetricSpec & { readonly quantiles: readonly number[] }): Histogram {
    const percentiles = [...spec.quantiles];
    return this.#observing(spec, new prom.Summary({ ...this.#options(spec), percentiles }));
  }

  /** Process and runtime metrics under the names that Prometheus clients agree on. */
  collectRuntime(): void {
    prom.collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The whole registry in the text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #observing(spec: MetricSpec, native: prom.Histogram | prom.Summary): Histogram {
    const sets = new LabelSets(native, spec.labels ?? []);
    return {
      observe(value, labels = {}) {
        sets.remember(labels);
        native.observe(labels, value);
      },
      deleteMatching: (partial) => sets.deleteMatching(partial),
      reset: () => sets.reset(),
    };
  }

  #options(spec: MetricSpec): {
    name: string;
    help: string;
    labelNames: string[];
    registers: [prom.Registry];
  } {
    return {
      name: spec.name,
      help: spec.help,
      labelNames: [...(spec.labels ?? [])],
      registers: [this.#registry],
    };
  }
}

/** `count` bounds from `start`, each `factor` times the one before. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => start * factor ** i);
}
