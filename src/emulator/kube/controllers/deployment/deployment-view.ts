// A Deployment and its ReplicaSets read as what they mean. In: objects. Out: sizes, revisions, limits.
import type { Json, LabelSelector } from '../../../../api/meta.ts';
import { numberAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { PodTemplate } from '../pods.ts';
import type { Condition } from '../runtime/condition.ts';
import { resolveLimits, type Limits, type Revision } from './rollout.ts';
import { canonical } from './template-hash.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const historyAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
export const hashLabel = 'pod-template-hash';

export interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
  readonly paused?: boolean;
  readonly minReadySeconds?: number;
  readonly progressDeadlineSeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly strategy?: {
    readonly type?: 'RollingUpdate' | 'Recreate';
    readonly rollingUpdate?: { readonly maxSurge?: Json; readonly maxUnavailable?: Json };
  };
}

export type DeploymentStatus = {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
};

export function specOf(object: ApiObject): DeploymentSpec {
  return object['spec'] as unknown as DeploymentSpec;
}

export function statusOf(object: ApiObject): DeploymentStatus {
  return (object['status'] ?? {}) as DeploymentStatus;
}

export function sizeOf(set: ApiObject): number {
  return numberAt(set, 'spec', 'replicas') ?? 1;
}

export function countOf(set: ApiObject, field: string): number {
  return numberAt(set, 'status', field) ?? 0;
}

export function limitsOf(deployment: ApiObject): Limits {
  const { replicas = 1, strategy } = specOf(deployment);
  if (strategy?.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 };
  return resolveLimits(replicas, strategy?.rollingUpdate);
}

export function revisionOf(set: ApiObject): Revision {
  const { name, annotations = {}, creationTimestamp = '' } = set.metadata;
  return {
    name,
    replicas: sizeOf(set),
    available: countOf(set, 'availableReplicas'),
    createdAt: creationTimestamp,
    maxReplicas: Number(annotations[maxAnnotation] ?? 0),
  };
}

export function revisionNumber(set: ApiObject): number {
  return Number(set.metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** The oldest set whose template is the deployment's own; the hash label is not part of it. */
export function findCurrent(
  deployment: ApiObject,
  sets: readonly ApiObject[],
): ApiObject | undefined {
  const wanted = templateText(specOf(deployment).template);
  return sets
    .toSorted((a, b) =>
      (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1,
    )
    .find((set) => templateText(specOf(set).template) === wanted);
}

function templateText(template: PodTemplate): string {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  const metadata = { ...template.metadata, labels };
  return canonical({ ...template, metadata });
}

export function others(sets: readonly ApiObject[], current: ApiObject): readonly ApiObject[] {
  return sets.filter((set) => set.metadata.uid !== current.metadata.uid);
}

/** The sets that are kept for going back no longer: empty, and older than the history goes. */
export function forgottenSets(
  deployment: ApiObject,
  current: ApiObject,
  sets: readonly ApiObject[],
): readonly ApiObject[] {
  const { revisionHistoryLimit = 10 } = specOf(deployment);
  const old = others(sets, current).filter(
    (set) => sizeOf(set) === 0 && set.metadata.deletionTimestamp === undefined,
  );
  return old
    .toSorted((a, b) => revisionNumber(a) - revisionNumber(b))
    .slice(0, Math.max(0, old.length - revisionHistoryLimit))
    .filter((set) => (numberAt(set, 'status', 'replicas') ?? 0) === 0);
}
