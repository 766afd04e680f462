// Whether a list of instance types is as varied as asked. In: types in the order in which they would be kept, and
// requirements with minValues. Out: how many of the first are enough, or which keys never get there.
// Counted are the distinct values that the types themselves list for the key. An empty list is not judged: it
// failed for another reason.
import type { InstanceType } from './instance-type.ts';
import type { Requirements } from './requirements.ts';

export interface MinValuesVerdict {
  /** How many types, from the start of the list, satisfy every key; all of them if some key is unmet. */
  readonly needed: number;
  /** Key → number of values found, for each key with too few. */
  readonly unmet: ReadonlyMap<string, number>;
}

export function checkMinValues(
  instanceTypes: readonly InstanceType[],
  requirements: Requirements,
): MinValuesVerdict {
  const open = new Map<string, { readonly wanted: number; readonly found: Set<string> }>();
  for (const { key, minValues } of requirements.values()) {
    if (minValues !== undefined) open.set(key, { wanted: minValues, found: new Set() });
  }
  if (open.size === 0 || instanceTypes.length === 0) return { needed: 0, unmet: new Map() };
  for (const [i, type] of instanceTypes.entries()) {
    for (const [key, { wanted, found }] of open) {
      collect(found, type, key);
      if (found.size >= wanted) open.delete(key);
    }
    if (open.size === 0) return { needed: i + 1, unmet: new Map() };
  }
  const unmet = [...open.keys()].toSorted();
  return {
    needed: instanceTypes.length,
    unmet: new Map(unmet.map((key) => [key, open.get(key)?.found.size ?? 0])),
  };
}

export function describeUnmetMinValues(unmet: ReadonlyMap<string, number>): string {
  return `minValues requirement is not met for label(s) (label(s)=[${[...unmet.keys()].join(' ')}])`;
}

function collect(found: Set<string>, type: InstanceType, key: string): void {
  const requirement = type.requirements.get(key);
  if (requirement === undefined || requirement.complement) return;
  for (const value of requirement.values) found.add(value);
}
