// What is to be done. In: a removal that was decided. Out: a command that names everything: nodes that go, nodes to be made
// with the types they may be, and where each pod is expected.
import type { BudgetReason } from '../../api/node-pool.ts';
import { podErrors } from '../explain/pod-errors.ts';
import { finish } from '../plan/finish.ts';
import { finishClaim } from '../plan/finish-claim.ts';
import type { PlannedClaim, PlannedNode } from '../plan/plan.ts';
import type { Candidate } from './candidates.ts';
import type { Removal } from './decide.ts';

export interface Command {
  readonly reason: BudgetReason;
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly PlannedClaim[];
  /** Per hour. */
  readonly savings: number;
  /** Nodes that stay and get pods; those of pods that wait anyway are among them. */
  readonly moved: readonly PlannedNode[];
}

export function commandOf(removal: Removal, reason: BudgetReason): Command {
  const { candidates, answer, replacements, savings } = removal;
  const { session, claims, leftovers, pending } = answer;
  const plan = finish(session, { claims, leftovers, pending }, podErrors(session));
  return {
    reason,
    decision: replacements.length === 0 ? 'delete' : 'replace',
    candidates,
    replacements: replacements.map(({ claim, state, variants }, i) =>
      finishClaim(session.compiled, {
        template: claim.template,
        state,
        variants,
        pods: plan.claims[i]?.pods ?? [],
        loads: claim.loads,
      }),
    ),
    savings,
    moved: plan.nodes,
  };
}
