// Capacity bought in advance, handed out while a solve goes on. In: how many machines each reservation still covers, claims as
// they narrow. Out: which reservations a claim holds. A claim holds every one that it could be launched with, since nobody
// knows which that will be, so that no reservation is promised twice.
// 1. A claim that could use a reservation never goes without one because all are taken: its pods wait instead (Strict).
// 2. A claim that holds reservations keeps at least one: pods that would rule out all of them go elsewhere (Strict).
// 3. With Fallback neither holds: a claim takes what it can get.
import type { Catalog } from '../catalog.ts';
import type { StateId } from '../requirement-states.ts';

export class Reservations {
  readonly #catalog: Catalog;
  readonly #isStrict: boolean;
  readonly #left: Map<string, number>;
  readonly #held = new Map<number, ReadonlySet<string>>();

  constructor(catalog: Catalog, isStrict: boolean) {
    this.#catalog = catalog;
    this.#isStrict = isStrict;
    this.#left = new Map(catalog.reservations);
  }

  /** What a claim holds. */
  heldBy(bin: number): ReadonlySet<string> {
    return this.#held.get(bin) ?? new Set();
  }

  /** Takes and gives back so that a claim of these types in this state holds what it should; false: it may not be so. */
  claim(bin: number, variants: readonly number[], state: StateId): boolean {
    const held = this.heldBy(bin);
    const suitable = this.#catalog.reservedIn(variants, state);
    const granted = new Set(
      [...suitable].filter((id) => held.has(id) || (this.#left.get(id) ?? 0) > 0),
    );
    const isShort = granted.size === 0 && (suitable.size > 0 || held.size > 0);
    if (this.#isStrict && isShort) return false;
    for (const id of granted.difference(held)) this.#change(id, -1);
    for (const id of held.difference(granted)) this.#change(id, 1);
    this.#held.set(bin, granted);
    return true;
  }

  #change(id: string, machines: 1 | -1): void {
    this.#left.set(id, (this.#left.get(id) ?? 0) + machines);
  }
}
