// How many pods of a certain kind stand on each node. In: pods coming and going. Out: one number per node index.
// A verdict about a shape is reached once and remembered: ten thousand equal pods cost one evaluation.
import type { PodShape } from './pod-shape.ts';

export interface PodMatcher {
  /** Equal keys mean equal matchers. */
  readonly key: string;
  /** Spread does not count pods that are on their way out; affinity does. */
  readonly skipsTerminating: boolean;
  /** How much a pod of this shape counts; 0 when it does not match. */
  readonly weigh: (shape: PodShape) => number;
}

export class PodCounter {
  perNode: Float64Array;
  readonly #matcher: PodMatcher;
  readonly #weights = new Map<PodShape, number>();

  constructor(matcher: PodMatcher, capacity: number) {
    this.#matcher = matcher;
    this.perNode = new Float64Array(capacity);
  }

  count(options: {
    readonly shape: PodShape;
    readonly terminating: boolean;
    readonly nodeIndex: number;
    readonly sign: 1 | -1;
  }): void {
    const { shape, terminating, nodeIndex, sign } = options;
    if (terminating && this.#matcher.skipsTerminating) return;
    let weight = this.#weights.get(shape);
    if (weight === undefined) {
      weight = this.#matcher.weigh(shape);
      this.#weights.set(shape, weight);
    }
    if (weight === 0) return;
    this.perNode[nodeIndex] = (this.perNode[nodeIndex] ?? 0) + sign * weight;
  }

  grow(capacity: number): void {
    const grown = new Float64Array(capacity);
    grown.set(this.perNode);
    this.perNode = grown;
  }
}
