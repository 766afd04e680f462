// The conditions by which a kubelet says how its node is. In: what is wrong with it. Out: the four conditions in the kubelet's
// words; a condition keeps the time of its last change as long as its status is the same.
import { toTimestamp } from '../../../base/clock.ts';
import { stringAt, type JsonObject } from '../../kube/json.ts';

export interface NodeHealth {
  /** Undefined: all is well. */
  readonly notReady: string | undefined;
  readonly hasDiskPressure: boolean;
}

export const networkNotReady =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';

export function kubeletConditions(
  health: NodeHealth,
  before: readonly JsonObject[],
  nowMs: number,
): readonly JsonObject[] {
  const { notReady, hasDiskPressure } = health;
  return [
    pressure(
      'MemoryPressure',
      false,
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
    ),
    hasDiskPressure
      ? pressure('DiskPressure', true, 'KubeletHasDiskPressure', 'kubelet has disk pressure')
      : pressure('DiskPressure', false, 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    pressure(
      'PIDPressure',
      false,
      'KubeletHasSufficientPID',
      'kubelet has sufficient PID available',
    ),
    notReady === undefined
      ? pressure('Ready', true, 'KubeletReady', 'kubelet is posting ready status')
      : pressure('Ready', false, 'KubeletNotReady', notReady),
  ].map((condition) => stamped(condition, before, nowMs));
}

function pressure(type: string, isTrue: boolean, reason: string, message: string): JsonObject {
  return { type, status: isTrue ? 'True' : 'False', reason, message };
}

/** With both times of a node condition: heard of now, changed now or when it was last. */
export function stamped(
  condition: JsonObject,
  before: readonly JsonObject[],
  nowMs: number,
): JsonObject {
  const previous = before.find(({ type }) => type === condition['type']);
  const now = toTimestamp(nowMs);
  const isSame = previous?.['status'] === condition['status'];
  const since = isSame ? stringAt(previous, 'lastTransitionTime') : undefined;
  return { ...condition, lastHeartbeatTime: now, lastTransitionTime: since ?? now };
}
