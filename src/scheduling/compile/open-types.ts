// What claims of a template in a state may become. In: template and state. Out: variants, cheapest first, as lists that
// inner loops walk; made once per pair.
import type { Catalog } from '../catalog.ts';
import type { StateId } from '../requirement-states.ts';
import type { Template } from './template.ts';

export class OpenTypeLists {
  readonly #catalog: Catalog;
  readonly #lists = new Map<number, Int32Array>();
  readonly #bargains = new Map<number, Int32Array>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  of(template: Template, state: StateId): Int32Array {
    const key = keyOf(template, state);
    let list = this.#lists.get(key);
    if (list === undefined) {
      const { byPrice } = this.#catalog.open(state);
      const own = byPrice.filter((variant) => template.members.has(variant));
      list = own.length === byPrice.length ? byPrice : own;
      this.#lists.set(key, list);
    }
    return list;
  }

  /** Those that no other beats: for each of the rest there is one that is no dearer and has no less of anything. */
  bargains(template: Template, state: StateId): Int32Array {
    const key = keyOf(template, state);
    let list = this.#bargains.get(key);
    if (list === undefined) {
      const kept: number[] = [];
      const columns = this.#catalog.columns.names.length;
      for (const variant of this.of(template, state)) {
        const isBeaten = kept.some((better) => hasNoLess(template.room, columns, better, variant));
        if (!isBeaten) kept.push(variant);
      }
      list = Int32Array.from(kept);
      this.#bargains.set(key, list);
    }
    return list;
  }
}

function keyOf({ index }: Template, state: StateId): number {
  return index * 2 ** 26 + state;
}

function hasNoLess(room: Float64Array, columns: number, a: number, b: number): boolean {
  for (let column = 0; column < columns; column++) {
    if ((room[a * columns + column] as number) < (room[b * columns + column] as number))
      return false;
  }
  return true;
}
