// Pods waiting for a node. In: pods, and word of what may help them. Out: the next pod to try.
//
//   add ──▶ active ──pop──▶ (attempt) ──failed──▶ unschedulable ──something helps──▶ backoff ──time──▶ active
//                                       └─error──▶ backoff ─────────────────────────────────────────────▶
//
// 1. A pod is in one place only. 2. Higher priority first; equals in the order they came.
// 3. Backoff is 1 s, doubling with each attempt up to 10 s. When nothing is active the pod whose backoff ends
//    soonest is taken early, as upstream does, unless it failed by an error.
// 4. A pod is never forgotten: after five minutes in the unschedulable pool it is tried again anyway.
import type { Clock } from '../../../base/clock.ts';
import { Heap } from '../../../base/heap.ts';
import type { SchedulingPod } from './objects.ts';
import type { PodShape } from './pod-shape.ts';

const firstBackoffMs = 1_000;
const longestBackoffMs = 10_000;
const longestWaitMs = 5 * 60_000;

export interface QueuedPod {
  readonly uid: string;
  pod: SchedulingPod;
  shape: PodShape;
  attempts: number;
  readonly order: number;
}

type Place = 'active' | 'backoff' | 'unschedulable' | 'taken';

interface Entry {
  readonly queued: QueuedPod;
  place: Place;
  /** When backoff ends, or since when the pod waits for help. */
  atMs: number;
  failedByError: boolean;
}

function byPriority(a: Entry, b: Entry): number {
  return b.queued.shape.priority - a.queued.shape.priority || a.queued.order - b.queued.order;
}

export class PodQueue {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #unschedulable = new Map<PodShape, Set<Entry>>();
  readonly #active = new Heap<Entry>(byPriority);
  /** Ends within the same second count as equal, so that priority decides among pods helped together. */
  readonly #backoff = new Heap<Entry>(
    (a, b) => Math.floor(a.atMs / 1000) - Math.floor(b.atMs / 1000) || byPriority(a, b),
  );
  #order = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(uid: string): boolean {
    return this.#entries.has(uid);
  }

  get(uid: string): QueuedPod | undefined {
    return this.#entries.get(uid)?.queued;
  }

  /** A new pod, or a known one whose change may help it. */
  add(pod: SchedulingPod, shape: PodShape): void {
    const uid = pod.metadata.uid ?? '';
    const attempts = this.#entries.get(uid)?.queued.attempts ?? 0;
    this.remove(uid);
    const queued = { uid, pod, shape, attempts, order: this.#order++ };
    const entry: Entry = { queued, place: 'active', atMs: 0, failedByError: false };
    this.#entries.set(uid, entry);
    this.#active.push(entry);
  }

  /** The same pod in a newer version that changes nothing for the queue. */
  refresh(pod: SchedulingPod): void {
    const entry = this.#entries.get(pod.metadata.uid ?? '');
    if (entry !== undefined) entry.queued.pod = pod;
  }

  remove(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    this.#leave(entry);
    // Heaps cannot drop from the middle; what is taken is skipped when it comes up.
    entry.place = 'taken';
  }

  pop(): QueuedPod | undefined {
    this.#flush();
    const entry = this.#next(this.#active, 'active') ?? this.#early();
    if (entry === undefined) return undefined;
    entry.place = 'taken';
    entry.queued.attempts++;
    return entry.queued;
  }

  /** After an attempt that found no node: wait until something helps. */
  park(queued: QueuedPod): void {
    const entry = this.#entries.get(queued.uid);
    if (entry === undefined) return;
    entry.place = 'unschedulable';
    entry.atMs = this.#clock.monotonic();
    let waiting = this.#unschedulable.get(queued.shape);
    if (waiting === undefined) this.#unschedulable.set(queued.shape, (waiting = new Set()));
    waiting.add(entry);
  }

  /** After an attempt that broke. */
  retry(queued: QueuedPod): void {
    const entry = this.#entries.get(queued.uid);
    if (entry !== undefined) this.#backOff(entry, true);
  }

  /** Shapes of the pods that wait for help. */
  waitingShapes(): readonly PodShape[] {
    return [...this.#unschedulable.keys()];
  }

  /** Something may have helped every pod of this shape. */
  help(shape: PodShape): void {
    for (const entry of this.#unschedulable.get(shape) ?? []) this.#backOff(entry, false);
    this.#unschedulable.delete(shape);
  }

  /** Milliseconds until the queue has something to do by itself; undefined when never. */
  nextMs(): number | undefined {
    const nowMs = this.#clock.monotonic();
    let dueMs = Infinity;
    this.#dropStale(this.#backoff, 'backoff');
    const first = this.#backoff.peek();
    // The first of its second may end a little later than another of the same second.
    if (first !== undefined) dueMs = first.atMs;
    for (const waiting of this.#unschedulable.values()) {
      // Entries join at the end, so the first has waited longest.
      for (const entry of waiting) {
        dueMs = Math.min(dueMs, entry.atMs + longestWaitMs);
        break;
      }
    }
    return dueMs === Infinity ? undefined : Math.max(0, dueMs - nowMs);
  }

  #backOff(entry: Entry, failedByError: boolean): void {
    const { attempts } = entry.queued;
    const delayMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.max(0, attempts - 1));
    this.#leave(entry);
    const sinceMs = entry.place === 'unschedulable' ? entry.atMs : this.#clock.monotonic();
    entry.failedByError = failedByError;
    entry.place = 'backoff';
    entry.atMs = sinceMs + delayMs;
    this.#backoff.push(entry);
  }

  #flush(): void {
    const nowMs = this.#clock.monotonic();
    for (const waiting of this.#unschedulable.values()) {
      for (const entry of waiting) {
        if (entry.atMs + longestWaitMs > nowMs) break;
        this.#backOff(entry, false);
      }
    }
    for (;;) {
      this.#dropStale(this.#backoff, 'backoff');
      const first = this.#backoff.peek();
      if (first === undefined || first.atMs > nowMs) return;
      this.#backoff.pop();
      first.place = 'active';
      this.#active.push(first);
    }
  }

  #early(): Entry | undefined {
    this.#dropStale(this.#backoff, 'backoff');
    if (this.#backoff.peek()?.failedByError === true) return undefined;
    return this.#next(this.#backoff, 'backoff');
  }

  #next(heap: Heap<Entry>, place: Place): Entry | undefined {
    this.#dropStale(heap, place);
    return heap.pop();
  }

  #dropStale(heap: Heap<Entry>, place: Place): void {
    while (heap.size > 0 && heap.peek()?.place !== place) heap.pop();
  }

  #leave(entry: Entry): void {
    if (entry.place !== 'unschedulable') return;
    const waiting = this.#unschedulable.get(entry.queued.shape);
    waiting?.delete(entry);
    if (waiting?.size === 0) this.#unschedulable.delete(entry.queued.shape);
  }
}
