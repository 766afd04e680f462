// Whether the nodes that a plan wants made are the pool's to make and cost what the plan says. In: a claim of the plan.
// Out: violations. Every instance type that a claim lists must really be launchable: the provider may take any.
import { amountsOf, shortfall, sum } from './amounts.ts';
import {
  type ClusterFacts,
  labelSetsOf,
  type LaunchableType,
  type PoolFacts,
  type TypeFacts,
} from './cluster-facts.ts';
import { describeSet, isWithin, type LabelSet, missing, withoutAbsence } from './label-set.ts';
import { label } from './node-labels.ts';
import { bringsLabel } from './pod-facts.ts';
import type { PlannedNodeClaim } from './problem-json.ts';
import { launchableTypes, type Site } from './site.ts';
import type { Violation } from './violation.ts';

export interface ClaimPolicy {
  /** `BestEffort` lets a claim have less variety than its pool asks for. */
  readonly minValues: 'Strict' | 'BestEffort';
}

const largestDifference = 1e-6;

export function checkClaim(cluster: ClusterFacts, site: Site, policy: ClaimPolicy): Violation[] {
  const { claim, name } = site;
  if (claim === undefined) return [];
  const pool = cluster.pools.get(claim.nodePool);
  if (pool === undefined) {
    return [{ rule: 'node pool', text: `${name}: there is no pool ${claim.nodePool}` }];
  }
  const types = launchableTypes(cluster, claim);
  return [
    ...checkPool(name, pool),
    ...checkRequirements(name, claim, pool),
    ...checkForeignLabels(cluster, site, pool),
    ...checkTypes(cluster, name, claim),
    ...types.flatMap((type) => checkLaunchable(name, type)),
    ...(policy.minValues === 'Strict' ? checkMinValues(name, types, pool) : []),
    ...checkRequests(site, claim),
    ...checkPrice(name, claim, types),
  ];
}

function checkPool(name: string, { name: pool, closed }: PoolFacts): Violation[] {
  return closed === undefined
    ? []
    : [{ rule: 'node pool', text: `${name}: pool ${pool} ${closed}` }];
}

/** What the pool demands of its nodes, the claim must demand at least as strictly. */
function checkRequirements(name: string, claim: PlannedNodeClaim, pool: PoolFacts): Violation[] {
  const labels = labelSetsOf(claim.requirements);
  return [...pool.labels].flatMap(([key, allowed]): Violation[] => {
    // The list of instance types stands for the requirement on them.
    const set = key === label.instanceType ? typeSet(claim) : (labels.get(key) ?? missing);
    // NotIn on the claim is also how it says "any but these, and some": a label of our own is then set.
    const isMet = isWithin(set, allowed) || (set.except && isWithin(withoutAbsence(set), allowed));
    if (isMet) return [];
    const text = `${name}: ${key} is ${describeSet(set)}, but pool ${pool.name} allows ${describeSet(allowed)}`;
    return [{ rule: 'claim requirements', text }];
  });
}

/** A pod cannot give a node labels that the pool does not: it would run on no node that the pool makes otherwise. */
function checkForeignLabels(cluster: ClusterFacts, site: Site, pool: PoolFacts): Violation[] {
  return [...labelSetsOf(site.claim?.requirements)].flatMap(([key, set]): Violation[] => {
    if (set.absent || pool.labels.has(key) || cluster.wellKnown.has(key)) return [];
    if (site.placed.some((pod) => bringsLabel(pod, key))) return [];
    const text = `${site.name}: pool ${pool.name} does not give its nodes the label ${key}`;
    return [{ rule: 'claim requirements', text }];
  });
}

function typeSet(claim: PlannedNodeClaim): LabelSet {
  return { ...missing, absent: false, values: new Set(claim.instanceTypes) };
}

function checkTypes(cluster: ClusterFacts, name: string, claim: PlannedNodeClaim): Violation[] {
  const { instanceTypes } = claim;
  const unknown = instanceTypes.filter((type) => !cluster.types.has(type));
  const repeated = new Set(instanceTypes).size < instanceTypes.length;
  return [
    ...unknown.map((type) => `there is no instance type ${type}`),
    ...(instanceTypes.length === 0 ? ['no instance type is left'] : []),
    ...(repeated ? ['an instance type is listed twice'] : []),
    ...(claim.pods.length === 0 ? ['no pod asked for it'] : []),
  ].map((text) => ({ rule: 'instance type', text: `${name}: ${text}` }));
}

function checkLaunchable(name: string, { type, offerings, clashes }: LaunchableType): Violation[] {
  if (clashes.length > 0) {
    const text = `${name}: ${type.name} does not agree with the claim about ${clashes.join(', ')}`;
    return [{ rule: 'instance type', text }];
  }
  if (offerings.length > 0) return [];
  const text = `${name}: ${type.name} has no available offering that the claim accepts`;
  return [{ rule: 'instance type', text }];
}

/** Distinct values that the listed types state for a key. */
function checkMinValues(
  name: string,
  types: readonly LaunchableType[],
  { minValues }: PoolFacts,
): Violation[] {
  return [...minValues].flatMap(([key, wanted]): Violation[] => {
    const found = new Set(types.flatMap(({ type }) => statedValues(type, key)));
    if (found.size >= wanted) return [];
    const text = `${name}: ${found.size} values of ${key}, but the pool asks for ${wanted}`;
    return [{ rule: 'min values', text }];
  });
}

function statedValues({ labels }: TypeFacts, key: string): string[] {
  const set = labels.get(key);
  return set === undefined || set.except ? [] : [...set.values];
}

function checkRequests(site: Site, claim: PlannedNodeClaim): Violation[] {
  const needed = sum(...site.placed.map(({ requests }) => requests));
  const missingAmount = shortfall(needed, amountsOf(claim.requests));
  return missingAmount === undefined
    ? []
    : [{ rule: 'capacity', text: `${site.name}: its requests leave pods out: ${missingAmount}` }];
}

function checkPrice(
  name: string,
  claim: PlannedNodeClaim,
  types: readonly LaunchableType[],
): Violation[] {
  const offers = types.flatMap(({ type, offerings }) =>
    offerings.map(({ offering }) => ({ type: type.name, ...offering })),
  );
  if (offers.length === 0) return [];
  const cheapest = Math.min(...offers.map(({ price }) => price));
  const { launch, cheapestPrice } = claim;
  const zones = new Set(
    offers
      .filter((offer) => offer.type === launch.instanceType)
      .filter((offer) => offer.capacityType === launch.capacityType)
      .filter(({ price }) => isSame(price, launch.price))
      .map(({ zone }) => zone),
  );
  const stated = launch.zones ?? [];
  const isLaunch =
    isSame(launch.price, cheapest) && stated.length > 0 && stated.every((zone) => zones.has(zone));
  return [
    ...(isSame(cheapestPrice, cheapest)
      ? []
      : [`says ${cheapestPrice}, but the cheapest it could become costs ${cheapest}`]),
    ...(isLaunch ? [] : [`would not launch as ${JSON.stringify(launch)}`]),
  ].map((text) => ({ rule: 'price', text: `${name}: ${text}` }));
}

export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= largestDifference;
}
