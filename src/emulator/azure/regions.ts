// The regions that this Azure has. In: a location as somebody wrote it. Out: the region, or that there is none.
// `East US` and `eastus` are one place, as they are for Azure.
import type { RegionFacts } from './facts.ts';

export class Regions {
  readonly all: readonly RegionFacts[];
  readonly #byName: ReadonlyMap<string, RegionFacts>;

  constructor(regions: readonly RegionFacts[]) {
    this.all = regions;
    this.#byName = new Map(regions.map((region) => [normalLocation(region.name), region]));
  }

  find(location: string): RegionFacts | undefined {
    return this.#byName.get(normalLocation(location));
  }

  get names(): string[] {
    return this.all.map((region) => region.name);
  }
}

export function normalLocation(location: string): string {
  return location.replaceAll(/\s/g, '').toLowerCase();
}
