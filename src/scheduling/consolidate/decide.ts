// Whether these nodes can go, and what it saves. In: a simulation, a set of candidates. Out: a removal, with or without new
// nodes, or why they stay. Nothing is decided that costs more afterwards, or that leaves a pod without a place.
import { podKey } from '../../model/pod.ts';
import type { Session } from '../solve/session.ts';
import type { Answer } from '../what-if.ts';
import { balanceScore, balanceThreshold, type PoolTotals } from './balance.ts';
import type { Candidate } from './candidates.ts';
import type { Reason } from './reason.ts';
import { cheapestLaunch, findReplacements, type Replacement } from './replacement.ts';
import { priceFloor } from './price-floor.ts';
import { describeStranded, type Simulation } from './simulation.ts';

export interface Removal {
  readonly candidates: readonly Candidate[];
  readonly answer: Answer;
  readonly replacements: readonly Replacement[];
  /** Per hour, if new nodes are launched as the cheapest they may be. */
  readonly savings: number;
  readonly disruptionCost: number;
}

export interface DecisionRules {
  readonly spotToSpot: boolean;
  /** New nodes that one command may make. */
  readonly maxReplacements: number;
  /** How often several new nodes are packed in search of a cheaper way. */
  readonly packRounds: number;
  readonly totals: ReadonlyMap<string, PoolTotals>;
  /** Word the reasons that take time to find out. */
  readonly explain: boolean;
}

export type Decision = Removal | Reason;

export function isRemoval(decision: Decision): decision is Removal {
  return 'answer' in decision;
}

/** `gone` are nodes that another command takes: they are no place for pods, and their price is not counted here. */
export function decide(
  simulation: Simulation,
  candidates: readonly Candidate[],
  rules: DecisionRules,
  gone: readonly Candidate[] = [],
): Decision {
  const freed = candidates.reduce((sum, { price }) => sum + price, 0);
  const packRounds = (session: Session): number =>
    rules.packRounds > 0 && isWorthPacking(session, freed) ? rules.packRounds : 0;
  const answer = simulation.ask([...gone, ...candidates], packRounds);
  if (answer.leftovers.stopped) return { kind: 'later', message: 'Time ran out' };
  const stranded = simulation.stranded(answer);
  if (stranded.size > 0) {
    const about = [...stranded.values()].flatMap((pods) => pods.map(podKey));
    const message = rules.explain
      ? describeStranded(answer, stranded)
      : 'Not all pods would schedule';
    return { kind: 'pods', message, about };
  }
  const { claims, session } = answer;
  if (claims.length > rules.maxReplacements) {
    const message = `Can't remove without creating ${claims.length} candidates`;
    return { kind: 'replacements', message };
  }
  const replacements = findReplacements(session, claims, { candidates, rules });
  if ('kind' in replacements) return replacements;
  return balanced(rules, {
    candidates,
    answer,
    replacements,
    savings: savingsOf(candidates, replacements),
    disruptionCost: candidates.reduce((sum, { disruptionCost }) => sum + disruptionCost, 0),
  });
}

/** Several new nodes may cost less; so may several instead of one that is too dear. Often none can cost little enough. */
function isWorthPacking(session: Session, freed: number): boolean {
  const { claims, compiled } = session;
  const [first] = claims;
  if (first === undefined || priceFloor(compiled, claims) >= freed) return false;
  return claims.length > 1 || cheapestLaunch(session, first) >= freed;
}

export function savingsOf(
  candidates: readonly Candidate[],
  replacements: readonly Pick<Replacement, 'price'>[],
): number {
  const freed = candidates.reduce((sum, { price }) => sum + price, 0);
  return replacements.reduce((rest, { price }) => rest - price, freed);
}

function balanced({ totals }: DecisionRules, removal: Removal): Decision {
  const score = balanceScore(totals, removal.candidates, removal.savings);
  if (score >= balanceThreshold) return removal;
  const message = `score ${score.toFixed(2)} < threshold ${balanceThreshold.toFixed(2)}`;
  return { kind: 'balance', message };
}
