// Pods that have been promised a node by preemption and wait for their victims to leave.
// In: nominations coming and going. Out: who is promised what. One pod has at most one promise.
import type { PlacedPod } from './node-state.ts';

export class Nominations {
  readonly #nodeOf = new Map<string, string>();
  readonly #byNode = new Map<string, Map<string, PlacedPod>>();

  get isEmpty(): boolean {
    return this.#nodeOf.size === 0;
  }

  set(placed: PlacedPod, nodeName: string): void {
    this.remove(placed.uid);
    this.#nodeOf.set(placed.uid, nodeName);
    let promised = this.#byNode.get(nodeName);
    if (promised === undefined) this.#byNode.set(nodeName, (promised = new Map()));
    promised.set(placed.uid, placed);
  }

  remove(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const promised = this.#byNode.get(nodeName);
    promised?.delete(uid);
    if (promised?.size === 0) this.#byNode.delete(nodeName);
  }

  /** Promises on the node that a pod of this priority has to respect. */
  toRespect(nodeName: string, uid: string, priority: number): readonly PlacedPod[] {
    return this.on(nodeName).filter(
      (other) => other.uid !== uid && other.shape.priority >= priority,
    );
  }

  on(nodeName: string): readonly PlacedPod[] {
    return [...(this.#byNode.get(nodeName)?.values() ?? [])];
  }
}
