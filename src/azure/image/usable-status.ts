// What may be used of a node class's status. In: the class. Out: its version or its images, or why they cannot be used.
// A condition counts only if it was judged at the present generation: a status that speaks of an older spec would
// launch nodes that drift at once.
import {
  type AKSNodeClass,
  aksNodeClassCondition,
  type NodeImage,
} from '../../api/aks-node-class.ts';
import { findCondition } from '../../model/conditions.ts';

export type Usable<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

export function usableKubernetesVersion(nodeClass: AKSNodeClass): Usable<string> {
  const fault = faultOf(nodeClass, aksNodeClassCondition.kubernetesVersionReady);
  if (fault !== undefined) return fault;
  const version = nodeClass.status?.kubernetesVersion ?? '';
  if (version === '') return unusable(nodeClass, 'has no Kubernetes version');
  return { ok: true, value: version };
}

/** The list may be empty; what that means is for the caller to say. */
export function usableImages(nodeClass: AKSNodeClass): Usable<readonly NodeImage[]> {
  const fault = faultOf(nodeClass, aksNodeClassCondition.imagesReady);
  return fault ?? { ok: true, value: nodeClass.status?.images ?? [] };
}

function faultOf(nodeClass: AKSNodeClass, type: string) {
  const condition = findCondition(nodeClass.status?.conditions, type);
  if (condition?.status !== 'True') {
    const state = condition === undefined ? 'absent' : condition.status;
    return unusable(nodeClass, `has condition ${type} ${state}`);
  }
  const { generation = 0 } = nodeClass.metadata;
  const { observedGeneration = 0 } = condition;
  if (observedGeneration === generation) return undefined;
  return unusable(
    nodeClass,
    `has condition ${type} of generation ${observedGeneration}, but is at generation ${generation}`,
  );
}

function unusable(nodeClass: AKSNodeClass, fault: string) {
  return { ok: false, reason: `AKSNodeClass ${nodeClass.metadata.name} ${fault}` } as const;
}
