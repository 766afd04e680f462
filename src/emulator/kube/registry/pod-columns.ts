// How a pod is summed up in one line. In: a pod. Out: how many containers are ready, the one word for its state, its
// restarts and where it runs: what everybody reads first when something is wrong.
import type { Json } from '../../../api/meta.ts';
import { at, countAt, numberAt, objectsAt, stringAt, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { ageColumn, column, nameColumn, orNone, shortDuration, wide } from './columns.ts';
import type { Column } from './resource-kind.ts';

interface Summary {
  reason: string;
  readyContainers: number;
  restarts: number;
  restartableInitRestarts: number;
  lastRestart: string;
}

function conditionIsTrue(pod: ApiObject, type: string): boolean {
  return objectsAt(pod, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === type && stringAt(condition, 'status') === 'True',
  );
}

function startingReason(pod: ApiObject): string {
  const phase = textAt(pod, 'status', 'phase');
  const gated = objectsAt(pod, 'status', 'conditions').some(
    (condition) =>
      stringAt(condition, 'type') === 'PodScheduled' &&
      stringAt(condition, 'reason') === 'SchedulingGated',
  );
  const own = textAt(pod, 'status', 'reason');
  const reason = own === '' ? phase : own;
  return gated ? 'SchedulingGated' : reason;
}

function isSidecar(pod: ApiObject, name: string): boolean {
  return objectsAt(pod, 'spec', 'initContainers').some(
    (container) =>
      stringAt(container, 'name') === name && stringAt(container, 'restartPolicy') === 'Always',
  );
}

function later(a: string, b: string | undefined): string {
  return b !== undefined && b > a ? b : a;
}

function terminatedReason(terminated: Json, prefix = ''): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return `${prefix}${reason}`;
  const signal = countAt(terminated, 'signal');
  return signal === 0
    ? `${prefix}ExitCode:${countAt(terminated, 'exitCode')}`
    : `${prefix}Signal:${signal}`;
}

/** Undefined when this init container is through, and the next one counts. */
function initReason(pod: ApiObject, status: JsonObject, index: number): string | undefined {
  const terminated = at(status, 'state', 'terminated');
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const sidecar = isSidecar(pod, textAt(status, 'name'));
  if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) return undefined;
  if (sidecar && at(status, 'started') === true) return undefined;
  if (terminated !== undefined) return terminatedReason(terminated, 'Init:');
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${objectsAt(pod, 'spec', 'initContainers').length}`;
}

function readInits(pod: ApiObject, summary: Summary): boolean {
  let lastSidecarRestart = '';
  for (const [index, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const restarts = countAt(status, 'restartCount');
    summary.restarts += restarts;
    const finished = stringAt(status, 'lastState', 'terminated', 'finishedAt');
    summary.lastRestart = later(summary.lastRestart, finished);
    if (isSidecar(pod, textAt(status, 'name'))) {
      summary.restartableInitRestarts += restarts;
      lastSidecarRestart = later(lastSidecarRestart, finished);
      if (at(status, 'started') === true && at(status, 'ready') === true) summary.readyContainers++;
    }
    const reason = initReason(pod, status, index);
    if (reason === undefined) continue;
    summary.reason = reason;
    return true;
  }
  return false;
}

function containerReason(status: JsonObject): string | undefined {
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  const terminated = at(status, 'state', 'terminated');
  return terminated === undefined ? undefined : terminatedReason(terminated);
}

function readContainers(pod: ApiObject, summary: Summary): void {
  summary.restarts = summary.restartableInitRestarts;
  let hasRunning = false;
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    summary.restarts += countAt(status, 'restartCount');
    const finished = stringAt(status, 'lastState', 'terminated', 'finishedAt');
    summary.lastRestart = later(summary.lastRestart, finished);
    const reason = containerReason(status);
    if (reason !== undefined) summary.reason = reason;
    else if (at(status, 'ready') === true && at(status, 'state', 'running') !== undefined) {
      hasRunning = true;
      summary.readyContainers++;
    }
  }
  if (summary.reason === 'Completed' && hasRunning) {
    summary.reason = conditionIsTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  }
}

function summaryOf(pod: ApiObject): Summary {
  const summary: Summary = {
    reason: startingReason(pod),
    readyContainers: 0,
    restarts: 0,
    restartableInitRestarts: 0,
    lastRestart: '',
  };
  const isInitializing = readInits(pod, summary);
  if (!isInitializing || conditionIsTrue(pod, 'Initialized')) readContainers(pod, summary);
  if (pod.metadata.deletionTimestamp !== undefined) {
    const isLost = stringAt(pod, 'status', 'reason') === 'NodeLost';
    const phase = stringAt(pod, 'status', 'phase');
    if (isLost) summary.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

function containerCount(pod: ApiObject): number {
  const sidecars = objectsAt(pod, 'spec', 'initContainers').filter(
    (container) => stringAt(container, 'restartPolicy') === 'Always',
  );
  return objectsAt(pod, 'spec', 'containers').length + sidecars.length;
}

function restartsText(pod: ApiObject, nowMs: number): string {
  const { restarts, lastRestart } = summaryOf(pod);
  if (restarts === 0 || lastRestart === '') return String(restarts);
  return `${restarts} (${shortDuration(nowMs - Date.parse(lastRestart))} ago)`;
}

function readinessGates(pod: ApiObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) => conditionIsTrue(pod, textAt(gate, 'conditionType')));
  return `${met.length}/${gates.length}`;
}

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (pod) => `${summaryOf(pod).readyContainers}/${containerCount(pod)}`),
  column('Status', (pod) => summaryOf(pod).reason),
  column('Restarts', (pod, nowMs) => restartsText(pod, nowMs)),
  ageColumn,
  wide('IP', (pod) => orNone(textAt(pod, 'status', 'podIP'))),
  wide('Node', (pod) => orNone(textAt(pod, 'spec', 'nodeName'))),
  wide('Nominated Node', (pod) => orNone(textAt(pod, 'status', 'nominatedNodeName'))),
  wide('Readiness Gates', readinessGates),
];
