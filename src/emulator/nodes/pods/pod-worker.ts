// One pod on a node, from its arrival to its end. In: the pod as the API shows it, again at each change. Out: its containers' lives,
// told to the API; at its deletion a graceful stop, and then its removal.
//   arrives ─▶ network ─▶ images ─▶ init containers ─▶ containers ─▶ over
//                  deletion at any time ─▶ stop within the grace ─▶ removed
// 1. A container never starts after the pod was told to stop. 2. A pod is removed only after its last state was told.
// 3. After `abandon` nothing of it runs and nothing is told.
import { sleep } from '../../../base/clock.ts';
import { isAbort } from '../../../base/errors.ts';
import { at, numberAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { runContainer } from './container-run.ts';
import { podRequests, type Rejection, type Requests } from './pod-admission.ts';
import type { PodHost } from './pod-host.ts';
import { initProgramOf, programOf, type Program } from './pod-program.ts';
import { PodReporter } from './pod-reporter.ts';
import { isSidecar, phaseOf, podStatus, type ContainerRecord } from './pod-status.ts';

const terminalPhases = new Set(['Succeeded', 'Failed']);

export class PodWorker {
  readonly requests: Requests;
  readonly #host: PodHost;
  readonly #reporter: PodReporter;
  readonly #records: readonly ContainerRecord[];
  readonly #stopping = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #startMs: number;
  #pod: JsonObject;
  #podAddress: string | undefined;
  #conditions: readonly JsonObject[];
  /** Refused on arrival, or put out later. */
  #failure: Rejection | undefined;
  #hasArrived = true;
  #isOver = false;
  /** When a pod that is being deleted has to be down; a second deletion may bring it forward. */
  #deadline: { readonly byMs: number; readonly hurry: AbortController } | undefined;

  constructor(host: PodHost, pod: JsonObject) {
    const signal = AbortSignal.any([host.signal, this.#abandoned.signal]);
    this.#host = { ...host, signal };
    this.#pod = pod;
    this.requests = podRequests(pod);
    this.#startMs = host.clock.now();
    this.#conditions = objectsAt(pod, 'status', 'conditions');
    this.#records = recordsOf(pod);
    this.#reporter = new PodReporter(this.#host, pod, () => this.#status());
  }

  /** False once all its containers are over for good: it needs no room any more. */
  get isOccupying(): boolean {
    return !this.#isOver;
  }

  /** All its containers run, or have done what they were for. */
  get isUp(): boolean {
    return this.#records.every(({ state }) => state.kind !== 'waiting');
  }

  get pod(): JsonObject {
    return this.#pod;
  }

  start(rejection?: Rejection): void {
    if (terminalPhases.has(textAt(this.#pod, 'status', 'phase'))) this.#isOver = true;
    else if (rejection !== undefined) this.#reject(rejection);
    else void this.#quietly(() => this.#live());
    this.update(this.#pod);
  }

  update(pod: JsonObject): void {
    this.#pod = pod;
    // Gates are opened by others; whether the pod is ready then is for the kubelet to say.
    const isGated = objectsAt(pod, 'spec', 'readinessGates').length > 0;
    if (isGated && !this.#isOver) this.#reporter.changed();
    const deletion = stringAt(pod, 'metadata', 'deletionTimestamp');
    if (deletion === undefined) return;
    const byMs = Date.parse(deletion);
    const isFirst = this.#deadline === undefined;
    if (!isFirst && byMs >= (this.#deadline?.byMs ?? 0)) return;
    this.#deadline?.hurry.abort();
    this.#deadline = { byMs, hurry: new AbortController() };
    if (isFirst) void this.#quietly(() => this.#terminate());
  }

  /** The machine is gone, or the pod is. */
  abandon(): void {
    this.#abandoned.abort();
  }

  /** At once and without grace: the node has no room left to wait. */
  evict(failure: Rejection): void {
    if (this.#isOver) return;
    this.#failure = failure;
    this.#stop(137);
  }

  #reject(rejection: Rejection): void {
    this.#failure = rejection;
    this.#hasArrived = false;
    this.#isOver = true;
    this.#reporter.changed();
  }

  async #live(): Promise<void> {
    const { clock, delays, images } = this.#host;
    const signal = AbortSignal.any([this.#host.signal, this.#stopping.signal]);
    this.#reporter.changed();
    const isOnHost = at(this.#pod, 'spec', 'hostNetwork') === true;
    if (!isOnHost) await this.#host.networkReady(signal);
    this.#podAddress = isOnHost ? this.#host.hostAddress : this.#host.nextPodAddress();
    for (const image of new Set(this.#records.map(({ spec }) => textAt(spec, 'image')))) {
      if (images.has(image)) continue;
      await sleep(clock, delays('imagePullMs'), { signal, label: 'image pull' });
      images.add(image);
    }
    const sidecars = await this.#initialize(signal);
    if (sidecars !== undefined) await this.#runAll(signal);
    this.#stopSidecars();
    this.#isOver = true;
    this.#changed();
  }

  /** The sidecars' runs; undefined when the pod has failed before it began. */
  async #initialize(signal: AbortSignal): Promise<readonly Promise<void>[] | undefined> {
    const policy = stringAt(this.#pod, 'spec', 'restartPolicy') ?? 'Always';
    const sidecars: Promise<void>[] = [];
    for (const record of this.#records.filter(({ isInit }) => isInit)) {
      if (isSidecar(record)) {
        const program = programOf(this.#pod, record.spec, 0);
        sidecars.push(this.#quietly(() => this.#run(record, program, 'Always', signal)));
        continue;
      }
      // Whatever the pod's own policy, an init container that has succeeded is done.
      const again = policy === 'Never' ? 'Never' : 'OnFailure';
      await this.#run(record, initProgramOf(record.spec), again, signal);
      if (phaseOf(this.#records) === 'Failed') return undefined;
    }
    return sidecars;
  }

  async #runAll(signal: AbortSignal): Promise<void> {
    const policy = stringAt(this.#pod, 'spec', 'restartPolicy') ?? 'Always';
    const taskMs = this.#host.delays('taskMs');
    await Promise.all(
      this.#records
        .filter(({ isInit }) => !isInit)
        .map((record) =>
          this.#run(record, programOf(this.#pod, record.spec, taskMs), policy, signal),
        ),
    );
  }

  #run(
    record: ContainerRecord,
    program: Program,
    restartPolicy: string,
    signal: AbortSignal,
  ): Promise<void> {
    const host = this.#host;
    return runContainer({
      host,
      record,
      program,
      restartPolicy,
      signal,
      changed: () => this.#changed(),
    });
  }

  async #terminate(): Promise<void> {
    const stopsInMs = this.#isOver ? 0 : this.#stopMs();
    const beganMs = this.#host.clock.now();
    while (this.#deadline !== undefined) {
      const { byMs, hurry } = this.#deadline;
      const endMs = Math.min(beganMs + stopsInMs, byMs);
      const signal = AbortSignal.any([this.#host.signal, hurry.signal]);
      const leftMs = endMs - this.#host.clock.now();
      if (leftMs <= 0 || (await this.#slept(leftMs, signal))) break;
      this.#host.signal.throwIfAborted();
    }
    const isKilled = (this.#deadline?.byMs ?? 0) < beganMs + stopsInMs;
    if (!this.#isOver) this.#stop(isKilled ? 137 : 0);
    await this.#reporter.told();
    await this.#reporter.remove();
  }

  /** False when it was woken before its time. */
  async #slept(ms: number, signal: AbortSignal): Promise<boolean> {
    try {
      await sleep(this.#host.clock, ms, { signal, label: 'pod termination' });
      return true;
    } catch (error) {
      if (isAbort(error)) return false;
      throw error;
    }
  }

  #stopMs(): number {
    const running = this.#records.filter(({ state }) => state.kind === 'running');
    const usualMs = this.#host.delays('stopMs');
    const times = running.map(
      ({ spec }) => programOf(this.#pod, spec, usualMs).stopsInMs ?? usualMs,
    );
    return Math.max(0, ...times);
  }

  #stop(exitCode: number): void {
    this.#stopping.abort();
    for (const record of this.#records) stopRecord(record, exitCode, this.#host.clock.now());
    this.#isOver = true;
    this.#changed();
  }

  /** Sidecars go when the containers that they serve are over. */
  #stopSidecars(): void {
    this.#stopping.abort();
    for (const record of this.#records) {
      if (isSidecar(record)) stopRecord(record, 0, this.#host.clock.now());
    }
  }

  #changed(): void {
    this.#reporter.changed();
    this.#host.podChanged();
  }

  #status(): JsonObject {
    const failure = this.#failure === undefined ? {} : { ...this.#failure, phase: 'Failed' };
    if (!this.#hasArrived) return failure;
    const status = podStatus({
      pod: this.#pod,
      records: this.#records,
      startMs: this.#startMs,
      hostAddress: this.#host.hostAddress,
      podAddress: this.#podAddress,
      before: this.#conditions,
      nowMs: this.#host.clock.now(),
    });
    this.#conditions = objectsAt(status, 'conditions');
    return { ...status, ...failure };
  }

  /** Being stopped is how most pods end, and no error. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
  }
}

function stopRecord(record: ContainerRecord, exitCode: number, nowMs: number): void {
  const { state } = record;
  if (state.kind === 'terminated') record.state = { ...state, isFinal: true };
  else {
    const startedMs = state.kind === 'running' ? state.startedMs : nowMs;
    const code = state.kind === 'running' ? exitCode : 137;
    record.state = {
      kind: 'terminated',
      startedMs,
      finishedMs: nowMs,
      exitCode: code,
      isFinal: true,
    };
  }
}

/** A pod that was here before the machine went down begins again, and counts it as a restart. */
function recordsOf(pod: JsonObject): ContainerRecord[] {
  const known = [
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
    ...objectsAt(pod, 'status', 'containerStatuses'),
  ];
  const record =
    (isInit: boolean) =>
    (spec: JsonObject): ContainerRecord => {
      const before = known.find((status) => textAt(status, 'name') === textAt(spec, 'name'));
      const hasRun = textAt(before, 'containerID') !== '';
      const restarts = (numberAt(before, 'restartCount') ?? 0) + (hasRun ? 1 : 0);
      const reason = isInit ? 'PodInitializing' : 'ContainerCreating';
      return { spec, isInit, state: { kind: 'waiting', reason }, last: undefined, restarts };
    };
  return [
    ...objectsAt(pod, 'spec', 'initContainers').map(record(true)),
    ...objectsAt(pod, 'spec', 'containers').map(record(false)),
  ];
}
