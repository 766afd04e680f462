// Whether money saved is worth the disruption, for pools that ask. In: totals of the pools, a set of nodes, what it saves.
// Out: a score per pool: the share of its cost that is saved, over the share of its disruption that is caused.
// 1. Every pool with the policy must find the score good enough; others have no say.
// 2. A saving that several pools have part in is theirs by what their nodes cost.
import { label } from '../../api/labels.ts';
import { rescheduleCost } from '../../model/disruption-cost.ts';
import { isOwnedByDaemonSet } from '../../model/pod.ts';
import type { Candidate } from './candidates.ts';
import type { Cluster } from './cluster.ts';

/** Half the average is enough. */
export const balanceThreshold = 0.5;

export interface PoolTotals {
  readonly cost: number;
  readonly disruption: number;
}

/** Of pools that have a candidate. */
export function poolTotals(
  { nodes, poolCosts }: Pick<Cluster, 'nodes' | 'poolCosts'>,
  candidates: readonly Candidate[],
): ReadonlyMap<string, PoolTotals> {
  const costs = new Map(candidates.map(({ name, disruptionCost }) => [name, disruptionCost]));
  const disruption = new Map<string, number>();
  for (const { place } of nodes) {
    const pool = place.labels[label.nodePool] ?? '';
    const cost =
      costs.get(place.name) ?? rescheduleCost(place.pods.filter((pod) => !isOwnedByDaemonSet(pod)));
    disruption.set(pool, (disruption.get(pool) ?? 0) + cost);
  }
  const members = Map.groupBy(candidates, ({ pool }) => pool.metadata.name);
  return new Map(
    [...members].map(([pool, own]) => {
      const counted = poolCosts?.get(pool) ?? 0;
      const cost = counted > 0 ? counted : sum(own.map(({ price }) => price));
      return [pool, { cost, disruption: disruption.get(pool) ?? 0 }];
    }),
  );
}

/** The lowest score of any pool that keeps the balance; Infinity when none does. */
export function balanceScore(
  totals: ReadonlyMap<string, PoolTotals>,
  set: readonly Candidate[],
  savings: number,
): number {
  const source = sum(set.map(({ price }) => price));
  const members = Map.groupBy(set, ({ pool }) => pool);
  let lowest = Infinity;
  for (const [pool, own] of members) {
    if (pool.spec.disruption.consolidationPolicy !== 'Balanced') continue;
    const part = sum(own.map(({ price }) => price));
    const share = members.size > 1 && source > 0 ? (savings * part) / source : savings;
    const disruption = sum(own.map(({ disruptionCost }) => disruptionCost));
    const score = scoreOf(totals.get(pool.metadata.name), { savings: share, disruption });
    lowest = Math.min(lowest, score);
  }
  return lowest;
}

function scoreOf(
  totals: PoolTotals | undefined,
  { savings, disruption }: { readonly savings: number; readonly disruption: number },
): number {
  if (totals === undefined || totals.cost <= 0 || totals.disruption <= 0) return 0;
  if (savings <= 0) return 0;
  return disruption === 0 ? Infinity : savings / totals.cost / (disruption / totals.disruption);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
