// Which objects a selector selects. In: a LabelSelector and labels. Out: yes or no, and a text under which two
// selectors that mean the same are the same.
// An absent selector selects nothing; an empty one selects everything; an invalid one selects nothing.
import type { LabelSelector, LabelSelectorRequirement } from '../api/meta.ts';

type Labels = Readonly<Record<string, string>>;

export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => matches(expression, own(labels, expression.key)))
  );
}

/** Equal for selectors that differ only in order, in repetition, or in which of the two lists states a value. */
export function selectorIdentity(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nothing';
  const parts = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => [key, 'In', value]),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => [
      key,
      operator,
      ...new Set(values.toSorted()),
    ]),
  ];
  return [...new Set(parts.map((part) => JSON.stringify(part)))].toSorted().join(',');
}

/** A label named `toString` is not there just because every object has one. */
function own(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function matches(
  { operator, values = [] }: LabelSelectorRequirement,
  actual: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      // Without values the API server calls it invalid.
      return values.length > 0 && (actual === undefined || !values.includes(actual));
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    default:
      return false;
  }
}
