// What a perfect solver would do, found by trying everything. In: a tiny problem (5 pods, 3 types, 2 nodes or so). Out:
// how many pods can be placed at all, and the lowest price at which that many can be. It is the judge of "this pod
// cannot be scheduled" and of "it does not get cheaper". Rules are those of verify-plan.ts.
// 1. Every way to share out the pods is tried: on each node that exists, on new nodes alone or together, or not at all.
// 2. Every new node that could be made is tried, except that of those which no rule tells apart the cheapest stands for
//    all. A node that leaves its zone open is never better than one that names the best zone, so all name theirs.
// 3. Fewer pods left over always comes first, then the lower price.
import { type CandidateNode, candidateNodes, claimFor } from './candidate-nodes.ts';
import { checkAffinity, checkAntiAffinity } from './check-affinity.ts';
import { checkClaim } from './check-claims.ts';
import { checkLimits } from './check-limits.ts';
import { checkNodeFit } from './check-node-fit.ts';
import { checkSpread } from './check-spread.ts';
import { type ClusterFacts, clusterFacts } from './cluster-facts.ts';
import { makeableNodes, type MakeableNode } from './makeable-nodes.ts';
import { describeSet } from './label-set.ts';
import { label } from './node-labels.ts';
import { concerns, type PodFacts } from './pod-facts.ts';
import type { PlanJson, ProblemJson } from './problem-json.ts';
import { claimSite, existingSite, renamed, type Site } from './site.ts';
import { relevantKeys } from './verify-plan.ts';

export interface BestPlan {
  /** How many pods can be placed. */
  readonly placed: number;
  /** The least that the new nodes for them cost per hour. */
  readonly price: number;
  /** One plan that does it. */
  readonly plan: PlanJson;
}

interface Option {
  readonly node: CandidateNode;
  readonly site: Site;
}

/** Pods of one new node, as bits, or of one that exists. */
interface Sharing {
  readonly existing: readonly number[];
  readonly made: readonly number[];
}

export function bestPlan(problem: ProblemJson): BestPlan {
  const cluster = clusterFacts(problem);
  const pods = [...cluster.pods.values()];
  if (pods.length > 6) throw new Error('brute force is for tiny problems');
  const search = new Search(cluster, pods);
  for (let left = 0; left < pods.length; left++) {
    const found = search.cheapest(left);
    if (found !== undefined) return found;
  }
  return { placed: 0, price: 0, plan: toPlan(pods, [], []) };
}

class Search {
  readonly #cluster: ClusterFacts;
  readonly #pods: readonly PodFacts[];
  readonly #nodes: readonly string[];
  readonly #candidates: readonly CandidateNode[];
  readonly #keys: readonly string[];
  readonly #tellingKeys: readonly string[];
  readonly #optionsOf = new Map<number, readonly Option[]>();
  readonly #roomyOf = new Map<number, readonly Option[]>();
  readonly #makeable: readonly MakeableNode[];
  readonly #siteOf = new Map<string, Site | undefined>();
  readonly #hopeless: number;
  #best: BestPlan | undefined;

  constructor(cluster: ClusterFacts, pods: readonly PodFacts[]) {
    this.#cluster = cluster;
    this.#pods = pods;
    this.#nodes = [...cluster.nodes.keys()];
    this.#keys = relevantKeys(cluster);
    this.#candidates = candidateNodes(cluster, this.#keys).toSorted((a, b) => a.price - b.price);
    this.#tellingKeys = tellingKeys(cluster);
    this.#makeable = makeableNodes(cluster);
    this.#hopeless = pods.reduce((bits, _, i) => (this.#isHopeless(i) ? bits | (1 << i) : bits), 0);
  }

  /** The cheapest plan that leaves exactly so many pods out. */
  cheapest(left: number): BestPlan | undefined {
    this.#best = undefined;
    const empty: Sharing = { existing: this.#nodes.map(() => 0), made: [] };
    this.#share(0, left, empty);
    return this.#best;
  }

  #share(i: number, left: number, sharing: Sharing): void {
    if (i === this.#pods.length) {
      if (left === 0) {
        const nodes = sharing.existing.map((bits, n) => this.#existing(n, bits)!);
        this.#make(sharing, [], nodes);
      }
      return;
    }
    const bit = 1 << i;
    if ((this.#hopeless & bit) === 0) {
      for (const next of this.#places(bit, sharing)) this.#share(i + 1, left, next);
    }
    if (left > 0) this.#share(i + 1, left - 1, sharing);
  }

  #places(bit: number, { existing, made }: Sharing): Sharing[] {
    const onNodes = existing
      .map((bits, n) => ({ existing: existing.with(n, bits | bit), made, n }))
      .filter((next) => this.#existing(next.n, next.existing[next.n]!) !== undefined);
    const together = made
      .map((bits, n) => ({ existing, made: made.with(n, bits | bit), n }))
      .filter((next) => this.#roomy(next.made[next.n]!).length > 0);
    const alone = this.#roomy(bit).length > 0 ? [{ existing, made: [...made, bit] }] : [];
    return [...onNodes, ...together, ...alone];
  }

  /** Chooses a node for each group of pods, cheapest first, and keeps the best that breaks no rule. */
  #make(sharing: Sharing, chosen: readonly Option[], sites: readonly Site[]): void {
    const price = chosen.reduce((sum, { node }) => sum + node.price, 0);
    if (this.#best !== undefined && price >= this.#best.price - 1e-9) return;
    // These two only get worse with more nodes.
    if (checkLimits(this.#cluster, sites).length > 0 || checkAntiAffinity(sites).length > 0) return;
    const n = chosen.length;
    const bits = sharing.made[n];
    if (bits !== undefined) {
      for (const option of this.#options(bits)) {
        // Two new nodes are two hosts, so each needs a name of its own.
        const site = renamed(option.site, `new node ${n}`);
        this.#make(sharing, [...chosen, option], [...sites, site]);
      }
      return;
    }
    if (checkAffinity(sites).length > 0) return;
    if (checkSpread(sites, () => this.#makeable).length > 0) return;
    const placed = sites.reduce((count, site) => count + site.placed.length, 0);
    this.#best = { placed, price, plan: toPlan(this.#pods, sites, chosen) };
  }

  #existing(n: number, bits: number): Site | undefined {
    const key = `${n}/${bits}`;
    if (!this.#siteOf.has(key)) {
      const node = this.#cluster.nodes.get(this.#nodes[n]!)!;
      const site = existingSite(node, this.#podsOf(bits));
      const fits = checkNodeFit(this.#cluster, site).length === 0;
      this.#siteOf.set(key, fits ? site : undefined);
    }
    return this.#siteOf.get(key);
  }

  /** New nodes that hold these pods, other pods' wishes aside. */
  #options(bits: number): readonly Option[] {
    let options = this.#optionsOf.get(bits);
    if (options === undefined) {
      const isOwn = ({ site }: Option): boolean =>
        checkClaim(this.#cluster, site, { minValues: 'Strict' }).length === 0;
      options = distinct(this.#roomy(bits).filter(isOwn), this.#tellingKeys);
      this.#optionsOf.set(bits, options);
    }
    return options;
  }

  /** New nodes with room for these pods. One that is no good for them may yet be for more: a pod can bring a label. */
  #roomy(bits: number): readonly Option[] {
    let options = this.#roomyOf.get(bits);
    if (options === undefined) {
      const pods = this.#podsOf(bits);
      options = this.#candidates
        .map((node) => ({ node, site: this.#site(node, pods) }))
        .filter(({ site }) => checkNodeFit(this.#cluster, site).length === 0);
      this.#roomyOf.set(bits, options);
    }
    return options;
  }

  #site(node: CandidateNode, placed: readonly PodFacts[]): Site {
    const claim = claimFor(node, placed);
    const name = 'new node';
    return claimSite(this.#cluster, claim, { name, placed, relevantKeys: this.#keys });
  }

  #podsOf(bits: number): PodFacts[] {
    return this.#pods.filter((_, i) => (bits & (1 << i)) !== 0);
  }

  #isHopeless(i: number): boolean {
    const pod = this.#pods[i]!;
    const everyone = [...this.#pods, ...[...this.#cluster.nodes.values()].flatMap((n) => n.bound)];
    const isLonely = !pod.affinity.every((term) => everyone.some((other) => concerns(term, other)));
    const hasRoom =
      this.#roomy(1 << i).length > 0 ||
      this.#nodes.some((_, n) => this.#existing(n, 1 << i) !== undefined);
    return isLonely || !hasRoom;
  }
}

/** Labels by which rules about other pods tell nodes apart. */
function tellingKeys(cluster: ClusterFacts): string[] {
  const bound = [...cluster.nodes.values()].flatMap((node) => node.bound);
  const keys = [...cluster.pods.values(), ...bound].flatMap((pod) => [
    ...[...pod.affinity, ...pod.antiAffinity].map(({ key }) => key),
    ...pod.spread.map(({ topologyKey }) => topologyKey),
    // A node that the pod could not use may not count for its spread.
    ...(pod.spread.length > 0 ? pod.nodeAlternatives.flat().map(([key]) => key) : []),
  ]);
  return [...new Set(keys)].filter((key) => key !== label.hostname);
}

/** Of options that no rule tells apart, the first. */
function distinct(options: readonly Option[], keys: readonly string[]): Option[] {
  const first = new Map<string, Option>();
  for (const option of options) {
    const { pool, types } = option.node;
    const labels = keys.map((key) =>
      option.site.outcomes.map((outcome) => describeSet(outcome.labelOf(key))),
    );
    const limited = pool.limits.size === 0 ? [] : [pool.name, types.map(({ name }) => name)];
    const identity = JSON.stringify([labels, pool.taints, limited]);
    if (!first.has(identity)) first.set(identity, option);
  }
  return [...first.values()];
}

function toPlan(
  pods: readonly PodFacts[],
  nodes: readonly Site[],
  chosen: readonly Option[],
): PlanJson {
  const newNodeClaims = chosen.map(({ node, site }) => claimFor(node, site.placed));
  const existingNodes = nodes
    .filter(({ node, placed }) => node !== undefined && placed.length > 0)
    .map(({ node, placed }) => ({ name: node!.name, pods: placed.map(({ key }) => key) }));
  const placed = new Set([...newNodeClaims, ...existingNodes].flatMap(({ pods }) => pods));
  const left = pods.filter(({ key }) => !placed.has(key));
  return {
    newNodeClaims,
    existingNodes,
    podErrors: Object.fromEntries(left.map(({ key }) => [key, 'left out'])),
    totalPrice: newNodeClaims.reduce((sum, { cheapestPrice }) => sum + cheapestPrice, 0),
  };
}
