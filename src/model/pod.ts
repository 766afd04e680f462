// What kind of pod this is: running or done, ours to move or not. In: a pod and, where time matters, a moment.
// Out: yes or no. Nothing here looks at anything but the pod itself.
import type { Pod } from '../api/core.ts';
import { isDoNotDisruptActive } from './do-not-disrupt.ts';
import { disruptedTaint, toleratesAll } from './taint.ts';

/** A pod's deletion time already includes its grace period; this is patience on top of it. */
const stuckAfterMs = 60_000;

export function podKey(pod: Pod): string {
  return `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
}

export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Neither done nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

/** Should have been gone a minute ago; its node will not answer any more. */
export function isStuckTerminating(pod: Pod, nowMs: number): boolean {
  const { deletionTimestamp } = pod.metadata;
  return deletionTimestamp !== undefined && nowMs - Date.parse(deletionTimestamp) > stuckAfterMs;
}

export function isOwnedByDaemonSet(pod: Pod): boolean {
  return isOwnedBy(pod, 'apps/v1', 'DaemonSet');
}

/** A static pod: the kubelet runs it from a file, the API server cannot remove it. */
export function isMirror(pod: Pod): boolean {
  return isOwnedBy(pod, 'v1', 'Node');
}

/** Stays on a node that is being emptied. */
export function toleratesDisruption(pod: Pod): boolean {
  return toleratesAll(pod.spec.tolerations ?? [], [disruptedTaint]);
}

/** The scheduler has seen it and found no room; nobody else is making any. */
export function isProvisionable(pod: Pod): boolean {
  return (
    isUnschedulable(pod) &&
    (pod.spec.nodeName ?? '') === '' &&
    (pod.status?.nominatedNodeName ?? '') === '' &&
    !isOwnedByDaemonSet(pod) &&
    !isMirror(pod)
  );
}

/** Will be removed from its node by a drain, sooner or later. */
export function isDrainable(pod: Pod, nowMs: number): boolean {
  return !toleratesDisruption(pod) && !isStuckTerminating(pod, nowMs) && !isMirror(pod);
}

/** A drain waits for it. Pods that refuse disruption count: the drain stalls until they are gone. */
export function isWaitingForEviction(pod: Pod, nowMs: number): boolean {
  return !isTerminal(pod) && isDrainable(pod, nowMs);
}

/** The eviction API may be called for it now. */
export function isEvictable(pod: Pod, nowMs: number): boolean {
  return (
    isActive(pod) &&
    !toleratesDisruption(pod) &&
    !isMirror(pod) &&
    !isDoNotDisruptActive(pod, nowMs)
  );
}

/**
 * Needs a place elsewhere when its node goes. A StatefulSet makes the successor only after the pod is gone, so
 * one on its way out already stands for its successor.
 */
export function isReschedulable(pod: Pod): boolean {
  const needsPlace =
    isActive(pod) || (isTerminating(pod) && isOwnedBy(pod, 'apps/v1', 'StatefulSet'));
  return needsPlace && !isOwnedByDaemonSet(pod) && !isMirror(pod);
}

export function isDisruptable(pod: Pod, nowMs: number): boolean {
  return !isActive(pod) || !isDoNotDisruptActive(pod, nowMs);
}

/** Asks for devices through resource claims, for the pod or for one of its containers. */
export function hasResourceClaims({ spec }: Pod): boolean {
  return (
    (spec.resourceClaims ?? []).length > 0 ||
    [...spec.containers, ...(spec.initContainers ?? [])].some(
      ({ resources }) => (resources?.claims ?? []).length > 0,
    )
  );
}

/** Keeps others away from where it runs, whether they know of it or not. */
export function hasRequiredAntiAffinity({ spec }: Pod): boolean {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (terms ?? []).length > 0;
}

/** Other schedulers give other reasons; those pods are not ours to place. */
function isUnschedulable(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable',
  );
}

function isOwnedBy(pod: Pod, apiVersion: string, kind: string): boolean {
  return (pod.metadata.ownerReferences ?? []).some(
    (owner) => owner.apiVersion === apiVersion && owner.kind === kind,
  );
}
