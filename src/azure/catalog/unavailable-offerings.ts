// What Azure refused to sell lately. In: refusals with a lifetime. Out: whether an offering is worth trying, and a
// generation that rises whenever an answer changed.
// 1. A size that was refused takes the larger sizes of its quota family with it: what has no room for 8 vCPUs has none
//    for 16. Smaller ones, other zones and the other capacity type stay open.
// 2. Each bound lives as long as its own refusal: a long one for a large size never prolongs a short one for a small size.
// 3. Refusing again what is refused already only prolongs it, and the generation stays.
// Nothing here sets timers: what has run out is dropped when somebody asks.
import type { Clock } from '../../base/clock.ts';
import type { CapacityType } from './quote.ts';

/** The part of a size that refusals are about. */
export interface RefusedSize {
  readonly name: string;
  /** Without one the refusal is about this size alone. */
  readonly family: string | undefined;
  readonly vcpus: number;
}

export const defaultRefusalMs = 3 * 60 * 1000;

/** Owner of every size of the region. */
const everybody = '*';

export class UnavailableOfferings {
  readonly #clock: Clock;
  /** Place → owner → bounds: most places are open, which is seen without looking at owners. */
  readonly #refusals = new Map<string, Map<string, VcpuBounds>>();
  #earliestExpiryMs = Infinity;
  #generation = 0;

  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock;
  }

  get generation(): number {
    this.#sweep();
    return this.#generation;
  }

  isUnavailable(size: RefusedSize, zone: string, capacityType: CapacityType): boolean {
    if (this.#refusals.size === 0) return false;
    const nowMs = this.#clock.monotonic();
    const inPlace = this.#refusals.get(placeOf(zone, capacityType));
    if (inPlace?.get(ownerOf(size))?.cover(size.vcpus, nowMs) === true) return true;
    const everywhere = this.#refusals.get(capacityType)?.get(everybody);
    return everywhere?.cover(size.vcpus, nowMs) === true;
  }

  /** This size and the larger ones of its family. */
  refuse(refusal: {
    readonly size: RefusedSize;
    readonly zone: string;
    readonly capacityType: CapacityType;
    readonly ttlMs?: number;
  }): void {
    const { size, zone, capacityType, ttlMs } = refusal;
    const bounds = this.#boundsOf(placeOf(zone, capacityType), ownerOf(size));
    this.#add(bounds, size.vcpus, ttlMs);
  }

  /** Every size of the region with so many vCPUs or more. */
  refuseRegion(refusal: {
    readonly capacityType: CapacityType;
    readonly fromVcpus: number;
    readonly ttlMs?: number;
  }): void {
    const { capacityType, fromVcpus, ttlMs } = refusal;
    this.#add(this.#boundsOf(capacityType, everybody), fromVcpus, ttlMs);
  }

  #boundsOf(place: string, owner: string): VcpuBounds {
    const owners = this.#refusals.get(place) ?? new Map<string, VcpuBounds>();
    const bounds = owners.get(owner) ?? new VcpuBounds();
    this.#refusals.set(place, owners.set(owner, bounds));
    return bounds;
  }

  #add(bounds: VcpuBounds, fromVcpus: number, ttlMs = defaultRefusalMs): void {
    this.#sweep();
    const nowMs = this.#clock.monotonic();
    if (!bounds.cover(fromVcpus, nowMs)) this.#generation++;
    bounds.add(fromVcpus, nowMs + ttlMs);
    this.#earliestExpiryMs = Math.min(this.#earliestExpiryMs, nowMs + ttlMs);
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs < this.#earliestExpiryMs) return;
    const all = [...this.#refusals.values()].flatMap((owners) => [...owners.values()]);
    if (all.map((bounds) => bounds.sweep(nowMs)).includes(true)) this.#generation++;
    this.#earliestExpiryMs = Math.min(...all.map((bounds) => bounds.earliestExpiryMs));
    if (this.#earliestExpiryMs === Infinity) this.#refusals.clear();
  }
}

/** From how many vCPUs on sizes are refused, each number until a time of its own. */
class VcpuBounds {
  readonly #expiriesMs = new Map<number, number>();

  get earliestExpiryMs(): number {
    return Math.min(...this.#expiriesMs.values());
  }

  cover(vcpus: number, nowMs: number): boolean {
    for (const [fromVcpus, expiryMs] of this.#expiriesMs) {
      if (vcpus >= fromVcpus && expiryMs > nowMs) return true;
    }
    return false;
  }

  add(fromVcpus: number, expiryMs: number): void {
    this.#expiriesMs.set(fromVcpus, Math.max(expiryMs, this.#expiriesMs.get(fromVcpus) ?? 0));
  }

  /** True when sizes are open now that were refused. */
  sweep(nowMs: number): boolean {
    const over = [...this.#expiriesMs].filter(([, expiryMs]) => expiryMs <= nowMs);
    for (const [fromVcpus] of over) this.#expiriesMs.delete(fromVcpus);
    return over.some(([fromVcpus]) => !this.cover(fromVcpus, nowMs));
  }
}

function placeOf(zone: string, capacityType: CapacityType): string {
  return `${zone} ${capacityType}`;
}

function ownerOf({ family, name }: RefusedSize): string {
  return family === undefined ? `size ${name}` : family.toLowerCase();
}
