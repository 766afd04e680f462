// What controllers ask of pods, and how they make them. In: pods and templates. Out: answers and new pods.
import type { Json } from '../../../api/meta.ts';
import { stringAt, type JsonObject } from '../json.ts';
import type { ApiObject, OwnerReference } from '../object.ts';
import { podOf, type SchedulingPod } from '../scheduler/objects.ts';

export type PodTemplate = {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: JsonObject;
};

export function hasEnded(object: ApiObject): boolean {
  const phase = stringAt(object, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

export function isActive(object: ApiObject): boolean {
  return !hasEnded(object) && object.metadata.deletionTimestamp === undefined;
}

export function readyCondition(pod: SchedulingPod) {
  return pod.status?.conditions?.find(({ type }) => type === 'Ready');
}

export function isReady(object: ApiObject): boolean {
  return readyCondition(podOf(object))?.status === 'True';
}

/** Milliseconds until the pod has been ready long enough; 0 when it has, undefined when it is not ready. */
export function untilAvailableMs(
  object: ApiObject,
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const ready = readyCondition(podOf(object));
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  if (ready.lastTransitionTime === undefined) return undefined;
  return Math.max(0, Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 - nowMs);
}

export function controllerOf(object: ApiObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

export function controllerReference(owner: ApiObject): OwnerReference {
  const { name, uid = '' } = owner.metadata;
  const { apiVersion, kind } = owner;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function podFromTemplate(options: {
  readonly template: PodTemplate;
  readonly owner: ApiObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly name?: string;
}): JsonObject {
  const { template, owner, labels, annotations, name } = options;
  const { metadata = {}, spec } = template;
  const meta: Record<string, Json> = {
    generateName: `${owner.metadata.name}-`,
    ...(name === undefined ? {} : { name }),
    namespace: owner.metadata.namespace ?? '',
    labels: { ...metadata.labels, ...labels },
    ownerReferences: [controllerReference(owner)],
  };
  const noted = { ...metadata.annotations, ...annotations };
  if (Object.keys(noted).length > 0) meta['annotations'] = noted;
  if (metadata.finalizers !== undefined) meta['finalizers'] = metadata.finalizers;
  return { apiVersion: 'v1', kind: 'Pod', metadata: meta, spec };
}
