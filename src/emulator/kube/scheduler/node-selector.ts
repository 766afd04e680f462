// Node selectors and node affinity. In: terms and a node. Out: whether it matches, and how much it is preferred.
// Terms are alternatives; what is inside a term must all hold. A term without any condition matches nothing.
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  PreferredSchedulingTerm,
} from '../../../api/core.ts';
import { matchesPairs } from './label-selector.ts';
import type { Labels } from './objects.ts';

export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels;
}

export function matchesTerms(terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

/** Whether nodeSelector and required node affinity both allow the node. */
export function matchesRequiredAffinity(spec: PodSpec, node: SelectableNode): boolean {
  if (spec.nodeSelector !== undefined && !matchesPairs(spec.nodeSelector, node.labels))
    return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesTerms(required.nodeSelectorTerms, node);
}

/** The sum of the weights of the preferences that the node meets. */
export function preferenceWeight(
  preferences: readonly PreferredSchedulingTerm[],
  node: SelectableNode,
): number {
  let sum = 0;
  for (const { weight, preference } of preferences) {
    if (weight !== 0 && matchesTerm(preference, node)) sum += weight;
  }
  return sum;
}

function matchesTerm(term: NodeSelectorTerm, node: SelectableNode): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) =>
      matchesValue(requirement, node.labels[requirement.key]),
    ) &&
    matchFields.every(
      (requirement) => requirement.key === 'metadata.name' && matchesValue(requirement, node.name),
    )
  );
}

function matchesValue(requirement: NodeSelectorRequirement, value: string | undefined): boolean {
  const { operator, values = [] } = requirement;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compareIntegers(value, values[0]) > 0;
    default:
      return compareIntegers(value, values[0]) < 0;
  }
}

/** NaN, which is neither more nor less, unless both are whole numbers. */
function compareIntegers(value: string | undefined, bound: string | undefined): number {
  const whole = /^[+-]?\d+$/;
  if (value === undefined || bound === undefined) return Number.NaN;
  if (!whole.test(value) || !whole.test(bound)) return Number.NaN;
  return Number(BigInt(value) - BigInt(bound));
}
