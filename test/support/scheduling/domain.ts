// In which domain of a topology a site lies. In: a site and a label. Out: the one domain it is certain to be in, or
// that it has none, or that it is not decided yet.
import { hasValue, type LabelSet, onlyValue, overlap, withoutAbsence } from './label-set.ts';
import type { Site } from './site.ts';

export type Domain =
  | { readonly kind: 'one'; readonly value: string }
  /** Some possible node has no such label. */
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly sets: readonly LabelSet[] };

export function domainOf(site: Site, key: string): Domain {
  const sets = site.outcomes.map((outcome) => outcome.labelOf(key));
  if (sets.some(({ absent }) => absent)) return { kind: 'none' };
  const values = new Set(sets.map(onlyValue));
  const [value] = values;
  if (values.size === 1 && value !== undefined) return { kind: 'one', value };
  return { kind: 'open', sets };
}

/** Whether the two can end up in the same domain; a site always shares its own, if it has any. */
export function mayShareDomain(a: Site, b: Site, key: string): boolean {
  const values = (site: Site): LabelSet[] =>
    site.outcomes.map((outcome) => withoutAbsence(outcome.labelOf(key))).filter(hasValue);
  const mine = values(a);
  if (a === b) return mine.length > 0;
  const theirs = values(b);
  return mine.some((set) => theirs.some((other) => overlap(set, other)));
}
