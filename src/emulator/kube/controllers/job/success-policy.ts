// When an indexed Job has succeeded before all of its indexes have. In: its success policy and the indexes that are
// done. Out: which rule is satisfied, in words; undefined when none is.
import { parseIndexes } from './indexes.ts';

export interface SuccessPolicy {
  readonly rules: readonly {
    readonly succeededIndexes?: string;
    readonly succeededCount?: number;
  }[];
}

export function satisfiedRule(
  policy: SuccessPolicy | undefined,
  completions: number,
  done: ReadonlySet<number>,
): string | undefined {
  if (policy === undefined || done.size === 0) return undefined;
  const index = policy.rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return done.size >= (succeededCount ?? Infinity);
    const wanted = parseIndexes(succeededIndexes, completions);
    if (wanted.size === 0) return false;
    return wanted.intersection(done).size >= Math.min(wanted.size, succeededCount ?? Infinity);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
