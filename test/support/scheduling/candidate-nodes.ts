// All nodes that could be made for a few pods, one concrete claim each. In: facts of the cluster, the labels that
// matter. Out: claims that leave nothing open: one instance type (several only where the pool asks for variety), one
// offering, one value for every label that anybody asks about.
import { amountsOf, sum } from './amounts.ts';
import type { ClusterFacts, LabelSets, PoolFacts, TypeFacts } from './cluster-facts.ts';
import {
  anyLabel,
  hasValue,
  isEmpty,
  isWithin,
  type LabelSet,
  labelSetOf,
  exactly,
  missing,
  overlap,
} from './label-set.ts';
import { makeableNodes, type MakeableNode } from './makeable-nodes.ts';
import { label } from './node-labels.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PlannedNodeClaim, RequirementJson } from './problem-json.ts';

export interface CandidateNode {
  readonly pool: PoolFacts;
  readonly types: readonly TypeFacts[];
  readonly price: number;
  readonly claim: PlannedNodeClaim;
}

export function candidateNodes(cluster: ClusterFacts, keys: readonly string[]): CandidateNode[] {
  const named = namedValues(cluster);
  return variants(makeableNodes(cluster)).flatMap((variant) => {
    const { node, pinned: byOffering } = variant;
    const setOf = (key: string): LabelSet => {
      const set = node.labelOf(key);
      // A pod may bring a label that nobody else speaks of.
      const isForeign = set === missing && !cluster.wellKnown.has(key) && key !== label.hostname;
      return isForeign ? anyLabel : set;
    };
    const open = keys.filter((key) => !byOffering.has(key) && !isPinned(setOf(key)));
    const choices = open.map((key) => valuesOf(setOf(key), named.get(key) ?? []));
    return product(choices).map((chosen) => {
      const pinned = new Map(open.map((key, i) => [key, chosen[i] ?? missing]));
      return candidate(variant, pinned);
    });
  });
}

interface Variant {
  readonly node: MakeableNode;
  /** What the claim may become: one node, or for variety several that agree on `pinned`. */
  readonly all: readonly MakeableNode[];
  /** Labels that the offering decides. */
  readonly pinned: LabelSets;
}

/** Each node alone; or where the pool wants several of something, each set of types in each set of offerings. */
function variants(nodes: readonly MakeableNode[]): Variant[] {
  return [...Map.groupBy(nodes, ({ pool }) => pool).entries()].flatMap(([pool, own]) =>
    pool.minValues.size > 0
      ? varied(own)
      : own.map((node) => ({ node, all: [node], pinned: node.offering.labels })),
  );
}

function varied(nodes: readonly MakeableNode[]): Variant[] {
  const distinct = (of: (node: MakeableNode) => string): string[] => [...new Set(nodes.map(of))];
  const zones = subsets(distinct(({ offering }) => offering.offering.zone));
  const capacityTypes = subsets(distinct(({ offering }) => offering.offering.capacityType));
  const types = subsets(distinct(({ type }) => type.name));
  return product<string[]>([zones, capacityTypes, types]).flatMap(
    ([zone = [], capacityType = [], type = []]) => {
      const all = nodes.filter(
        (node) =>
          zone.includes(node.offering.offering.zone) &&
          capacityType.includes(node.offering.offering.capacityType) &&
          type.includes(node.type.name),
      );
      const isComplete = new Set(all.map((node) => node.type)).size === type.length;
      if (!isComplete) return [];
      const pinned = new Map([
        [label.zone, labelSetOf('In', zone)],
        [label.capacityType, labelSetOf('In', capacityType)],
      ]);
      return [{ node: all[0]!, all, pinned }];
    },
  );
}

function candidate({ node, all, pinned: byOffering }: Variant, pinned: LabelSets): CandidateNode {
  const { pool } = node;
  const own = new Map([...pool.labels, ...byOffering, ...pinned]);
  const requirements = [...own].flatMap(([key, set]) => requirementsOf(key, set));
  const cheapest = all.toSorted((a, b) => priceOf(a) - priceOf(b))[0]!;
  const { zone, capacityType, price } = cheapest.offering.offering;
  const types = [...new Set(all.map(({ type }) => type))];
  return {
    pool,
    types,
    price,
    claim: {
      nodePool: pool.name,
      instanceTypes: types.map(({ name }) => name),
      cheapestPrice: price,
      launch: { instanceType: cheapest.type.name, capacityType, zones: [zone], price },
      requirements,
      requests: {},
      pods: [],
    },
  };
}

/** With the pods it is for. */
export function claimFor(node: CandidateNode, pods: readonly PodFacts[]): PlannedNodeClaim {
  const needed = sum(amountsOf({}), ...pods.map(({ requests }) => requests));
  const requests = Object.fromEntries([...needed].map(([name, nano]) => [name, `${nano}n`]));
  return { ...node.claim, requests, pods: pods.map(({ key }) => key) };
}

function priceOf({ offering }: MakeableNode): number {
  return offering.offering.price;
}

function isPinned(set: LabelSet): boolean {
  return !set.except && set.values.size + (set.absent ? 1 : 0) <= 1;
}

/** The ways a label can turn out, as far as anybody can tell them apart. */
function valuesOf(set: LabelSet, named: readonly string[]): LabelSet[] {
  const values = set.except
    ? named.filter((value) => overlap(exactly(value), set))
    : [...set.values];
  const somethingElse = set.except ? [unnamed(set, named)] : [];
  return [
    ...values.map(exactly),
    ...somethingElse.filter((other) => hasValue(other) && isWithin(other, set)),
    ...(set.absent ? [missing] : []),
  ];
}

function unnamed(set: LabelSet, named: readonly string[]): LabelSet {
  const taken = new Set([...named, ...set.values]);
  let value = set.least ?? (set.most === undefined ? 0n : set.most);
  while (taken.has(String(value))) value += set.least === undefined && set.most ? -1n : 1n;
  return exactly(String(value));
}

function requirementsOf(key: string, set: LabelSet): RequirementJson[] {
  if (isEmpty(set)) return [];
  const values = [...set.values].toSorted();
  if (!set.except) {
    return [{ key, operator: values.length > 0 ? 'In' : 'DoesNotExist', values }];
  }
  return [
    ...(set.least === undefined ? [] : [{ key, operator: 'Gte', values: [String(set.least)] }]),
    ...(set.most === undefined ? [] : [{ key, operator: 'Lte', values: [String(set.most)] }]),
    ...(values.length > 0 ? [{ key, operator: 'NotIn', values }] : []),
    ...(set.absent ? [] : [{ key, operator: 'Exists' }]),
  ];
}

function namedValues(cluster: ClusterFacts): ReadonlyMap<string, string[]> {
  const named = new Map<string, Set<string>>();
  for (const pod of [...cluster.pods.values(), ...cluster.daemons]) {
    for (const [key, set] of pod.nodeAlternatives.flat()) {
      named.set(key, (named.get(key) ?? new Set()).union(set.values));
    }
  }
  return new Map([...named].map(([key, values]) => [key, [...values].toSorted()]));
}

function subsets<T>(list: readonly T[]): T[][] {
  return Array.from({ length: 2 ** list.length - 1 }, (_, n) =>
    list.filter((_item, i) => ((n + 1) & (1 << i)) !== 0),
  );
}

function product<T>(lists: readonly (readonly T[])[]): T[][] {
  let rows: T[][] = [[]];
  for (const list of lists) rows = rows.flatMap((row) => list.map((item) => [...row, item]));
  return rows;
}
