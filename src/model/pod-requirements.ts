// What a pod demands of a node's labels. In: a pod. Out: two sets: the strict one, which must hold, and the
// full one, which also takes its heaviest wish as a demand until that proves impossible.
// 1. Required terms are alternatives: only the first counts here, the others are reached by relaxing the pod. A pod
//    whose terms all match nothing fits no node, just as kube-scheduler says.
// 2. A term without any expression matches no node when it is required, and is no wish when it is preferred.
// 3. `matchFields` pick a node by its name, which a new one does not have yet, so such a term matches nothing here.
//    The pod of a DaemonSet has one once it runs: reckon with the affinity of its template instead.
import type { NodeSelectorTerm, Pod, PreferredSchedulingTerm } from '../api/core.ts';
import type { LabelRules } from './label-rules.ts';
import {
  mergeRequirements,
  noNode,
  noRequirements,
  type Requirements,
  requirementsFromEntries,
  requirementsFromLabels,
} from './requirements.ts';

const unmatched: NodeSelectorTerm = {};

export function strictPodRequirements(rules: LabelRules, pod: Pod): Requirements {
  const [first] = requiredTerms(pod);
  return mergeRequirements(
    requirementsFromLabels(rules, pod.spec.nodeSelector),
    first === undefined ? noRequirements : requirementsFromTerm(rules, first),
  );
}

/** The strict set itself when the pod has no wishes, so that callers can compare by identity. */
export function fullPodRequirements(
  rules: LabelRules,
  pod: Pod,
  strict: Requirements = strictPodRequirements(rules, pod),
): Requirements {
  const wish = heaviest(preferredTerms(pod));
  return wish === undefined
    ? strict
    : mergeRequirements(strict, requirementsFromTerm(rules, wish.preference));
}

export function requirementsFromTerm(rules: LabelRules, term: NodeSelectorTerm): Requirements {
  return isAboutLabels(term) ? requirementsFromEntries(rules, term.matchExpressions ?? []) : noNode;
}

/** Those that a new node can match, or a single one that none can; no term at all only if nothing is required. */
export function requiredTerms({ spec }: Pod): readonly NodeSelectorTerm[] {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return [];
  const usable = required.nodeSelectorTerms.filter(isAboutLabels);
  return usable.length > 0 ? usable : [unmatched];
}

/** Those that a new node can match. */
export function preferredTerms({ spec }: Pod): readonly PreferredSchedulingTerm[] {
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  return (preferred ?? []).filter(({ preference }) => isAboutLabels(preference));
}

/** The first of the heaviest. */
export function heaviest<T extends { readonly weight: number }>(
  terms: readonly T[],
): T | undefined {
  let found: T | undefined;
  for (const term of terms) if (found === undefined || term.weight > found.weight) found = term;
  return found;
}

function isAboutLabels({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  return matchExpressions.length > 0 && matchFields.length === 0;
}
