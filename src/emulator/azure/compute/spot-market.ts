// Spot machines: what they cost at the moment, and who has to go. In: on-demand prices, time and chance. Out: prices
// that wander, and evictions: of whoever bids less than the price, at a given rate, or by request.
// Without spot machines no timer runs.
import type { Timer } from '../../../base/clock.ts';
import type { Random } from '../../../base/random.ts';
import type { Resource } from '../store.ts';
import type { Compute } from './compute.ts';
import type { SpotOptions } from './spot-options.ts';
import { machineFrom, powerStateOf, virtualMachineType } from './vm/machine.ts';
import { readVm } from './vm/request.ts';

const defaults = { discount: 0.2, volatility: 0.1, evictedPercentPerHour: 0 };
const hourMs = 3_600_000;

export class SpotMarket {
  readonly #compute: Compute;
  readonly #options: SpotOptions;
  readonly #random: Random;
  /** Share of the on-demand price, by size and region. */
  readonly #shares = new Map<string, number>();
  #timer: Timer | undefined;

  constructor(compute: Compute, options: SpotOptions) {
    this.#compute = compute;
    this.#options = options;
    this.#random = compute.env.random.fork();
    compute.events.onChanged(({ kind, vm }) => {
      if (kind === 'running' && vm.priority === 'Spot') this.#arm();
    });
  }

  /** US dollars an hour; undefined where the on-demand price is not known. */
  price(size: string, region: string): number | undefined {
    const full = this.#compute.catalog.find(size, region)?.pricePerHour?.[region];
    return full === undefined ? undefined : full * this.#share(size, region);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #share(size: string, region: string): number {
    const start = this.#options.discount ?? defaults.discount;
    return this.#shares.get(`${size.toLowerCase()} ${region}`) ?? start;
  }

  #arm(): void {
    const { intervalMs } = this.#options;
    if (intervalMs === undefined || this.#timer !== undefined) return;
    const tick = (): void => {
      this.#timer = undefined;
      this.#move(intervalMs);
      if (this.#running().length > 0) this.#arm();
    };
    this.#timer = this.#compute.env.clock.setTimer(intervalMs, tick, 'azure spot market');
  }

  #running(): Resource[] {
    return this.#compute.env.store
      .list(virtualMachineType)
      .filter((vm) => powerStateOf(vm) === 'running' && readVm(vm.body).priority === 'Spot');
  }

  #move(intervalMs: number): void {
    const { volatility = defaults.volatility } = this.#options;
    const percent = this.#options.evictedPercentPerHour ?? defaults.evictedPercentPerHour;
    const chance = (percent / 100) * (intervalMs / hourMs);
    const moved = new Set<string>();
    for (const vm of this.#running()) {
      const { size, location } = machineFrom(this.#compute.env, vm);
      const key = `${size.toLowerCase()} ${location}`;
      if (!moved.has(key)) {
        moved.add(key);
        const step = 1 + volatility * (2 * this.#random.next() - 1);
        this.#shares.set(key, Math.min(1, Math.max(0.05, this.#share(size, location) * step)));
      }
      const isUnlucky = chance > 0 && this.#random.next() < chance;
      if (isUnlucky || this.#isOutbid(vm, size, location)) this.#compute.evictions.begin(vm.id);
    }
  }

  #isOutbid(vm: Resource, size: string, region: string): boolean {
    const { maxPrice = -1 } = readVm(vm.body);
    const price = this.price(size, region);
    return maxPrice !== -1 && price !== undefined && price > maxPrice;
  }
}
