// A label selector as a predicate, built once and asked often. In: the selector as written in an object.
// Out: a function over labels. No selector matches nothing; an empty one matches everything.
import type { LabelSelector, LabelSelectorRequirement } from '../../../api/meta.ts';
import type { Labels } from './objects.ts';

export type LabelPredicate = (labels: Labels) => boolean;

export function compileSelector(selector: LabelSelector | undefined): LabelPredicate {
  if (selector === undefined) return () => false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  const requirements = (selector.matchExpressions ?? []).map(compileRequirement);
  return (labels) =>
    pairs.every(([key, value]) => labels[key] === value) &&
    requirements.every((matches) => matches(labels));
}

/** Equality on every pair, as Services and ReplicationControllers select. */
export function matchesPairs(pairs: Labels, labels: Labels): boolean {
  for (const key in pairs) if (labels[key] !== pairs[key]) return false;
  return true;
}

export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function compileRequirement(requirement: LabelSelectorRequirement): LabelPredicate {
  const { key, operator, values = [] } = requirement;
  switch (operator) {
    case 'In':
      return (labels) => labels[key] !== undefined && values.includes(labels[key]);
    case 'NotIn':
      return (labels) => labels[key] === undefined || !values.includes(labels[key]);
    case 'Exists':
      return (labels) => labels[key] !== undefined;
    default:
      return (labels) => labels[key] === undefined;
  }
}
