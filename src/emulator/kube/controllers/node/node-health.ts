// What a node's conditions mean. In: a node and when it was last heard of. Out: the conditions and taints it should
// have. Pure.
// 1. A node not heard of within the grace period is Unknown, not False: it may well be alive.
// 2. Taints by condition come and go with the condition; taints that others set are left alone.
import type { Taint } from '../../../../api/core.ts';
import type { ApiObject } from '../../object.ts';
import { nodeOf } from '../../scheduler/objects.ts';
import { toTimestamp } from '../../../../base/clock.ts';

export interface NodeCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}

const prefix = 'node.kubernetes.io';
const notReadyKey = `${prefix}/not-ready`;
const unreachableKey = `${prefix}/unreachable`;

const silencedTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Condition → status → key of the taint that keeps new pods away. */
const conditionTaints: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReadyKey, Unknown: unreachableKey },
  MemoryPressure: { True: `${prefix}/memory-pressure` },
  DiskPressure: { True: `${prefix}/disk-pressure` },
  PIDPressure: { True: `${prefix}/pid-pressure` },
  NetworkUnavailable: { True: `${prefix}/network-unavailable` },
};

const managedNoSchedule = new Set([
  ...Object.values(conditionTaints).flatMap((byStatus) => Object.values(byStatus)),
  `${prefix}/unschedulable`,
]);

export function conditionsOf(node: ApiObject): readonly NodeCondition[] {
  return nodeOf(node).status?.conditions ?? [];
}

export function readyStatus(node: ApiObject): 'True' | 'False' | 'Unknown' {
  return conditionsOf(node).find(({ type }) => type === 'Ready')?.status ?? 'Unknown';
}

/** The conditions of a node that has gone silent; the same list when nothing changes. */
export function silenced(node: ApiObject, nowMs: number): readonly NodeCondition[] {
  const known = conditionsOf(node);
  const now = toTimestamp(nowMs);
  const changed = silencedTypes.map((type): NodeCondition => {
    const condition = known.find((other) => other.type === type);
    if (condition === undefined) {
      return {
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
        lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
        lastTransitionTime: now,
      };
    }
    if (condition.status === 'Unknown') return condition;
    return {
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: now,
    };
  });
  const others = known.filter(({ type }) => !silencedTypes.includes(type));
  const same = changed.every((condition) => known.includes(condition));
  return same ? known : [...others, ...changed];
}

/** The taints that the node should have by its conditions; the same list when nothing changes. */
export function taintsFor(node: ApiObject, nowMs: number): readonly Taint[] {
  const { taints = [] } = nodeOf(node).spec ?? {};
  const wanted = wantedTaints(node);
  const isWanted = (taint: Taint): boolean => wanted.some((other) => isSame(other, taint));
  const kept = taints.filter((taint) => !isManaged(taint) || isWanted(taint));
  const timeAdded = toTimestamp(nowMs);
  const added = wanted
    .filter((taint) => !kept.some((other) => isSame(other, taint)))
    .map((taint) => ({ ...taint, timeAdded }));
  return added.length === 0 && kept.length === taints.length ? taints : [...kept, ...added];
}

function wantedTaints(node: ApiObject): readonly Taint[] {
  const keys = conditionsOf(node)
    .map(({ type, status }) => conditionTaints[type]?.[status])
    .filter((key) => key !== undefined);
  if (nodeOf(node).spec?.unschedulable === true) keys.push(`${prefix}/unschedulable`);
  const wanted: Taint[] = keys.map((key) => ({ key, effect: 'NoSchedule' }));
  const evicting = keys.find((key) => key === notReadyKey || key === unreachableKey);
  return evicting === undefined ? wanted : [...wanted, { key: evicting, effect: 'NoExecute' }];
}

function isManaged({ key, effect }: Taint): boolean {
  if (effect === 'NoSchedule') return managedNoSchedule.has(key);
  return effect === 'NoExecute' && (key === notReadyKey || key === unreachableKey);
}

function isSame(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}
