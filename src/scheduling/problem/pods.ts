// Pods and DaemonSets of a problem. In: objects as written. Out: the same with what API server, kube-scheduler and
// kubelet would have added: namespace, UID, phase, and for pending pods the verdict that nothing has room for them.
import type { Pod, PodCondition } from '../../api/core.ts';
import type { DaemonSet } from '../../api/workloads.ts';
import { stableUid } from './stable-uid.ts';

const unschedulable: PodCondition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
};

export function pendingPod(written: Pod): Pod {
  const { nodeName: _, ...spec } = written.spec;
  const conditions = written.status?.conditions ?? [];
  const isJudged = conditions.some(({ type }) => type === 'PodScheduled');
  return {
    ...identified(written),
    spec,
    status: {
      ...written.status,
      phase: 'Pending',
      conditions: isJudged ? conditions : [...conditions, unschedulable],
    },
  };
}

export function boundPod(written: Pod): Pod {
  return { ...identified(written), status: { phase: 'Running', ...written.status } };
}

export function daemonSet(written: DaemonSet): DaemonSet {
  const { namespace = 'kube-system', name, uid } = written.metadata;
  return {
    ...written,
    metadata: {
      ...written.metadata,
      namespace,
      uid: uid ?? stableUid('daemonset', namespace, name),
    },
  };
}

function identified(pod: Pod): Pod {
  const { namespace = 'default', name, uid } = pod.metadata;
  return {
    ...pod,
    metadata: { ...pod.metadata, namespace, uid: uid ?? stableUid('pod', namespace, name) },
  };
}
