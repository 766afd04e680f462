// A pod's status as its kubelet reports it. In: the pod, the state of its containers and its addresses. Out: the part of the status
// that kubelets own; conditions keep the time of their last change. Conditions of others are never in it.
import { toTimestamp } from '../../../base/clock.ts';
import { objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';

export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'running'; readonly startedMs: number; readonly isReady: boolean }
  | {
      readonly kind: 'terminated';
      readonly startedMs: number;
      readonly finishedMs: number;
      readonly exitCode: number;
      /** It ran to this end by itself or was stopped, and will not run again. */
      readonly isFinal: boolean;
    };

export interface ContainerRecord {
  readonly spec: JsonObject;
  readonly isInit: boolean;
  state: ContainerState;
  last: ContainerState | undefined;
  restarts: number;
}

export interface PodView {
  readonly pod: JsonObject;
  readonly records: readonly ContainerRecord[];
  readonly startMs: number;
  readonly hostAddress: string;
  readonly podAddress: string | undefined;
  readonly before: readonly JsonObject[];
  readonly nowMs: number;
}

export function podStatus(view: PodView): JsonObject {
  const { pod, records, hostAddress, podAddress } = view;
  const main = records.filter(({ isInit }) => !isInit);
  const init = records.filter(({ isInit }) => isInit);
  const statuses = (some: readonly ContainerRecord[]): JsonObject[] =>
    some.map((record) => containerStatus(pod, record));
  return {
    phase: phaseOf(records),
    startTime: toTimestamp(view.startMs),
    hostIP: hostAddress,
    hostIPs: [{ ip: hostAddress }],
    ...(podAddress === undefined ? {} : { podIP: podAddress, podIPs: [{ ip: podAddress }] }),
    conditions: [...conditionsOf(view)],
    containerStatuses: statuses(main),
    ...(init.length === 0 ? {} : { initContainerStatuses: statuses(init) }),
  };
}

export function phaseOf(records: readonly ContainerRecord[]): string {
  const main = records.filter(({ isInit }) => !isInit);
  const failedInit = records.some(
    ({ isInit, state }) => isInit && isOver(state) && code(state) > 0,
  );
  if (failedInit) return 'Failed';
  if (main.every(({ state }) => isOver(state))) {
    return main.every(({ state }) => code(state) === 0) ? 'Succeeded' : 'Failed';
  }
  const hasRun = main.some(({ state, last }) => state.kind !== 'waiting' || last !== undefined);
  return hasRun ? 'Running' : 'Pending';
}

function isOver(state: ContainerState): boolean {
  return state.kind === 'terminated' && state.isFinal;
}

function code(state: ContainerState): number {
  return state.kind === 'terminated' ? state.exitCode : 0;
}

export function isSidecar(record: ContainerRecord): boolean {
  return record.isInit && stringAt(record.spec, 'restartPolicy') === 'Always';
}

export function isContainerReady({ state }: ContainerRecord): boolean {
  return state.kind === 'running' && state.isReady;
}

function conditionsOf(view: PodView): readonly JsonObject[] {
  const { pod, records, podAddress } = view;
  const isDone = phaseOf(records) === 'Succeeded';
  const unready = records.filter((record) => !record.isInit && !isContainerReady(record));
  const closed = objectsAt(pod, 'spec', 'readinessGates')
    .map((gate) => textAt(gate, 'conditionType'))
    .filter((gate) => !isTrue(objectsAt(pod, 'status', 'conditions'), gate));
  const names = unready.map(({ spec }) => textAt(spec, 'name')).join(' ');
  const notUp = isDone
    ? { reason: 'PodCompleted' }
    : {
        reason: 'ContainersNotReady',
        message: `containers with unready status: [${names}]`,
      };
  const gated = {
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${closed.join()}" does not exist.`,
  };
  const isUp = unready.length === 0;
  const isInitialized = records.every((record) => hasInitialized(record));
  const notInitialized = { reason: 'ContainersNotInitialized' };
  return [
    condition(view, 'PodReadyToStartContainers', podAddress !== undefined && !isDone, {}),
    condition(view, 'Initialized', isInitialized, notInitialized),
    condition(view, 'Ready', isUp && closed.length === 0, isUp ? gated : notUp),
    condition(view, 'ContainersReady', isUp, notUp),
    condition(view, 'PodScheduled', true, {}),
  ];
}

/** Its part of the pod's start is done: a sidecar's as soon as it has begun. */
function hasInitialized(record: ContainerRecord): boolean {
  const { isInit, state, last } = record;
  if (!isInit || state.kind === 'terminated') return true;
  return isSidecar(record) && (state.kind === 'running' || last !== undefined);
}

function isTrue(conditions: readonly JsonObject[], type: string): boolean {
  return conditions.some((one) => one['type'] === type && one['status'] === 'True');
}

function condition(view: PodView, type: string, holds: boolean, why: JsonObject): JsonObject {
  const status = holds ? 'True' : 'False';
  const previous = view.before.find((one) => one['type'] === type);
  const since =
    previous?.['status'] === status ? stringAt(previous, 'lastTransitionTime') : undefined;
  const base = { type, status, lastTransitionTime: since ?? toTimestamp(view.nowMs) };
  // The patch merges conditions: what is no longer true of one must be taken back.
  const said = ['reason', 'message'].filter((field) => previous?.[field] !== undefined);
  const taken = Object.fromEntries(said.map((field) => [field, null]));
  return { ...base, ...taken, ...(holds ? {} : why) };
}

function containerStatus(pod: JsonObject, record: ContainerRecord): JsonObject {
  const { spec, state, last, restarts } = record;
  const name = textAt(spec, 'name');
  const image = textAt(spec, 'image');
  const hasStarted = state.kind !== 'waiting' || last !== undefined;
  const id = `containerd://${textAt(pod, 'metadata', 'uid')}-${name}-${restarts}`;
  return {
    name,
    image,
    imageID: hasStarted ? image : '',
    ...(hasStarted ? { containerID: id } : {}),
    restartCount: restarts,
    ready: isContainerReady(record) || (record.isInit && code(state) === 0 && isOver(state)),
    started: state.kind === 'running',
    state: stateJson(state, id),
    lastState: last === undefined ? {} : stateJson(last, id),
  };
}

function stateJson(state: ContainerState, containerID: string): JsonObject {
  switch (state.kind) {
    case 'waiting':
      return { waiting: { reason: state.reason } };
    case 'running':
      return { running: { startedAt: toTimestamp(state.startedMs) } };
    case 'terminated':
      return {
        terminated: {
          exitCode: state.exitCode,
          reason: state.exitCode === 0 ? 'Completed' : 'Error',
          startedAt: toTimestamp(state.startedMs),
          finishedAt: toTimestamp(state.finishedMs),
          containerID,
        },
      };
    default:
      return state;
  }
}
