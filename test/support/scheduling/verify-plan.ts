// The judge of plans: does this plan keep the rules of Kubernetes and of the NodePools? In: a problem and a plan, both
// as in their files. Out: everything the plan does wrong, in words; an empty list is a sound plan.
// 1. It shares nothing with the solver and with the model it is built on but the arithmetic of quantities.
// 2. Only hard rules count: preferences, weights of pools and the price as such are the solver's business. Whether a pod
//    in `podErrors` could have been placed is not judged here (brute-force.ts does, for small problems).
// 3. What a new node will be is not decided by a plan; a rule must hold for everything it might become.
import { checkAffinity, checkAntiAffinity } from './check-affinity.ts';
import { checkClaim, type ClaimPolicy, isSame } from './check-claims.ts';
import { checkLimits } from './check-limits.ts';
import { checkNodeFit } from './check-node-fit.ts';
import { checkSpread } from './check-spread.ts';
import { type ClusterFacts, clusterFacts } from './cluster-facts.ts';
import { makeableNodes } from './makeable-nodes.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PlanJson, ProblemJson } from './problem-json.ts';
import { claimSite, existingSite, type Site } from './site.ts';
import type { Violation } from './violation.ts';
import { volumesOf } from './volume-facts.ts';

export function verifyPlan(
  problem: ProblemJson,
  plan: PlanJson,
  policy: ClaimPolicy = { minValues: 'Strict' },
): Violation[] {
  const cluster = clusterFacts(problem);
  const sites = sitesOf(cluster, plan);
  return [
    ...checkAccounting(cluster, plan),
    ...checkTotal(plan),
    ...sites.flatMap((site) => checkClaim(cluster, site, policy)),
    ...checkPlacement(cluster, sites),
  ];
}

/** The rules about who runs where, without those about what a plan says about itself. */
export function checkPlacement(cluster: ClusterFacts, sites: readonly Site[]): Violation[] {
  return [
    ...sites.flatMap((site) => checkNodeFit(cluster, site)),
    ...checkLimits(cluster, sites),
    ...checkAntiAffinity(sites),
    ...checkAffinity(sites),
    ...checkSpread(
      sites,
      once(() => makeableNodes(cluster)),
    ),
  ];
}

/** Labels that anything in the problem asks about; possible nodes that agree on these are one. */
export function relevantKeys(cluster: ClusterFacts): string[] {
  const bound = [...cluster.nodes.values()].flatMap((node) => node.bound);
  const pods = [...cluster.pods.values(), ...cluster.daemons, ...bound];
  const keys = pods.flatMap((pod) => [
    ...pod.nodeAlternatives.flatMap((demands) => demands.map(([key]) => key)),
    ...pod.spread.map(({ topologyKey }) => topologyKey),
    ...[...pod.affinity, ...pod.antiAffinity].map(({ key }) => key),
    ...volumesOf(cluster.problem, pod).flatMap(({ alternatives }) =>
      alternatives.flatMap((demands) => demands.map(([key]) => key)),
    ),
  ]);
  return [...new Set(keys)].toSorted();
}

function sitesOf(cluster: ClusterFacts, plan: PlanJson): Site[] {
  const podsNamed = (names: readonly string[]): PodFacts[] =>
    names.flatMap((name) => cluster.pods.get(name) ?? []);
  const placed = new Map(plan.existingNodes.map(({ name, pods }) => [name, podsNamed(pods)]));
  const keys = relevantKeys(cluster);
  return [
    ...[...cluster.nodes.values()].map((node) => existingSite(node, placed.get(node.name) ?? [])),
    ...plan.newNodeClaims.map((claim, i) =>
      claimSite(cluster, claim, {
        name: `new node ${i} of ${claim.nodePool}`,
        placed: podsNamed(claim.pods),
        relevantKeys: keys,
      }),
    ),
  ];
}

/** Every pod is placed once or has failed, and nobody else is. */
function checkAccounting(cluster: ClusterFacts, plan: PlanJson): Violation[] {
  const seen = new Map<string, number>();
  const mentioned = [
    ...plan.newNodeClaims.flatMap(({ pods }) => pods),
    ...plan.existingNodes.flatMap(({ pods }) => pods),
    ...Object.keys(plan.podErrors),
  ];
  for (const pod of mentioned) seen.set(pod, (seen.get(pod) ?? 0) + 1);
  const nodes = plan.existingNodes.map(({ name }) => name);
  return [
    ...[...cluster.pods.keys()]
      .filter((pod) => !seen.has(pod))
      .map((pod) => `pod ${pod} is neither placed nor refused`),
    ...[...seen]
      .filter(([, times]) => times > 1)
      .map(([pod, times]) => `pod ${pod} is named ${times} times`),
    ...[...seen.keys()]
      .filter((pod) => !cluster.pods.has(pod))
      .map((pod) => `pod ${pod} is not one of those that wait`),
    ...nodes.filter((name) => !cluster.nodes.has(name)).map((name) => `there is no node ${name}`),
    ...(new Set(nodes).size < nodes.length ? ['a node is named twice'] : []),
  ].map((text) => ({ rule: 'accounting', text }));
}

function checkTotal({ newNodeClaims, totalPrice }: PlanJson): Violation[] {
  const total = newNodeClaims.reduce((sum, { cheapestPrice }) => sum + cheapestPrice, 0);
  if (isSame(total, totalPrice)) return [];
  return [{ rule: 'price', text: `the plan says ${totalPrice}, but its nodes cost ${total}` }];
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
