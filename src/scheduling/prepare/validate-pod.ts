// Which pending pods are left out of a pass. In: a pod, the rules of labels, the storage behind its volumes. Out: fine,
// or everything that is wrong with it in one text, and whether its owner wants to hear of it.
// 1. All checks run: who mends one fault should not have to wait for the next pass to learn of the second.
// 2. A pod that keeps away from our nodes on purpose is no news: it gets no event.
import type { NodeSelectorTerm, Pod } from '../../api/core.ts';
import { label } from '../../api/labels.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { fullPodRequirements } from '../../model/pod-requirements.ts';
import {
  validateRequirement,
  type WrittenRequirement,
} from '../../model/requirement-validation.ts';
import { operatorOf } from '../../model/requirement.ts';
import type { StorageLookup } from '../../model/storage.ts';
import { storageFault, type UnsupportedStorage } from './validate-storage.ts';

export type PodVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** As the event says it; where the fate of the pod is told, `ignoringPod` goes before it. */
      readonly message: string;
      /** No event. */
      readonly silent: boolean;
    };

export const ignoringPod = 'ignoring pod, ';

const keepsAway = `configured to not run on a Karpenter provisioned node (requirement=${label.nodePool} DoesNotExist)`;

export function validatePod(
  pod: Pod,
  around: {
    readonly rules: LabelRules;
    readonly storage: StorageLookup;
    /** What the provider cannot attach; nothing by default. */
    readonly unsupported?: UnsupportedStorage;
  },
): PodVerdict {
  const { rules, storage, unsupported } = around;
  const silent = isKeepingAway(rules, pod);
  const storageProblem = storageFault(pod, storage, unsupported);
  const faults = [
    ...(silent ? [keepsAway] : []),
    ...selectorFaults(rules, pod),
    ...requiredTerms(pod).flatMap((term) => termFaults(rules, term)),
    ...(storageProblem === undefined ? [] : [storageProblem]),
  ];
  return faults.length === 0 ? { ok: true } : { ok: false, message: faults.join('; '), silent };
}

/** A wish counts as well. Who wants two pools at once does not keep away: the solver says what is wrong there. */
function isKeepingAway(rules: LabelRules, pod: Pod): boolean {
  const requirement = fullPodRequirements(rules, pod).get(label.nodePool);
  return requirement?.mayBeAbsent === true && operatorOf(requirement) === 'DoesNotExist';
}

function selectorFaults(rules: LabelRules, { spec }: Pod): string[] {
  return Object.entries(spec.nodeSelector ?? {}).flatMap(([key, value]) =>
    requirementFaults(rules, { key, operator: 'In', values: [value] }),
  );
}

function termFaults(rules: LabelRules, term: NodeSelectorTerm): string[] {
  const { matchExpressions = [], matchFields = [] } = term;
  return [
    ...(matchFields.length > 0 ? ['node selector term with matchFields is not supported'] : []),
    ...matchExpressions.flatMap((expression) => requirementFaults(rules, expression)),
  ];
}

function requirementFaults(rules: LabelRules, written: WrittenRequirement): readonly string[] {
  return validateRequirement(rules, written).faults;
}

/** As written: terms that no node can match are what is looked for here. */
function requiredTerms({ spec }: Pod): readonly NodeSelectorTerm[] {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms ?? [];
}
