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
  /** Pods that would have to move. */
  readonly pods: readonly Pod[];
  /** Pods that wait anyway. */
  readonly waiting?: readonly Pod[];
  /** Nodes that take pods that wait, but none that would have to move. */
  readonly closed?: ReadonlySet<number>;
  /** How often new nodes are packed anew in search of a cheaper way; by default as the options say, if there are several. */
  readonly packRounds?: (session: Session) => number;
}

export interface Answer {
  readonly session: Session;
  readonly pending: ReadonlyMap<PodShape, readonly Pod[]>;
  /** New nodes that would be needed. */
  readonly claims: readonly Claim[];
  readonly leftovers: Leftovers;
}

const noNodes: ReadonlySet<number> = new Set();

export function whatIf(
  compiled: CompiledProblem,
  question: Question,
  stop?: () => boolean,
): Answer {
  const { without, pods, waiting = [] } = question;
  // Before the session: a shape brings rules, and the session counts from those that are known.
  const pending = byShape(compiled, [...waiting, ...pods]);
  const session = new Session(compiled, without);
  const leftovers = place(session, pending, question, stop);
  const { claims } = session;
  const { packRounds = roundsForSeveral } = question;
  const rounds = claims.length === 0 ? 0 : packRounds(session);
  return {
    session,
    pending,
    claims: rounds === 0 ? claims : repack(session, stop, rounds),
    leftovers,
  };
}

function roundsForSeveral({ claims, compiled }: Session): number {
  return claims.length > 1 ? compiled.options.packRounds : 0;
}

/** Pods that may go where others may not go first. */
function place(
  session: Session,
  pending: ReadonlyMap<PodShape, readonly Pod[]>,
  { pods, waiting = [], closed = noNodes }: Question,
  stop?: () => boolean,
): Leftovers {
  if (closed.size === 0 || waiting.length === 0) {
    session.close(closed);
    return placeAll(session, pending, stop);
  }
  const first = placeAll(session, byShape(session.compiled, waiting), stop);
  session.close(closed);
  return together(first, placeAll(session, byShape(session.compiled, pods), stop));
}

function byShape({ shapes }: CompiledProblem, pods: readonly Pod[]): Map<PodShape, Pod[]> {
  return Map.groupBy(pods, (pod) => shapes.shapeOf(pod));
}

function together(a: Leftovers, b: Leftovers): Leftovers {
  const unplaced = new Map(a.unplaced);
  for (const [shape, count] of b.unplaced) unplaced.set(shape, (unplaced.get(shape) ?? 0) + count);
  return { unplaced, stopped: a.stopped || b.stopped };
}
