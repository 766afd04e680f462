// What NodePools may still add under their limits, while a solve goes on. In: what is used before, claims as they are
// opened. Out: which types a new claim may be. A claim is charged the largest amount of any type it may become, since
// nobody knows yet which it will be, and is not refunded within the solve: a limit is never passed.
import type { BitSet } from '../../base/bitset.ts';
import { resourceName } from '../../model/resources.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { capacityColumns, compileColumns } from '../resource-columns.ts';

/** One limited resource of one template. */
interface Limit {
  readonly isNodes: boolean;
  /** Per variant. */
  readonly amounts: Float64Array;
  remaining: number;
}

export class LimitLedger {
  readonly #limits: (readonly Limit[])[] = [];

  constructor(compiled: CompiledProblem, removed: ReadonlySet<number>) {
    for (const template of compiled.templates) {
      this.#limits[template.index] = limitsOf(compiled, template, removed);
    }
  }

  isLimited({ index }: Template): boolean {
    return (this.#limits[index] ?? []).length > 0;
  }

  /** Not one node more, whatever its size. */
  isExhausted({ index }: Template): boolean {
    return (this.#limits[index] ?? []).some(({ isNodes, remaining }) => isNodes && remaining < 1);
  }

  /** Types that the limits still leave; undefined when that is all of them. */
  allowed(template: Template): BitSet | undefined {
    const limits = this.#limits[template.index] ?? [];
    let allowed: BitSet | undefined;
    for (const { amounts, remaining } of limits) {
      for (const variant of template.memberList) {
        if ((amounts[variant] as number) <= remaining) continue;
        allowed ??= template.members.clone();
        allowed.delete(variant);
      }
    }
    return allowed;
  }

  /** Takes a new claim off, at the size of the largest of the types it may become. */
  charge({ index }: Template, variants: readonly number[]): void {
    for (const limit of this.#limits[index] ?? []) {
      let largest = 0;
      for (const variant of variants) largest = Math.max(largest, limit.amounts[variant] as number);
      limit.remaining -= largest;
    }
  }
}

function limitsOf(
  { catalog, nodes }: CompiledProblem,
  { name: pool, remaining }: Template,
  removed: ReadonlySet<number>,
): Limit[] {
  const columns = compileColumns([remaining]);
  const left = capacityColumns(columns, remaining);
  for (const node of removed) {
    const { pool: owner, deleting, capacity } = nodes.nodes[node] ?? {};
    if (owner !== pool || deleting === true || capacity === undefined) continue;
    const given = capacityColumns(columns, capacity);
    for (let column = 0; column < left.length; column++) {
      left[column] = (left[column] as number) + (given[column] as number);
    }
  }
  return columns.names.map((name, column) => {
    const isNodes = name === resourceName.nodes;
    const perType = catalog.types.map(({ capacity }) =>
      isNodes ? 1 : (capacityColumns(columns, capacity)[column] as number),
    );
    const amounts = Float64Array.from(catalog.typeOf, (type) => perType[type] as number);
    return { isNodes, amounts, remaining: left[column] as number };
  });
}
