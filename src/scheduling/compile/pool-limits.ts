// The limits of a NodePool in columns. In: the pool, its nodes, the catalogue. Out: what is left of each limited resource,
// and what a machine of each variant would take of it. What is used may be more than the limit: the rest is negative.
import type { NodePool } from '../../api/node-pool.ts';
import { fromResourceList, resourceName } from '../../model/resources.ts';
import type { Catalog } from '../catalog.ts';
import { capacityColumns, compileColumns, type ResourceColumns } from '../resource-columns.ts';
import type { SchedulableNode } from '../schedulable-node.ts';

export interface PoolLimits {
  /** One per limited resource. */
  readonly columns: ResourceColumns;
  readonly remaining: Float64Array;
  /** By limit, then by variant. */
  readonly amounts: readonly Float64Array[];
  /** By limit: the most that any variant would take. */
  readonly largest: readonly number[];
  /** Which limit is that of the number of nodes; -1 when that is not limited. */
  readonly nodes: number;
}

export function poolLimits(
  pool: NodePool,
  nodes: readonly SchedulableNode[],
  catalog: Catalog,
): PoolLimits {
  const limits = fromResourceList(pool.spec.limits);
  const columns = compileColumns([limits]);
  const remaining = capacityColumns(columns, limits);
  for (const node of nodes) {
    if (node.pool !== pool.metadata.name || node.deleting || remaining.length === 0) continue;
    const used = capacityColumns(columns, node.capacity);
    for (let column = 0; column < remaining.length; column++) {
      remaining[column] = (remaining[column] as number) - (used[column] as number);
    }
  }
  const perType =
    remaining.length === 0
      ? []
      : catalog.types.map(({ capacity }) => capacityColumns(columns, capacity));
  const amounts = columns.names.map((name, column) =>
    Float64Array.from(catalog.typeOf, (type) =>
      name === resourceName.nodes ? 1 : (perType[type]?.[column] ?? 0),
    ),
  );
  return {
    columns,
    remaining,
    amounts,
    largest: amounts.map((list) => list.reduce((most, amount) => Math.max(most, amount), 0)),
    nodes: columns.names.indexOf(resourceName.nodes),
  };
}
