// What would become of the pods if certain nodes were gone? In: a compiled problem, the nodes, their pods that would have to
// move. Out: where they would go, and what new nodes they would need.
// The compiled problem is only read, and what a question changes is its own: asking costs the pods that move and a look
// at the nodes for each of their shapes, not the cluster.
import type { Pod } from '../api/core.ts';
import type { CompiledProblem } from './compile/compile.ts';
import type { PodShape } from './compile/pod-shape.ts';
import { repack } from './pack/repack.ts';
import type { Claim } from './solve/claim.ts';
import { Session } from './solve/session.ts';
import { type Leftovers, placeAll } from './solve/solve.ts';

export interface Question {
  /** Nodes that would be gone, by their index in the compiled problem. */
  readonly without: ReadonlySet<number>;
  /** Pods to be placed: those that would have to move, and whoever waits anyway. */
  readonly pods: readonly Pod[];
}

export interface Answer {
  readonly session: Session;
  readonly pending: ReadonlyMap<PodShape, readonly Pod[]>;
  /** New nodes that would be needed. */
  readonly claims: readonly Claim[];
  readonly leftovers: Leftovers;
}

export function whatIf(
  compiled: CompiledProblem,
  { without, pods }: Question,
  stop?: () => boolean,
): Answer {
  const pending = Map.groupBy(pods, (pod) => compiled.shapes.shapeOf(pod));
  const session = new Session(compiled, without);
  const leftovers = placeAll(session, pending, stop);
  const isWorthPacking = session.claims.length > 1 && compiled.options.packRounds > 0;
  const claims = isWorthPacking ? repack(session, stop) : session.claims;
  return { session, pending, claims, leftovers };
}
