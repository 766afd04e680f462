// kube-scheduler: finds a node for every pod that has none. In: the server's pods, nodes, claims. Out: bindings,
// or a condition and an event that say why not.
// 1. A node is never given more than it has, and no hard rule is broken by a binding of ours.
// 2. Decisions are made one pod at a time on a state that includes all earlier ones.
// 3. Work happens in timers of its own; between two bursts others get their turn.
import type { Clock, Timer } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { Random } from '../../../base/random.ts';
import type { KubeApi, RequestContext } from '../api.ts';
import { Informers } from '../controllers/runtime/informers.ts';
import type { ApiObject } from '../object.ts';
import { isReason } from '../status-error.ts';
import { feed } from './cluster-feed.ts';
import { ClusterState } from './cluster-state.ts';
import { decide } from './decision.ts';
import { EventRecorder } from './event-recorder.ts';
import { isRefusal, type Prepared } from './feasibility.ts';
import { decideVolumes } from './filters/volume-binding.ts';
import type { NodeState } from './node-state.ts';
import { Nominations } from './nominations.ts';
import { keyOf, type Budget, type SchedulingPod } from './objects.ts';
import { Placer } from './placement.ts';
import { PodQueue, type QueuedPod } from './pod-queue.ts';
import type { PodShape } from './pod-shape.ts';
import { PodWriter } from './pod-writer.ts';
import type { Candidate } from './preemption.ts';
import { VolumeWait, type WaitingPod } from './volume-wait.ts';

const schedulerName = 'default-scheduler';
const burst = 250;

export interface SchedulerOptions {
  readonly api: KubeApi;
  readonly context: RequestContext;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

export class Scheduler {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #informers: Informers;
  readonly #state = new ClusterState();
  readonly #nominations = new Nominations();
  readonly #placer = new Placer(this.#state, this.#nominations);
  readonly #budgets = new Map<string, Budget>();
  readonly #waits = new VolumeWait();
  readonly #queue: PodQueue;
  readonly #writer: PodWriter;
  readonly #events: EventRecorder;
  /** The sentence for a shape, good until anything in the cluster changes. */
  readonly #refused = new Map<PodShape, { readonly version: string; readonly message: string }>();
  #turn: Timer | undefined;
  #later: Timer | undefined;
  #stopped = true;

  constructor(options: SchedulerOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#informers = new Informers(options);
    this.#queue = new PodQueue(options.clock);
    this.#writer = new PodWriter(options);
    this.#events = new EventRecorder({
      ...options,
      component: () => schedulerName,
      isSeries: true,
    });
    feed(this.#informers, {
      state: this.#state,
      queue: this.#queue,
      budgets: this.#budgets,
      onPending: (uid, pod) => this.#onPending(uid, pod),
      onClaim: () => this.#wake(),
    });
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#informers.start(() => this.#wake());
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#turn?.cancel();
    this.#later?.cancel();
    this.#turn = undefined;
    this.#later = undefined;
    this.#informers.stop();
  }

  #wake(): void {
    if (this.#stopped || this.#turn !== undefined) return;
    this.#turn = this.#clock.setTimer(0, () => this.#work(), 'scheduler');
  }

  #work(): void {
    this.#turn = undefined;
    this.#informers.drain();
    this.#serveWaits();
    let done = 0;
    for (; done < burst; done++) {
      const queued = this.#queue.pop();
      if (queued === undefined) break;
      this.#attempt(queued);
    }
    if (done === burst) this.#wake();
    else this.#sleep();
  }

  /** Wakes when the next backoff or wait ends. */
  #sleep(): void {
    this.#later?.cancel();
    this.#later = undefined;
    const waits = this.#waits.nextMs(this.#clock.monotonic());
    const nextMs = Math.min(this.#queue.nextMs() ?? Infinity, waits ?? Infinity);
    if (nextMs === Infinity) return;
    this.#later = this.#clock.setTimer(nextMs, () => this.#wake(), 'scheduler backoff');
  }

  #onPending(uid: string, pod: SchedulingPod | undefined): void {
    if (pod === undefined || !isOurs(pod)) {
      this.#forget(uid);
      return;
    }
    if (this.#waits.has(uid)) return;
    if (isGated(pod)) {
      this.#queue.remove(uid);
      const message = 'Scheduling is blocked due to non-empty scheduling gates';
      this.#writer.refuse(pod, { reason: 'SchedulingGated', message });
      return;
    }
    const shape = this.#state.shapeOf(pod);
    this.#rememberPromise(uid, pod, shape);
    if (this.#queue.get(uid)?.shape === shape) this.#queue.refresh(pod);
    else this.#queue.add(pod, shape);
  }

  #rememberPromise(uid: string, pod: SchedulingPod, shape: PodShape): void {
    const nodeName = pod.status?.nominatedNodeName ?? '';
    if (nodeName === '') this.#nominations.remove(uid);
    else this.#nominations.set({ uid, pod, shape, terminating: false }, nodeName);
  }

  #forget(uid: string): void {
    this.#queue.remove(uid);
    this.#nominations.remove(uid);
    if (this.#waits.remove(uid) !== undefined) this.#state.unplace(uid);
  }

  #attempt(queued: QueuedPod): void {
    const { pod, shape } = queued;
    const version = `${this.#state.version} ${this.#state.storage.version}`;
    const known = this.#refused.get(shape);
    if (known?.version === version && this.#nominations.isEmpty) {
      this.#refuse(queued, known.message, '');
      return;
    }
    const decision = decide(pod, shape, this.#placer, {
      state: this.#state,
      nominations: this.#nominations,
      budgets: this.#budgets.values(),
      nowMs: this.#clock.now(),
    });
    if (decision.kind === 'place') {
      this.#accept(queued, decision.node, decision.prepared);
    } else if (decision.kind === 'preempt') {
      this.#preempt(queued, decision.candidate, decision.message);
    } else {
      const { message, keepsPromise } = decision;
      if (this.#refused.size > 1024) this.#refused.clear();
      if (!keepsPromise) this.#refused.set(shape, { version, message });
      this.#refuse(queued, message, keepsPromise ? undefined : '');
    }
  }

  #refuse(queued: QueuedPod, message: string, nominatedNodeName: string | undefined): void {
    const { pod } = queued;
    if (nominatedNodeName === '') this.#nominations.remove(queued.uid);
    this.#queue.park(queued);
    this.#say(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
    this.#writer.refuse(pod, { reason: 'Unschedulable', message }, nominatedNodeName);
  }

  #preempt(queued: QueuedPod, { node, victims }: Candidate, message: string): void {
    const { pod, shape, uid } = queued;
    for (const other of this.#nominations.on(node.name)) {
      if (other.shape.priority >= shape.priority) continue;
      this.#nominations.remove(other.uid);
      this.#writer.clearNomination(other.pod);
    }
    this.#refuse(queued, message, node.name);
    this.#nominations.set({ uid, pod, shape, terminating: false }, node.name);
    for (const victim of victims) {
      if (victim.terminating) continue;
      this.#writer.evictVictim(victim.pod, schedulerName);
      this.#say(victim.pod, {
        reason: 'Preempted',
        action: 'Preempting',
        message: `Preempted by pod ${uid} on node ${node.name}`,
      });
    }
    this.#wake();
  }

  #accept(queued: QueuedPod, node: NodeState, prepared: Prepared): void {
    this.#nominations.remove(queued.uid);
    this.#state.place(queued.pod, node.name);
    const delayed = prepared.claims?.sorted.delayed ?? [];
    if (delayed.length === 0) {
      this.#bind(queued, node.name);
      return;
    }
    const sorted = prepared.claims?.sorted ?? { bound: [], delayed };
    const decision = decideVolumes(sorted, this.#state.storage, node);
    if (isRefusal(decision)) return;
    this.#queue.remove(queued.uid);
    this.#writer.nominate(queued.pod, node.name);
    for (const { volume, claim } of decision.bindings) this.#writer.reserveVolume(volume, claim);
    for (const claim of decision.provisions) this.#writer.selectNode(claim, node.name);
    const claims = delayed.map((claim) => keyOf(claim.metadata));
    this.#waits.add({ queued, nodeName: node.name, claims }, this.#clock.monotonic());
  }

  #serveWaits(): void {
    const { storage } = this.#state;
    for (const { queued, nodeName } of this.#waits.takeReady(storage)) this.#bind(queued, nodeName);
    for (const waiting of this.#waits.takeFailed(storage, this.#clock.monotonic())) {
      this.#giveUpWaiting(waiting);
    }
  }

  #giveUpWaiting({ queued }: WaitingPod): void {
    this.#state.unplace(queued.uid);
    const message = 'binding volumes: context deadline exceeded';
    this.#failed(queued, message);
  }

  #bind(queued: QueuedPod, nodeName: string): void {
    const { pod, uid } = queued;
    try {
      this.#writer.bind(pod, nodeName);
    } catch (error) {
      this.#state.unplace(uid);
      if (isReason(error, 'NotFound') || isReason(error, 'Conflict')) {
        // Gone, or bound by somebody else: its event is waiting to be taken.
        this.#queue.remove(uid);
        return;
      }
      this.#log.error('binding failed', { pod: keyOf(pod.metadata), node: nodeName, error });
      this.#failed(queued, error instanceof Error ? error.message : String(error));
      return;
    }
    this.#queue.remove(uid);
    const message = `Successfully assigned ${keyOf(pod.metadata)} to ${nodeName}`;
    this.#say(pod, { reason: 'Scheduled', action: 'Binding', message });
  }

  #failed(queued: QueuedPod, message: string): void {
    const { pod, shape, uid } = queued;
    if (!this.#queue.has(uid)) this.#queue.add(pod, shape);
    this.#queue.retry(queued);
    this.#say(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message });
    this.#writer.refuse(pod, { reason: 'SchedulerError', message }, '');
  }

  #say(
    pod: SchedulingPod,
    saying: {
      readonly type?: 'Normal' | 'Warning';
      readonly reason: string;
      readonly action: string;
      readonly message: string;
    },
  ): void {
    this.#events.say({ ...saying, about: pod as unknown as ApiObject });
  }
}

function isOurs({ spec, metadata }: SchedulingPod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return (spec.schedulerName ?? schedulerName) === schedulerName;
}

function isGated({ spec }: SchedulingPod): boolean {
  return (spec.schedulingGates ?? []).length > 0;
}
