// What NodePools may still add under their limits, while a solve goes on. In: what is used before, claims as they are
// opened. Out: which types a new claim may be. A claim is charged the largest amount of any type it may become, since
// nobody knows yet which it will be, and is not refunded within the solve: a limit is never passed.
import type { BitSet } from '../../base/bitset.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { capacityColumns } from '../resource-columns.ts';

export class LimitLedger {
  /** By template, then in the order of its limits. */
  readonly #remaining: Float64Array[] = [];

  constructor({ templates, nodes }: CompiledProblem, removed: ReadonlySet<number>) {
    for (const { index, limits } of templates) this.#remaining[index] = limits.remaining.slice();
    for (const node of removed) {
      const { pool, deleting = true, capacity } = nodes.nodes[node] ?? {};
      const template = deleting ? undefined : templates.find(({ name }) => name === pool);
      if (template === undefined || capacity === undefined) continue;
      const freed = capacityColumns(template.limits.columns, capacity);
      this.#add(template, freed, 1);
    }
  }

  /** What is left, in the order of the template's limits. */
  remaining({ index }: Template): Float64Array {
    return this.#remaining[index]?.slice() ?? new Float64Array(0);
  }

  isLimited({ limits }: Template): boolean {
    return limits.remaining.length > 0;
  }

  /** Not one node more, whatever its size. */
  isExhausted({ index, limits }: Template): boolean {
    return limits.nodes !== -1 && (this.#remaining[index]?.[limits.nodes] ?? 0) < 1;
  }

  /** Types that the limits still leave; undefined when that is all of them. */
  allowed({ index, limits, members, memberList }: Template): BitSet | undefined {
    let allowed: BitSet | undefined;
    for (const [limit, amounts] of limits.amounts.entries()) {
      const remaining = this.#remaining[index]?.[limit] ?? 0;
      if (remaining >= (limits.largest[limit] as number)) continue;
      for (const variant of memberList) {
        if ((amounts[variant] as number) <= remaining) continue;
        allowed ??= members.clone();
        allowed.delete(variant);
      }
    }
    return allowed;
  }

  /** Takes a new claim off, at the size of the largest of the types it may become. */
  charge(template: Template, variants: readonly number[]): void {
    const largest = template.limits.amounts.map((amounts) => {
      let most = 0;
      for (const variant of variants) most = Math.max(most, amounts[variant] as number);
      return most;
    });
    this.#add(template, largest, -1);
  }

  #add({ index }: Template, amounts: ArrayLike<number>, sign: 1 | -1): void {
    const remaining = this.#remaining[index];
    if (remaining === undefined) return;
    for (let limit = 0; limit < remaining.length; limit++) {
      remaining[limit] = (remaining[limit] as number) + sign * (amounts[limit] as number);
    }
  }
}
