// What sizes cost in the region of the cluster. In: the bundled prices, then the price list as often as it is
// fetched. Out: a price for every size, and a generation that rises whenever one changed.
// 1. On-demand and spot prices are replaced separately, each only by a list that is not empty; a fetch that fails
//    changes nothing.
// 2. As long as no spot price was ever read, spot counts as much as on demand: spot then wins by being spot, and
//    nothing is moved for a discount that nobody has seen.
// 3. A size without a price is never free: it is dearer than anything that has one.
// 4. Only the public cloud has a price list. Elsewhere the bundled prices of another region give the order.
import { fallbackPrices } from './price-fallback.ts';
import { fetchVmPrices, type RetailPriceSource } from './retail-prices.ts';

export const priceRefreshMs = 12 * 60 * 60 * 1000;

/** Per hour. */
export const unknownPrice = 999;

const publicArmEndpoint = 'https://management.azure.com';

type Prices = ReadonlyMap<string, number>;

export class PriceBook {
  readonly #region: string;
  readonly #source: RetailPriceSource | undefined;
  #onDemand: Prices;
  #spot: Prices | undefined;
  #generation = 0;

  /** Without a source the bundled prices stay. */
  constructor(options: {
    readonly region: string;
    readonly source?: RetailPriceSource | undefined;
  }) {
    this.#region = options.region;
    this.#source = options.source;
    this.#onDemand = fallbackPrices(options.region);
  }

  get generation(): number {
    return this.#generation;
  }

  onDemand(sizeName: string): number {
    return this.#onDemand.get(sizeName) ?? unknownPrice;
  }

  spot(sizeName: string): number {
    return (this.#spot ?? this.#onDemand).get(sizeName) ?? unknownPrice;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#source === undefined) return;
    const { onDemand, spot } = await fetchVmPrices(this.#source, this.#region, signal);
    let changed = false;
    if (onDemand.size > 0 && !isEqual(onDemand, this.#onDemand)) {
      this.#onDemand = onDemand;
      changed = true;
    }
    if (spot.size > 0 && !isEqual(spot, this.#spot)) {
      this.#spot = spot;
      changed = true;
    }
    if (changed) this.#generation++;
  }
}

export function hasPriceList(armEndpoint: string): boolean {
  return armEndpoint.toLowerCase().replace(/\/$/, '') === publicArmEndpoint;
}

function isEqual(a: Prices, b: Prices | undefined): boolean {
  if (a.size !== b?.size) return false;
  for (const [name, price] of a) if (b.get(name) !== price) return false;
  return true;
}
