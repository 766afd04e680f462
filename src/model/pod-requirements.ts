// What a pod demands of a node's labels. In: a pod. Out: two sets: the strict one, which must hold, and the
// full one, which also takes its heaviest wish as a demand until that proves impossible.
// Required terms are alternatives: only the first counts here, the others are reached by relaxing the pod.
// `matchFields` are no labels and are refused when pods are validated.
import type { NodeSelectorTerm, Pod, PreferredSchedulingTerm } from '../api/core.ts';
import type { LabelRules } from './label-rules.ts';
import {
  mergeRequirements,
  type Requirements,
  requirementsFromEntries,
  requirementsFromLabels,
} from './requirements.ts';

export function strictPodRequirements(rules: LabelRules, pod: Pod): Requirements {
  const required = requiredTerms(pod)[0];
  return mergeRequirements(
    requirementsFromLabels(rules, pod.spec.nodeSelector),
    requirementsFromTerm(rules, required),
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

export function requirementsFromTerm(
  rules: LabelRules,
  term: NodeSelectorTerm | undefined,
): Requirements {
  return requirementsFromEntries(rules, term?.matchExpressions ?? []);
}

export function requiredTerms(pod: Pod): readonly NodeSelectorTerm[] {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms ?? [];
}

export function preferredTerms(pod: Pod): readonly PreferredSchedulingTerm[] {
  return pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** The first of the heaviest. */
export function heaviest<T extends { readonly weight: number }>(
  terms: readonly T[],
): T | undefined {
  let found: T | undefined;
  for (const term of terms) if (found === undefined || term.weight > found.weight) found = term;
  return found;
}
