// The cluster as the scheduler keeps it between events: nodes with their sums, pods by shape, counters.
// In: nodes, pods, namespaces, storage objects as they change. Out: everything that filters and scores ask.
// 1. A pod stands on at most one node.
// 2. Every counter equals a fresh count over all placed pods.
// 3. `topology` changes whenever the set of nodes, a label or a taint does.
import { NodeState, type PlacedPod } from './node-state.ts';
import type { Labels, Node, SchedulingPod } from './objects.ts';
import { PodCounter, type PodMatcher } from './pod-counter.ts';
import { compileShape, shapeKey, type AffinityTerm, type PodShape } from './pod-shape.ts';
import { StorageState } from './storage-state.ts';

/** The nodes by their value of one label, as small numbers: summing over domains is adding to an array. */
export interface Domains {
  /** By node index; -1 where the node lacks the label. */
  readonly of: Int32Array;
  readonly values: readonly string[];
}

const maxCounters = 2048;
const maxShapes = 4096;

/** A distinct required anti-affinity (or scored) term of pods that are already placed. */
export interface HeldTerm {
  readonly term: AffinityTerm;
  readonly counter: PodCounter;
  readonly weight: number;
}

export class ClusterState {
  readonly storage = new StorageState();
  readonly #byName = new Map<string, NodeState>();
  readonly #nodeOfPod = new Map<string, NodeState>();
  readonly #shapes = new Map<string, PodShape>();
  readonly #counters = new Map<string, PodCounter>();
  readonly #namespaces = new Map<string, Labels>();
  readonly #claimUsers = new Map<string, number>();
  readonly #antiTerms = new Map<string, HeldTerm>();
  readonly #scoredTerms = new Map<string, HeldTerm>();
  readonly #domains = new Map<string, Domains>();
  #ordered: readonly NodeState[] | undefined;
  #freeIndexes: number[] = [];
  capacity = 64;
  topology = 0;
  /** Changes with everything: a decision made under an equal version needs no second look. */
  version = 0;

  /** Nodes that exist, by name. */
  get nodes(): readonly NodeState[] {
    this.#ordered ??= [...this.#byName.values()]
      .filter((state) => state.node !== undefined)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return this.#ordered;
  }

  node(name: string): NodeState | undefined {
    const state = this.#byName.get(name);
    return state?.node === undefined ? undefined : state;
  }

  nodeOf(podUid: string): NodeState | undefined {
    return this.#nodeOfPod.get(podUid);
  }

  setNode(node: Node): void {
    this.#slot(node.metadata.name).set(node);
    this.#changed(true);
  }

  removeNode(name: string): void {
    const state = this.#byName.get(name);
    if (state === undefined) return;
    state.set(undefined);
    this.#releaseIfEmpty(state);
    this.#changed(true);
  }

  shapeOf(pod: SchedulingPod): PodShape {
    const key = shapeKey(pod);
    let shape = this.#shapes.get(key);
    if (shape === undefined) {
      shape = compileShape(pod, key);
      if (this.#shapes.size >= maxShapes) this.#shapes.clear();
      this.#shapes.set(key, shape);
    }
    return shape;
  }

  /** True when it changed anything that a decision could hang on. */
  place(pod: SchedulingPod, nodeName: string): boolean {
    const uid = pod.metadata.uid ?? '';
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    const placed = { uid, pod, shape: this.shapeOf(pod), terminating };
    const at = this.#nodeOfPod.get(uid);
    const known = at?.pods.get(uid);
    if (
      at?.name === nodeName &&
      known?.shape === placed.shape &&
      known.terminating === terminating
    ) {
      // Only the kubelet's part has changed.
      at.pods.set(uid, placed);
      return false;
    }
    this.unplace(uid);
    this.restore(placed, nodeName);
    return true;
  }

  /** Puts back what `unplace` took away. */
  restore(placed: PlacedPod, nodeName: string): void {
    const state = this.#slot(nodeName);
    state.add(placed);
    this.#nodeOfPod.set(placed.uid, state);
    this.#count(placed, state.index, 1);
    this.#changed(false);
  }

  unplace(uid: string): PlacedPod | undefined {
    const state = this.#nodeOfPod.get(uid);
    const placed = state?.remove(uid);
    if (state === undefined || placed === undefined) return undefined;
    this.#nodeOfPod.delete(uid);
    this.#count(placed, state.index, -1);
    this.#releaseIfEmpty(state);
    this.#changed(false);
    return placed;
  }

  setNamespace(name: string, labels: Labels | undefined): void {
    if (labels === undefined) this.#namespaces.delete(name);
    else this.#namespaces.set(name, labels);
    // Terms with a namespace selector may now match other pods.
    this.#counters.clear();
    this.#changed(true);
  }

  namespaceLabels(name: string): Labels {
    return this.#namespaces.get(name) ?? {};
  }

  /** Pods, placed anywhere, that mount this claim. */
  claimUsers(namespace: string, claim: string): number {
    return this.#claimUsers.get(`${namespace}/${claim}`) ?? 0;
  }

  counter(matcher: PodMatcher): PodCounter {
    const known = this.#counters.get(matcher.key);
    if (known !== undefined) return known;
    const counter = new PodCounter(matcher, this.capacity);
    for (const state of this.#byName.values()) {
      for (const { shape, terminating } of state.pods.values()) {
        counter.count({ shape, terminating, nodeIndex: state.index, sign: 1 });
      }
    }
    if (this.#counters.size >= maxCounters) this.#counters.clear();
    this.#counters.set(matcher.key, counter);
    return counter;
  }

  /** Numbers the values of a label over all nodes that exist; good until the topology changes. */
  domains(topologyKey: string): Domains {
    const known = this.#domains.get(topologyKey);
    if (known !== undefined) return known;
    const of = new Int32Array(this.capacity).fill(-1);
    const numbers = new Map<string, number>();
    for (const { index, labels } of this.nodes) {
      const value = labels[topologyKey];
      if (value === undefined) continue;
      const number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      of[index] = number;
    }
    const domains = { of, values: [...numbers.keys()] };
    this.#domains.set(topologyKey, domains);
    return domains;
  }

  /** Required anti-affinity terms of placed pods, each once. */
  antiTerms(): Iterable<HeldTerm> {
    return this.#antiTerms.values();
  }

  /** Affinity terms of placed pods that draw or repel others, each once. */
  scoredTerms(): Iterable<HeldTerm> {
    return this.#scoredTerms.values();
  }

  #count(placed: PlacedPod, nodeIndex: number, sign: 1 | -1): void {
    const { shape, terminating } = placed;
    for (const counter of this.#counters.values()) {
      counter.count({ shape, terminating, nodeIndex, sign });
    }
    for (const term of shape.antiAffinity) {
      this.#hold(this.#antiTerms, { term, weight: 1, nodeIndex, sign });
    }
    for (const { term, weight } of scoredTermsOf(shape)) {
      this.#hold(this.#scoredTerms, { term, weight, nodeIndex, sign });
    }
    for (const claim of shape.claimNames) {
      const key = `${shape.namespace}/${claim}`;
      this.#claimUsers.set(key, (this.#claimUsers.get(key) ?? 0) + sign);
    }
  }

  #hold(
    terms: Map<string, HeldTerm>,
    change: {
      readonly term: AffinityTerm;
      readonly weight: number;
      readonly nodeIndex: number;
      readonly sign: 1 | -1;
    },
  ): void {
    const { term, weight, nodeIndex, sign } = change;
    const key = `${weight} ${term.key}`;
    let held = terms.get(key);
    if (held === undefined) {
      const matcher = { key, skipsTerminating: false, weigh: () => 1 };
      held = { term, weight, counter: new PodCounter(matcher, this.capacity) };
      terms.set(key, held);
    }
    const { perNode } = held.counter;
    perNode[nodeIndex] = (perNode[nodeIndex] ?? 0) + sign;
    // Once nobody holds a term it must not slow down every later pod.
    if (sign < 0 && perNode.every((count) => count === 0)) terms.delete(key);
  }

  #slot(name: string): NodeState {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const index = this.#freeIndexes.pop() ?? this.#byName.size;
    if (index >= this.capacity) this.#grow();
    const state = new NodeState(name, index);
    this.#byName.set(name, state);
    return state;
  }

  #grow(): void {
    this.capacity *= 2;
    this.#domains.clear();
    for (const counter of this.#counters.values()) counter.grow(this.capacity);
    for (const { counter } of this.#antiTerms.values()) counter.grow(this.capacity);
    for (const { counter } of this.#scoredTerms.values()) counter.grow(this.capacity);
  }

  #releaseIfEmpty(state: NodeState): void {
    if (state.node !== undefined || state.pods.size > 0) return;
    this.#byName.delete(state.name);
    this.#freeIndexes.push(state.index);
  }

  #changed(topology: boolean): void {
    this.version++;
    if (!topology) return;
    this.topology++;
    this.#ordered = undefined;
    this.#domains.clear();
  }
}

/** A required affinity draws others as a preference of weight 1 would. */
function* scoredTermsOf(shape: PodShape): Generator<{ term: AffinityTerm; weight: number }> {
  for (const term of shape.affinity) yield { term, weight: 1 };
  yield* shape.preferredAffinity;
  for (const { term, weight } of shape.preferredAntiAffinity) yield { term, weight: -weight };
}
