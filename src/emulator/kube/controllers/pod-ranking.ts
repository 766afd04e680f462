// Which pods go first when there are too many. In: the pods of a set and how crowded their nodes are.
// Out: the same pods, least useful first: unassigned, pending, unready, cheap to delete, crowded, young.
// Ages are compared by powers of two, so that pods of about the same age are chosen evenly and not newest first.
import type { ApiObject } from '../object.ts';
import { numberAt, objectsAt } from '../json.ts';
import { podOf } from '../scheduler/objects.ts';
import { readyCondition } from './pods.ts';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const phases = ['Pending', 'Unknown', 'Running'];

export function byUselessness(
  pods: readonly ApiObject[],
  related: readonly ApiObject[],
  nowMs: number,
): ApiObject[] {
  const crowd = new Map<string, number>();
  for (const object of related) {
    const { nodeName } = podOf(object).spec;
    if (nodeName !== undefined) crowd.set(nodeName, (crowd.get(nodeName) ?? 0) + 1);
  }
  const keyed = pods.map((object) => ({ object, key: sortKey(object, crowd, nowMs) }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ object }) => object);
}

/** Compared from the left; the smaller goes first. */
type SortKey = readonly (number | string)[];

function sortKey(object: ApiObject, crowd: ReadonlyMap<string, number>, nowMs: number): SortKey {
  const { spec, status } = podOf(object);
  const { annotations = {}, creationTimestamp, uid = '' } = object.metadata;
  const { nodeName = '' } = spec;
  const readySince = sinceReady(object);
  return [
    nodeName === '' ? 0 : 1,
    phases.indexOf(status?.phase ?? 'Pending'),
    readySince === undefined ? 0 : 1,
    Number(annotations[deletionCost] ?? 0),
    -(crowd.get(nodeName) ?? 0),
    ageScale(readySince, nowMs),
    -restarts(object),
    ageScale(creationTimestamp, nowMs),
    uid,
  ];
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Undefined when not ready, empty when nobody knows since when. */
function sinceReady(object: ApiObject): string | undefined {
  const ready = readyCondition(podOf(object));
  return ready?.status === 'True' ? (ready.lastTransitionTime ?? '') : undefined;
}

function ageScale(time: string | undefined, nowMs: number): number {
  const ageNs = (nowMs - Date.parse(time ?? '')) * 1e6;
  return ageNs > 0 ? Math.floor(Math.log2(ageNs)) + 1 : 0;
}

function restarts(object: ApiObject): number {
  return objectsAt(object, 'status', 'containerStatuses').reduce(
    (most, status) => Math.max(most, numberAt(status, 'restartCount') ?? 0),
    0,
  );
}
