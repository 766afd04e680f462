// How many nodes rules about hosts call for, whatever the pods weigh. In: the items that are left. Out: the number, and
// which items it is because of. Every rule needs its pods divided by what one node may have; the one that needs most
// nodes decides, and rules that need nearly as many share the blame.
import type { PackPool } from './pool.ts';

export interface HostNeed {
  readonly nodes: number;
  /** Per item: the share of a node's worth that it carries. */
  readonly share: Float64Array;
}

const nearly = 0.98;

export function hostNeed({ items }: PackPool, counts: Int32Array): HostNeed {
  const rules = new Map<number, { pods: number; limit: number }>();
  for (const [index, item] of items.entries()) {
    const count = counts[index] as number;
    if (count === 0) continue;
    for (const { rule, limit, counted } of item.rules) {
      const known = rules.get(rule) ?? { pods: 0, limit: Infinity };
      rules.set(rule, { pods: known.pods + counted * count, limit: Math.min(known.limit, limit) });
    }
  }
  const needs = [...rules].flatMap(([rule, { pods, limit }]) =>
    limit > 0 && limit < Infinity ? [{ rule, limit, nodes: pods / limit }] : [],
  );
  const nodes = needs.reduce((most, need) => Math.max(most, need.nodes), 0);
  const scarce = new Map(
    needs.filter((need) => need.nodes >= nodes * nearly).map(({ rule, limit }) => [rule, limit]),
  );
  const share = Float64Array.from(items, (item) =>
    item.rules.reduce(
      (sum, { rule, counted }) => sum + counted / (scarce.get(rule) ?? Infinity) / scarce.size,
      0,
    ),
  );
  return { nodes, share };
}
