// Whether a plan keeps to the limits of the pools. In: all sites. Out: violations.
// Which instance type a claim becomes is not known yet, so the largest amount of any it lists counts, resource by
// resource. Nodes that are on their way out count no more; `nodes` counts nodes.
import { type Amounts, largest, nothing, shortfall, sum } from './amounts.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import type { Site } from './site.ts';
import type { Violation } from './violation.ts';

const oneNode: Amounts = new Map([['nodes', 1_000_000_000n]]);

export function checkLimits(cluster: ClusterFacts, sites: readonly Site[]): Violation[] {
  return [...cluster.pools.values()].flatMap(({ name, limits }): Violation[] => {
    const claims = sites.filter(({ claim }) => claim?.nodePool === name);
    if (limits.size === 0 || claims.length === 0) return [];
    const running = [...cluster.nodes.values()].filter(
      ({ pool, deleting }) => pool === name && !deleting,
    );
    const used = sum(
      ...running.map(({ capacity }) => sum(capacity, oneNode)),
      ...claims.map((site) => sum(largestOf(cluster, site), oneNode)),
    );
    const limited = new Map([...used].filter(([resource]) => limits.has(resource)));
    const excess = shortfall(limited, limits);
    if (excess === undefined) return [];
    const text = `pool ${name}: ${claims.length} new and ${running.length} old nodes: ${excess} by its limits`;
    return [{ rule: 'limit', text }];
  });
}

function largestOf({ types }: ClusterFacts, { claim }: Site): Amounts {
  return largest(
    ...(claim?.instanceTypes ?? []).map((name) => types.get(name)?.capacity ?? nothing),
  );
}
