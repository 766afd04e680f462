// Where one pod goes. In: a pod and the cluster. Out: a node, or why there is none and whether preemption helps.
// Among equal nodes the first by name wins, so that the same cluster always gives the same answer.
import type { ClusterState } from './cluster-state.ts';
import { isRefusal, prepare, type Prepared } from './feasibility.ts';
import type { NodeState } from './node-state.ts';
import type { Nominations } from './nominations.ts';
import type { SchedulingPod } from './objects.ts';
import type { PodShape } from './pod-shape.ts';
import { checkWithPromises } from './preemption.ts';
import { surroundingScores } from './score.ts';
import { ShapeEvaluation } from './shape-evaluation.ts';
import type { Refusal } from './verdict.ts';

export interface NoPlace {
  readonly prepared: Prepared | undefined;
  readonly everywhere: Refusal | undefined;
  readonly perNode: ReadonlyMap<string, Refusal>;
  readonly unasked: string | undefined;
}

export type Placement =
  | { readonly node: NodeState; readonly prepared: Prepared }
  | { readonly node: undefined; readonly why: NoPlace };

const maxEvaluations = 1024;

export class Placer {
  readonly #state: ClusterState;
  readonly #nominations: Nominations;
  readonly #evaluations = new Map<PodShape, ShapeEvaluation>();

  constructor(state: ClusterState, nominations: Nominations) {
    this.#state = state;
    this.#nominations = nominations;
  }

  place(pod: SchedulingPod, shape: PodShape): Placement {
    const prepared = prepare(pod, shape, this.#state);
    if (isRefusal(prepared)) {
      const why = {
        prepared: undefined,
        everywhere: prepared,
        perNode: new Map<string, Refusal>(),
      };
      return { node: undefined, why: { ...why, unasked: undefined } };
    }
    const promised = this.#promisedNode(pod, prepared);
    if (promised !== undefined) return { node: promised, prepared };
    const evaluation = this.#evaluationOf(shape);
    const found = evaluation.feasible(prepared, this.#state);
    const promises = new Map<string, Refusal>();
    const feasible = this.#nominations.isEmpty
      ? found
      : found.filter((node) => this.#respectsPromises(pod, prepared, node, promises));
    const node = this.#best(shape, feasible, evaluation);
    if (node !== undefined) return { node, prepared };
    const perNode = evaluation.refusals(prepared, this.#state);
    for (const [name, refusal] of promises) perNode.set(name, refusal);
    const unasked =
      prepared.only === undefined ? undefined : "node(s) didn't satisfy plugin(s) [NodeAffinity]";
    return { node: undefined, why: { prepared, everywhere: undefined, perNode, unasked } };
  }

  /** The node that preemption made room on, if it is free by now. */
  #promisedNode(pod: SchedulingPod, prepared: Prepared): NodeState | undefined {
    const node = this.#state.node(pod.status?.nominatedNodeName ?? '');
    if (node === undefined) return undefined;
    const context = { state: this.#state, nominations: this.#nominations };
    return checkWithPromises(prepared, pod, node, context) === undefined ? node : undefined;
  }

  #respectsPromises(
    pod: SchedulingPod,
    prepared: Prepared,
    node: NodeState,
    refusals: Map<string, Refusal>,
  ): boolean {
    if (this.#nominations.on(node.name).length === 0) return true;
    const context = { state: this.#state, nominations: this.#nominations };
    const verdict = checkWithPromises(prepared, pod, node, context);
    if (verdict !== undefined) refusals.set(node.name, verdict);
    return verdict === undefined;
  }

  #best(
    shape: PodShape,
    feasible: readonly NodeState[],
    evaluation: ShapeEvaluation,
  ): NodeState | undefined {
    if (feasible.length <= 1) return feasible[0];
    const around = surroundingScores(shape, this.#state, feasible);
    let best: NodeState | undefined;
    let most = -Infinity;
    for (let index = 0; index < feasible.length; index++) {
      const node = feasible[index] as NodeState;
      const points = evaluation.points(node) + (around?.[index] ?? 0);
      if (points > most) {
        most = points;
        best = node;
      }
    }
    return best;
  }

  #evaluationOf(shape: PodShape): ShapeEvaluation {
    let evaluation = this.#evaluations.get(shape);
    if (evaluation === undefined) {
      if (this.#evaluations.size >= maxEvaluations) this.#evaluations.clear();
      evaluation = new ShapeEvaluation(shape);
      this.#evaluations.set(shape, evaluation);
    }
    return evaluation;
  }
}
