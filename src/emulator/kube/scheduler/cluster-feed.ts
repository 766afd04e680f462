// The server's changes, brought into the scheduler's state and queue. In: informers. Out: calls of the state, and
// word to the queue which waiting pods a change may help.
// A change that cannot help a shape must not wake its pods: ten thousand of them would be tried for nothing.
import type { Informers } from '../controllers/runtime/informers.ts';
import type { Change } from '../controllers/runtime/informer.ts';
import type { ApiObject } from '../object.ts';
import type { ClusterState } from './cluster-state.ts';
import { checkNode } from './feasibility.ts';
import type { NodeState } from './node-state.ts';
import {
  attachmentOf,
  budgetOf,
  claimOf,
  csiNodeOf,
  keyOf,
  nodeOf,
  podOf,
  volumeClassOf,
  volumeOf,
  type Budget,
  type SchedulingPod,
} from './objects.ts';
import type { PodQueue } from './pod-queue.ts';
import type { PodShape } from './pod-shape.ts';

export interface FeedTargets {
  readonly state: ClusterState;
  readonly queue: PodQueue;
  readonly budgets: Map<string, Budget>;
  /** Pods that have no node yet; also with undefined when such a pod is gone or has one. */
  readonly onPending: (uid: string, pod: SchedulingPod | undefined) => void;
  readonly onClaim: () => void;
}

type Helps = (shape: PodShape) => boolean;

export function feed(informers: Informers, targets: FeedTargets): void {
  const { state, budgets } = targets;
  const { storage } = state;
  const core = (resource: string) => informers.of({ group: '', version: 'v1', resource });
  const storageApi = (resource: string) =>
    informers.of({ group: 'storage.k8s.io', version: 'v1', resource });
  const help = (helps: Helps): void => helpWaiting(targets.queue, helps);
  const usesClaims: Helps = (shape) => shape.claimNames.length > 0;

  core('nodes').onChange((change) => feedNode(change, targets));
  core('pods').onChange((change) => feedPod(change, targets));
  core('namespaces').onChange(({ before, after }) => {
    const name = (after ?? before)?.metadata.name ?? '';
    if (before !== undefined && before.metadata.labels === after?.metadata.labels) return;
    state.setNamespace(name, after === undefined ? undefined : (after.metadata.labels ?? {}));
    help((shape) => shape.affinity.length + shape.antiAffinity.length > 0);
  });
  core('persistentvolumeclaims').onChange(({ before, after }) => {
    storage.claims.put(before && claimOf(before), after && claimOf(after));
    const { namespace, name = '' } = (after ?? before)?.metadata ?? {};
    help((shape) => shape.namespace === namespace && shape.claimNames.includes(name));
    targets.onClaim();
  });
  core('persistentvolumes').onChange(({ before, after }) => {
    storage.volumes.put(before && volumeOf(before), after && volumeOf(after));
    help(usesClaims);
    targets.onClaim();
  });
  storageApi('storageclasses').onChange(({ before, after }) => {
    storage.classes.put(before && volumeClassOf(before), after && volumeClassOf(after));
    help(usesClaims);
  });
  storageApi('csinodes').onChange(({ before, after }) => {
    storage.csiNodes.put(before && csiNodeOf(before), after && csiNodeOf(after));
    help(usesClaims);
  });
  storageApi('volumeattachments').onChange(({ before, after }) => {
    storage.attachments.put(before && attachmentOf(before), after && attachmentOf(after));
    if (after === undefined) help(usesClaims);
  });
  informers
    .of({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' })
    .onChange(({ before, after }) => {
      if (after !== undefined) budgets.set(keyOf(after.metadata), budgetOf(after));
      else if (before !== undefined) budgets.delete(keyOf(before.metadata));
    });
}

function feedNode({ before, after }: Change, { state, queue }: FeedTargets): void {
  if (after === undefined) {
    state.removeNode(before?.metadata.name ?? '');
    // One domain less can end a skew, or the reach of an anti-affinity.
    helpWaiting(queue, looksAround);
    return;
  }
  if (before !== undefined && !matters(before, after)) return;
  state.setNode(nodeOf(after));
  const node = state.node(after.metadata.name);
  if (node !== undefined) helpWaiting(queue, (shape) => mayHelp(shape, node));
}

/** Heartbeats change a node every few seconds and mean nothing to the scheduler. */
function matters(before: ApiObject, after: ApiObject): boolean {
  const [old, now] = [nodeOf(before), nodeOf(after)];
  return (
    JSON.stringify([old.metadata.labels, old.spec, old.status?.allocatable]) !==
    JSON.stringify([now.metadata.labels, now.spec, now.status?.allocatable])
  );
}

function feedPod({ before, after }: Change, targets: FeedTargets): void {
  const { state, queue } = targets;
  const uid = (after ?? before)?.metadata.uid ?? '';
  const pod = after && podOf(after);
  if (pod === undefined || isFinished(pod)) {
    feedDeparture(uid, targets);
    return;
  }
  const nodeName = pod.spec.nodeName ?? '';
  if (nodeName === '') {
    targets.onPending(uid, pod);
    return;
  }
  targets.onPending(uid, undefined);
  if (state.place(pod, nodeName)) helpWaiting(queue, looksAround);
}

function feedDeparture(uid: string, { state, queue, onPending }: FeedTargets): void {
  const node = state.nodeOf(uid);
  onPending(uid, undefined);
  if (state.unplace(uid) === undefined || node === undefined) return;
  helpWaiting(queue, (shape) => mayHelp(shape, node));
}

function isFinished({ status }: SchedulingPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

const looksAround: Helps = (shape) =>
  shape.hardSpread.length + shape.affinity.length + shape.antiAffinity.length > 0;

/** Whether the node as it is now could take the shape, or could after a preemption. */
function mayHelp(shape: PodShape, node: NodeState): boolean {
  if (looksAround(shape) || shape.claimNames.length > 0) return true;
  return checkNode(shape, node)?.final !== true;
}

function helpWaiting(queue: PodQueue, helps: Helps): void {
  for (const shape of queue.waitingShapes()) if (helps(shape)) queue.help(shape);
}
