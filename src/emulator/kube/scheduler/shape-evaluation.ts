// Verdicts and points of one shape on every node, kept until a node changes. In: the cluster now.
// Out: the nodes that would do, or why each would not.
// 1. A remembered verdict is used only while node and generation are the ones it was reached for.
// 2. After one pod is placed, one node is looked at again, not all of them.
import type { ClusterState } from './cluster-state.ts';
import { checkNode, checkSurroundings, type Prepared } from './feasibility.ts';
import type { NodeState } from './node-state.ts';
import type { PodShape } from './pod-shape.ts';
import { scoreNode } from './score.ts';
import type { Refusal, Verdict } from './verdict.ts';

interface Remembered {
  readonly node: NodeState;
  readonly generation: number;
  readonly verdict: Verdict;
  readonly points: number;
}

export class ShapeEvaluation {
  readonly #shape: PodShape;
  readonly #remembered: (Remembered | undefined)[] = [];

  constructor(shape: PodShape) {
    this.#shape = shape;
  }

  /** The nodes that would do. */
  feasible(prepared: Prepared, state: ClusterState): NodeState[] {
    const isAlone =
      prepared.claims === undefined &&
      prepared.spread.length === 0 &&
      prepared.affinity === undefined;
    const feasible: NodeState[] = [];
    for (const node of candidates(prepared, state)) {
      if (this.#recall(node).verdict !== undefined) continue;
      if (isAlone || checkSurroundings(prepared, node, state) === undefined) feasible.push(node);
    }
    return feasible;
  }

  /** Why each of the others would not; asked only when none would do. */
  refusals(prepared: Prepared, state: ClusterState): Map<string, Refusal> {
    const refusals = new Map<string, Refusal>();
    for (const node of candidates(prepared, state)) {
      const verdict = this.#recall(node).verdict ?? checkSurroundings(prepared, node, state);
      if (verdict !== undefined) refusals.set(node.name, verdict);
    }
    return refusals;
  }

  points(node: NodeState): number {
    return this.#recall(node).points;
  }

  #recall(node: NodeState): Remembered {
    const known = this.#remembered[node.index];
    if (known?.node === node && known.generation === node.generation) return known;
    const verdict = checkNode(this.#shape, node);
    const points = verdict === undefined ? scoreNode(this.#shape, node) : 0;
    const fresh = { node, generation: node.generation, verdict, points };
    this.#remembered[node.index] = fresh;
    return fresh;
  }
}

function candidates({ only }: Prepared, state: ClusterState): readonly NodeState[] {
  return only === undefined ? state.nodes : state.nodes.filter(({ name }) => only.has(name));
}
