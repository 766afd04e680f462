// Asks what would become of the pods of some nodes. In: a cluster, compiled once, and sets of candidates. Out: the answer of
// the solver, and which pods would be without a place that are not without one now.
// 1. Pods that move use no node that has not come up yet, and none whose own pods came or went too recently: both may
//    turn out differently. Pods that wait anyway may use them.
// 2. What is without a place before counts for nothing: no command has to mend it, and none may make it worse.
import type { Pod } from '../../api/core.ts';
import { type NodeClaim, nodeClaimCondition } from '../../api/node-claim.ts';
import { findCondition } from '../../model/conditions.ts';
import { nillableDurationMs } from '../../model/duration.ts';
import { podKey } from '../../model/pod.ts';
import { compile, type CompiledProblem } from '../compile/compile.ts';
import type { PodShape } from '../compile/pod-shape.ts';
import { podErrors } from '../explain/pod-errors.ts';
import { movingPods } from '../prepare/moving-pods.ts';
import type { SchedulingOptions } from '../scheduling-problem.ts';
import type { Session } from '../solve/session.ts';
import { type Answer, whatIf } from '../what-if.ts';
import type { Candidate } from './candidates.ts';
import { type Cluster, isLeaving, type NodeState } from './cluster.ts';

const shownPods = 5;

type PackRounds = (session: Session) => number;

export class Simulation {
  readonly compiled: CompiledProblem;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #waiting: readonly Pod[];
  readonly #closed: ReadonlySet<number>;
  readonly #stop: (() => boolean) | undefined;
  #base: Answer | undefined;
  #asked = 0;

  constructor(
    cluster: Cluster,
    options: { readonly scheduling: SchedulingOptions; readonly stop?: () => boolean },
  ) {
    const { problem, nodes, podDisruptionBudgets, nowMs } = cluster;
    const leaving = new Set(nodes.filter(isLeaving).map(({ place }) => place.name));
    const places = problem.nodes.map((place) =>
      leaving.has(place.name) && !place.deleting ? { ...place, deleting: true } : place,
    );
    this.#waiting = [...problem.pods, ...movingPods(places, podDisruptionBudgets, nowMs)];
    this.compiled = compile({ ...problem, nodes: places, pods: this.#waiting }, options.scheduling);
    this.#indexes = new Map(this.compiled.nodes.nodes.map(({ name }, index) => [name, index]));
    this.#closed = this.#indexesOf(
      nodes.filter((state) => !state.place.initialized || isInWindow(cluster, state)),
    );
    this.#stop = options.stop;
  }

  /** How many questions were asked. */
  get asked(): number {
    return this.#asked;
  }

  get isStopped(): boolean {
    return this.#stop?.() === true;
  }

  /** How things are when nothing is removed. */
  get base(): Answer {
    this.#base ??= this.#whatIf([], () => 0);
    return this.#base;
  }

  /** New nodes are packed for money only where that may make a difference. */
  ask(set: readonly Candidate[], packRounds: PackRounds = () => 0): Answer {
    this.#asked++;
    return this.#whatIf(set, packRounds);
  }

  /** Pods that the answer leaves without a place, beyond those that have none anyway. */
  stranded({ leftovers, pending }: Answer): Map<PodShape, Pod[]> {
    const stranded = new Map<PodShape, Pod[]>();
    if (leftovers.unplaced.size === 0) return stranded;
    const before = this.base.leftovers.unplaced;
    for (const [shape, count] of leftovers.unplaced) {
      const more = count - (before.get(shape) ?? 0);
      if (more > 0) stranded.set(shape, (pending.get(shape) ?? []).slice(-more));
    }
    return stranded;
  }

  #whatIf(set: readonly Candidate[], packRounds: PackRounds): Answer {
    const without = this.#indexesOf(set.map(({ name }) => ({ place: { name } })));
    const pods = set.flatMap(({ moving }) => moving);
    const waiting = this.#waiting;
    const question = { without, pods, waiting, closed: this.#closed, packRounds };
    return whatIf(this.compiled, question, this.#stop);
  }

  #indexesOf(nodes: readonly { readonly place: { readonly name: string } }[]): ReadonlySet<number> {
    return new Set(nodes.flatMap(({ place }) => this.#indexes.get(place.name) ?? []));
  }
}

/** In the words of the original. */
export function describeStranded(
  { session }: Answer,
  stranded: ReadonlyMap<PodShape, readonly Pod[]>,
): string {
  const explain = podErrors(session);
  const all = [...stranded].flatMap(([shape, pods]) =>
    pods.map((pod) => ({ key: podKey(pod), shape })),
  );
  const shown = all
    .slice(0, shownPods)
    .map(({ key, shape }) => `${key} => ${explain(shape)}`)
    .join('; ');
  const others = all.length - shownPods;
  return `Not all pods would schedule, ${shown}${others > 0 ? ` and ${others} other(s)` : ''}`;
}

/** Whether its own rest is still being waited for. A window of nothing, or for ever, keeps nobody out. */
function isInWindow({ pools, nowMs }: Cluster, { nodeClaim, place }: NodeState): boolean {
  const { consolidateAfter } = pools.get(place.pool ?? '')?.pool.spec.disruption ?? never;
  const windowMs = nillableDurationMs(consolidateAfter) ?? 0;
  if (windowMs === 0 || nodeClaim === undefined) return false;
  const since = restingSince(nodeClaim);
  return since !== undefined && nowMs - Date.parse(since) < windowMs;
}

const never = { consolidateAfter: 'Never' };

function restingSince({ status }: NodeClaim): string | undefined {
  const { lastPodEventTime, conditions } = status ?? {};
  const started = findCondition(conditions, nodeClaimCondition.initialized);
  return lastPodEventTime ?? started?.lastTransitionTime;
}
