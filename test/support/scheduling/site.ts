// A place where pods run: a node that exists, or one that a plan wants made. In: facts of the cluster, an entry of the
// plan. Out: every way the place can turn out.
// A node that is still to be made is not one node but a set of possible ones: each instance type of its claim in each
// offering that the claim accepts. A demand on the node must hold for all of them, since any of them may be launched.
import type { Taint } from '../../../src/api/core.ts';
import type { ClusterFacts, LabelSets, LaunchableType, TypeFacts } from './cluster-facts.ts';
import { labelSetsOf } from './cluster-facts.ts';
import {
  common,
  exactly,
  hasValue,
  isEmpty,
  isWithin,
  type LabelSet,
  missing,
  overlap,
  withoutAbsence,
} from './label-set.ts';
import type { NodeFacts } from './node-facts.ts';
import { label } from './node-labels.ts';
import type { LabelDemands, PodFacts } from './pod-facts.ts';
import type { PlannedNodeClaim } from './problem-json.ts';

/** Possible nodes that differ in nothing that anybody asks about. */
export interface Outcome {
  /** Empty for a node that exists. */
  readonly types: readonly TypeFacts[];
  labelOf(key: string): LabelSet;
}

export interface Site {
  readonly name: string;
  readonly taints: readonly Taint[];
  readonly outcomes: readonly Outcome[];
  readonly bound: readonly PodFacts[];
  readonly placed: readonly PodFacts[];
  readonly node: NodeFacts | undefined;
  readonly claim: PlannedNodeClaim | undefined;
}

export function existingSite(node: NodeFacts, placed: readonly PodFacts[]): Site {
  const labelOf = (key: string): LabelSet => {
    const value = node.labels[key];
    return value === undefined ? missing : exactly(value);
  };
  return {
    name: `node ${node.name}`,
    taints: node.taints,
    outcomes: [{ types: [], labelOf }],
    bound: node.bound,
    placed,
    node,
    claim: undefined,
  };
}

export function claimSite(
  cluster: ClusterFacts,
  claim: PlannedNodeClaim,
  parts: {
    readonly name: string;
    readonly placed: readonly PodFacts[];
    readonly relevantKeys: readonly string[];
  },
): Site {
  const { name, placed, relevantKeys } = parts;
  const labels = claimLabels(cluster, claim, name);
  const outcomes = new Map<string, { types: Set<TypeFacts>; labelOf: Outcome['labelOf'] }>();
  for (const { type, offerings } of launchableTypes(cluster, claim)) {
    for (const offering of offerings) {
      const labelOf = (key: string): LabelSet =>
        both([labels.get(key), type.labels.get(key), offering.labels.get(key)]);
      const signature = relevantKeys.map((key) => signatureOf(labelOf(key))).join('|');
      const known = outcomes.get(signature);
      if (known === undefined) outcomes.set(signature, { types: new Set([type]), labelOf });
      else known.types.add(type);
    }
  }
  return {
    name,
    taints: cluster.pools.get(claim.nodePool)?.taints ?? [],
    outcomes: [...outcomes.values()].map(({ types, labelOf }) => ({ types: [...types], labelOf })),
    bound: [],
    placed,
    node: undefined,
    claim,
  };
}

/** The same kind of node once more, as another host. */
export function renamed(site: Site, name: string): Site {
  const hostname = exactly(name);
  return {
    ...site,
    name,
    outcomes: site.outcomes.map(({ types, labelOf }) => ({
      types,
      labelOf: (key) => (key === label.hostname ? hostname : labelOf(key)),
    })),
  };
}

export function launchableTypes(cluster: ClusterFacts, claim: PlannedNodeClaim): LaunchableType[] {
  const identity = JSON.stringify(claim.requirements);
  const known = cluster.launchable.get(identity) ?? new Map<string, LaunchableType>();
  cluster.launchable.set(identity, known);
  const labels = labelSetsOf(claim.requirements);
  return claim.instanceTypes.flatMap((name) => {
    const type = cluster.types.get(name);
    if (type === undefined) return [];
    const launchable = known.get(name) ?? launchableType(labels, type);
    known.set(name, launchable);
    return [launchable];
  });
}

function launchableType(labels: LabelSets, type: TypeFacts): LaunchableType {
  const clashes = clashesOf(labels, type.labels);
  const offerings =
    clashes.length > 0
      ? []
      : type.offerings.filter((offering) => clashesOf(labels, offering.labels).length === 0);
  return { type, offerings, clashes };
}

/** The demands hold however the node turns out. */
export function certainlyMeets(outcome: Outcome, demands: LabelDemands): boolean {
  return demands.every(([key, allowed]) => isWithin(outcome.labelOf(key), allowed));
}

/** A value that nobody has named yet is made up when the node is, and is then none of those that others name. */
export function possiblyMeets(outcome: Outcome, demands: LabelDemands): boolean {
  return demands.every(([key, allowed]) => {
    const set = outcome.labelOf(key);
    if (set.except && !allowed.except) return set.absent && allowed.absent;
    return overlap(set, allowed);
  });
}

/**
 * A label of our own that the claim speaks about is set on the node, to a value that the claim allows; only labels that
 * instance types speak about are left to them, and may be missing in the end.
 */
function claimLabels(cluster: ClusterFacts, claim: PlannedNodeClaim, name: string): LabelSets {
  const stated = [...labelSetsOf(claim.requirements)].map(([key, set]) => {
    const isOwn = !cluster.wellKnown.has(key) && hasValue(set);
    return [key, isOwn ? withoutAbsence(set) : set] as const;
  });
  return new Map([
    ...stated,
    [label.hostname, exactly(name)],
    [label.registered, exactly('true')],
    [label.initialized, exactly('true')],
  ]);
}

function clashesOf(a: LabelSets, b: LabelSets): string[] {
  return [...a].flatMap(([key, set]) => {
    const other = b.get(key);
    return other !== undefined && isEmpty(common(set, other)) ? [key] : [];
  });
}

/** Whoever speaks about a label narrows it; if nobody does, the node will not have it. */
function both(sets: readonly (LabelSet | undefined)[]): LabelSet {
  const stated = sets.filter((set) => set !== undefined);
  return stated.length === 0 ? missing : stated.reduce(common);
}

function signatureOf({ absent, except, values, least, most }: LabelSet): string {
  return [absent, except, [...values].toSorted().join(), least ?? '', most ?? ''].join('/');
}
