// The VM sizes that this Azure sells. In: facts. Out: a size by name and where it can be had. Names are compared
// without case, as Azure compares them.
import type { SizeFacts, SizePlacement } from '../facts.ts';

export class SizeCatalog {
  readonly all: readonly SizeFacts[];
  readonly #byName: ReadonlyMap<string, SizeFacts>;

  constructor(sizes: readonly SizeFacts[]) {
    this.all = sizes;
    this.#byName = new Map(sizes.map((size) => [size.name.toLowerCase(), size]));
  }

  /** Only if the region sells it at all. */
  find(name: string, region: string): SizeFacts | undefined {
    const size = this.#byName.get(name.toLowerCase());
    return size?.placements[region] === undefined ? undefined : size;
  }

  offeredIn(region: string): SizeFacts[] {
    return this.all.filter((size) => size.placements[region] !== undefined);
  }
}

/** True when the subscription may not have the size there, by restriction or because the zone has none. */
export function isRestricted(placement: SizePlacement, zone: string | undefined): boolean {
  if (placement.restricted === true) return true;
  if (zone === undefined) return false;
  return !placement.zones.includes(zone) || (placement.restricted?.includes(zone) ?? false);
}
