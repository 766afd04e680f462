// All instance types of the region, per node class. In: Azure's list of sizes every half day; prices, quota, refusals
// and learnt amounts as they change. Out: instance types ordered by name, built once and kept.
// 1. A list is as fresh as its sources: each has a generation, and any that moved is looked at before answering.
// 2. Only types whose answer differs are built anew. If none does, callers get the very same array: whoever compiled
//    it need not do so again.
// 3. Lists are frozen: a caller cannot reorder what others are given.
// 4. An answer of Azure with no usable size is a fault of the answer: what was known stays.
import type { AKSNodeClass } from '../../api/aks-node-class.ts';
import { SingleFlight } from '../../base/async.ts';
import { CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { suitsClass } from './class-filter.ts';
import {
  type ClassParameters,
  classParameters,
  type NetworkOptions,
  parametersKey,
} from './class-parameters.ts';
import { type ClusterFacts, InstanceTypeFactory } from './instance-type-factory.ts';
import { isSameQuote, type Market, type Quote, quoteOf } from './quote.ts';
import { readSizeList } from './size-list.ts';
import type { SkuSource } from './sku-record.ts';
import type { VmSize } from './vm-size.ts';

export const sizesRefreshMs = 12 * 60 * 60 * 1000;

/** Node classes that differ in ways that matter; few clusters have a dozen. */
const mostLists = 64;

export interface CatalogOptions {
  readonly source: SkuSource;
  readonly cluster: ClusterFacts;
  readonly network: NetworkOptions;
  readonly market: Market;
  readonly log: Logger;
}

interface Built {
  readonly size: VmSize;
  readonly quote: Quote;
  readonly type: InstanceType;
}

interface List {
  readonly stamp: string;
  readonly parameters: ClassParameters;
  readonly built: ReadonlyMap<string, Built>;
  readonly types: readonly InstanceType[];
}

export class InstanceTypeCatalog {
  readonly #options: CatalogOptions;
  readonly #factory: InstanceTypeFactory;
  readonly #lists = new LruMap<string, List>(mostLists);
  readonly #refreshing = new SingleFlight<void>();
  #sizes: ReadonlyMap<string, VmSize> = new Map();
  #generation = 0;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#factory = new InstanceTypeFactory(options.cluster);
  }

  /** Asks Azure. Callers at the same time share one call. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#refreshing.run('sizes', async () => {
      const { source, cluster, log } = this.#options;
      const sizes = await readSizeList({ source, region: cluster.region, log, signal });
      const kept = new Map([...sizes].map(([name, size]) => [name, this.#unlessEqual(size)]));
      const changed =
        kept.size !== this.#sizes.size ||
        [...kept].some(([name, size]) => this.#sizes.get(name) !== size);
      if (!changed) return;
      this.#sizes = kept;
      this.#generation++;
      log.debug('discovered instance types', { instanceTypeCount: kept.size });
    });
  }

  /** Also for sizes that no class may use right now; undefined for those that no AKS node can have. */
  size(name: string): VmSize | undefined {
    return this.#sizes.get(name);
  }

  /** Types that suit the class, available or not. Throws before the first refresh has succeeded. */
  list(nodeClass: AKSNodeClass): readonly InstanceType[] {
    if (this.#sizes.size === 0) {
      throw new CodedError('NoInstanceTypes', 'no instance types found', {
        fields: { region: this.#options.cluster.region },
      });
    }
    const key = parametersKey(nodeClass, this.#options.network);
    const stamp = this.#stamp();
    const known = this.#lists.get(key);
    if (known?.stamp === stamp) return known.types;
    const parameters = known?.parameters ?? classParameters(nodeClass, this.#options.network);
    const list = this.#build(parameters, stamp, known);
    this.#lists.set(key, list);
    return list.types;
  }

  #stamp(): string {
    const { prices, quota, unavailable, learnt } = this.#options.market;
    const sources = [prices, quota, unavailable, learnt];
    return [this.#generation, ...sources.map(({ generation }) => generation)].join();
  }

  #build(parameters: ClassParameters, stamp: string, known: List | undefined): List {
    const built = new Map<string, Built>();
    for (const size of this.#sizes.values()) {
      if (!suitsClass(size, parameters)) continue;
      const quote = quoteOf(size, this.#options.market, parameters.maxPods);
      const before = known?.built.get(size.name);
      const holds = before?.size === size && isSameQuote(before.quote, quote);
      const now = holds
        ? before
        : { size, quote, type: this.#factory.create(size, parameters, quote) };
      built.set(size.name, now);
    }
    const types = [...built.values()].map(({ type }) => type);
    const same =
      known?.types.length === types.length && types.every((type, i) => type === known.types[i]);
    return { stamp, parameters, built, types: same ? known.types : Object.freeze(types) };
  }

  #unlessEqual(size: VmSize): VmSize {
    const known = this.#sizes.get(size.name);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(size) ? known : size;
  }
}
