// Every node that could be made: each pool with each instance type in each offering that can be had, as far as their
// labels agree. In: facts of the cluster. Out: the list, without looking at any pod.
import type { ClusterFacts, OfferingFacts, PoolFacts, TypeFacts } from './cluster-facts.ts';
import { common, isEmpty, type LabelSet, missing } from './label-set.ts';

export interface MakeableNode {
  readonly pool: PoolFacts;
  readonly type: TypeFacts;
  readonly offering: OfferingFacts;
  labelOf(key: string): LabelSet;
}

export function makeableNodes(cluster: ClusterFacts): MakeableNode[] {
  const pools = [...cluster.pools.values()].filter(({ closed }) => closed === undefined);
  return pools.flatMap((pool) =>
    [...cluster.types.values()].flatMap((type) =>
      type.offerings.flatMap((offering) => {
        const sources = [pool.labels, type.labels, offering.labels];
        const labelOf = (key: string): LabelSet => {
          const stated = sources
            .map((labels) => labels.get(key))
            .filter((set) => set !== undefined);
          return stated.length === 0 ? missing : stated.reduce(common);
        };
        const isPossible = sources.every((labels) =>
          [...labels.keys()].every((key) => !isEmpty(labelOf(key))),
        );
        return isPossible ? [{ pool, type, offering, labelOf }] : [];
      }),
    ),
  );
}
