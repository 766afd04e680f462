// A solve that is through → a plan. In: the session, the pods by shape, what was left over. Out: a plan that names pods.
// Pods of a shape are alike until here; now the oldest go to the first places.
import type { Pod } from '../../api/core.ts';
import { describeUnmetMinValues } from '../../model/min-values.ts';
import type { PodShape } from '../compile/pod-shape.ts';
import type { Claim, Load } from '../solve/claim.ts';
import { fitting } from '../solve/on-claim.ts';
import type { Session } from '../solve/session.ts';
import type { Leftovers } from '../solve/solve.ts';
import { finishClaim } from './finish-claim.ts';
import type { Plan, PlannedClaim, PlannedNode } from './plan.ts';

export function finish(
  session: Session,
  outcome: {
    readonly claims: readonly Claim[];
    readonly leftovers: Leftovers;
    readonly pending: ReadonlyMap<PodShape, readonly Pod[]>;
  },
  explain: (shape: PodShape) => string,
): Plan {
  const { leftovers, pending } = outcome;
  const hand = new Map([...pending].map(([shape, pods]) => [shape, { pods, next: 0 }]));
  const deal = (loads: readonly Load[]): Pod[] =>
    loads.flatMap(({ shape, count }) => {
      const stack = hand.get(shape);
      if (stack === undefined) return [];
      stack.next += count;
      return stack.pods.slice(stack.next - count, stack.next);
    });
  const nodes = session.compiled.nodes.nodes.flatMap(({ name }, node): PlannedNode[] => {
    const pods = deal(session.loadsOn(node));
    return pods.length === 0 ? [] : [{ name, pods }];
  });
  const all = outcome.claims.map((claim) =>
    finishClaim(session.compiled, {
      template: claim.template,
      state: claim.state,
      variants: fitting(session, claim),
      pods: deal(claim.loads),
      loads: claim.loads,
    }),
  );
  const failures = new Map<Pod, string>();
  const isStrict = session.compiled.options.minValuesPolicy === 'Strict';
  const claims = all.filter(({ unmetMinValues }) => !isStrict || unmetMinValues.size === 0);
  for (const claim of all) {
    if (!claims.includes(claim)) for (const pod of claim.pods) failures.set(pod, tooUniform(claim));
  }
  const unreached: Pod[] = [];
  for (const [shape, count] of leftovers.unplaced) {
    const stack = hand.get(shape);
    const rest = stack?.pods.slice(stack.pods.length - count) ?? [];
    if (leftovers.stopped) unreached.push(...rest);
    else for (const pod of rest) failures.set(pod, explain(shape));
  }
  return {
    claims,
    nodes,
    failures,
    totalPrice: claims.reduce((sum, { launch }) => sum + launch.price, 0),
    stopped: leftovers.stopped,
    unreached,
  };
}

/** A list of types that was cut short may lose the variety that it had. */
function tooUniform({ pool, unmetMinValues }: PlannedClaim): string {
  const why = describeUnmetMinValues(unmetMinValues);
  return `pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, ${why} (NodePool=${pool.metadata.name})`;
}
