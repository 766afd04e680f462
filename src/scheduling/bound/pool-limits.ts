// What the limits of a pool leave, as numbers. In: a template. Out: per limited resource what is left and what each variant
// takes of it. A claim is charged the largest type it may become, so what it is launched as takes no more.
import { resourceName } from '../../model/resources.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { capacityColumns, compileColumns } from '../resource-columns.ts';

export interface PoolLimit {
  /** Per variant. */
  readonly amounts: Float64Array;
  readonly remaining: number;
}

const known = new WeakMap<Template, PoolLimit[]>();

export function poolLimits({ catalog }: CompiledProblem, template: Template): readonly PoolLimit[] {
  let limits = known.get(template);
  if (limits === undefined) {
    const columns = compileColumns([template.remaining]);
    const left = capacityColumns(columns, template.remaining);
    const capacities = catalog.types.map(({ capacity }) => capacityColumns(columns, capacity));
    limits = columns.names.map((name, column) => ({
      amounts: Float64Array.from(catalog.typeOf, (type) =>
        name === resourceName.nodes ? 1 : (capacities[type]?.[column] ?? 0),
      ),
      remaining: left[column] as number,
    }));
    known.set(template, limits);
  }
  return limits;
}
