// The values of one topology key as small integers. In: every value that a node has or could be made with. Out: their
// indexes, by name, and the set of those that a requirement allows. Host names are not kept here.
import { BitSet } from '../../base/bitset.ts';
import { allows, type Requirement } from '../../model/requirement.ts';

export class DomainTable {
  readonly key: string;
  readonly names: readonly string[];
  readonly all: BitSet;
  readonly #indexes: ReadonlyMap<string, number>;
  /** Requirements are shared by the sets that contain them. */
  readonly #allowed = new WeakMap<Requirement, BitSet>();

  constructor(key: string, values: Iterable<string>) {
    this.key = key;
    this.names = [...new Set(values)].toSorted();
    this.all = BitSet.full(this.names.length);
    this.#indexes = new Map(this.names.map((name, index) => [name, index]));
  }

  /** -1 for a value that no node has. */
  indexOf(value: string | undefined): number {
    return value === undefined ? -1 : (this.#indexes.get(value) ?? -1);
  }

  nameOf(index: number): string {
    return this.names[index] ?? '';
  }

  /** Domains that the requirement allows; all of them when there is none. */
  allowed(requirement: Requirement | undefined): BitSet {
    if (requirement === undefined) return this.all;
    let set = this.#allowed.get(requirement);
    if (set === undefined) {
      set = new BitSet(this.names.length);
      for (const [index, name] of this.names.entries())
        if (allows(requirement, name)) set.add(index);
      this.#allowed.set(requirement, set);
    }
    return set;
  }
}
