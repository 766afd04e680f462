// Taints and tolerations as small integers. In: lists. Out: an id per distinct list, and whether pods with one list may
// go where the other one is, worked out once per pair.
import type { Taint, Toleration } from '../../api/core.ts';
import { toleratesAll } from '../../model/taint.ts';

export class TaintTable {
  readonly #taints = new InternedLists<Taint>();
  readonly #tolerations = new InternedLists<Toleration>();
  readonly #verdicts = new Map<number, boolean>();

  taintsId(taints: readonly Taint[]): number {
    return this.#taints.idOf(taints, (taint) => [taint.key, taint.value ?? '', taint.effect]);
  }

  tolerationsId(tolerations: readonly Toleration[]): number {
    return this.#tolerations.idOf(tolerations, (toleration) => [
      toleration.key ?? '',
      toleration.operator ?? 'Equal',
      toleration.value ?? '',
      toleration.effect ?? '',
    ]);
  }

  taints(id: number): readonly Taint[] {
    return this.#taints.list(id);
  }

  tolerations(id: number): readonly Toleration[] {
    return this.#tolerations.list(id);
  }

  tolerates(tolerations: number, taints: number): boolean {
    const pair = tolerations * 2 ** 20 + taints;
    let verdict = this.#verdicts.get(pair);
    if (verdict === undefined) {
      verdict = toleratesAll(this.tolerations(tolerations), this.taints(taints));
      this.#verdicts.set(pair, verdict);
    }
    return verdict;
  }
}

/** Order and repetition do not matter to either list. */
class InternedLists<T> {
  readonly #lists: (readonly T[])[] = [];
  readonly #ids = new Map<string, number>();

  idOf(list: readonly T[], partsOf: (entry: T) => readonly string[]): number {
    const texts = list.map((entry) => JSON.stringify(partsOf(entry)));
    const text = [...new Set(texts)].toSorted().join(',');
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#lists.length);
    return this.#lists.push(list) - 1;
  }

  list(id: number): readonly T[] {
    return this.#lists[id] ?? [];
  }
}
