// Topology spread, judged as the kube-scheduler would. In: all sites with the pods they have and get. Out: violations.
//
// The kube-scheduler looks at a constraint when it binds a pod that has it, and only then: count in the domain, plus
// one if the pod counts itself, minus the lowest count of any domain, must not exceed maxSkew. Nothing is looked at
// again later, and nodes may start in any order, so a plan is wrong only if *no* order of binding is right:
// 1. Pods that have the constraint are bound as soon as they may be. Binding one never harms one of another domain: the
//    lowest count can only rise. Within a domain they are all alike.
// 2. Pods that are counted but do not have the constraint may come at any time. They are bound only when that raises a
//    lowest count on which others wait; in a domain with the lowest count nobody with the constraint is waiting.
// 3. Each constraint is judged by itself: the order that suits one need not suit another. That forgives a few plans for
//    which no common order exists, and never accuses one for which there is one.
// 4. A pod whose domain is not decided yet counts nowhere (it may come last), but one that has the constraint must be
//    right wherever it lands.
// Domains are those of the nodes there are and are to be made, and those that could be made: zones of which the pools
// that the pod may use have an instance type that would hold it. A new host could always be made, so for host names
// only those count that will exist.
import type { TopologySpreadConstraint } from '../../../src/api/core.ts';
import { shortfall } from './amounts.ts';
import { isTerminating } from './cluster-facts.ts';
import { type Domain, domainOf } from './domain.ts';
import { exactly, overlap } from './label-set.ts';
import type { MakeableNode } from './makeable-nodes.ts';
import { label } from './node-labels.ts';
import { keepsAway, type PodFacts, selects } from './pod-facts.ts';
import { certainlyMeets, type Site } from './site.ts';
import type { Violation } from './violation.ts';

/** One constraint as several pods have it. */
interface Group {
  readonly constraint: TopologySpreadConstraint;
  readonly example: PodFacts;
  readonly owners: ReadonlySet<PodFacts>;
}

interface Bound {
  readonly pod: PodFacts;
  readonly domain: string;
  readonly counts: boolean;
}

/** `makeable` is asked for only if some pod is to be spread. */
export function checkSpread(
  sites: readonly Site[],
  makeable: () => readonly MakeableNode[],
): Violation[] {
  return groupsOf(sites).flatMap((group) => checkGroup(sites, makeable(), group));
}

function groupsOf(sites: readonly Site[]): Group[] {
  const groups = new Map<string, { constraint: TopologySpreadConstraint; owners: PodFacts[] }>();
  for (const pod of sites.flatMap(({ placed }) => placed)) {
    for (const constraint of pod.spread) {
      const { nodeSelector, affinity, tolerations } = pod.pod.spec;
      const others = pod.spread.map(({ topologyKey }) => topologyKey).toSorted();
      const identity = JSON.stringify([
        pod.namespace,
        constraint,
        others,
        nodeSelector,
        affinity?.nodeAffinity,
        tolerations,
      ]);
      const group = groups.get(identity);
      if (group === undefined) groups.set(identity, { constraint, owners: [pod] });
      else group.owners.push(pod);
    }
  }
  return [...groups.values()].map(({ constraint, owners }) => ({
    constraint,
    example: owners[0]!,
    owners: new Set(owners),
  }));
}

function checkGroup(
  sites: readonly Site[],
  makeable: readonly MakeableNode[],
  group: Group,
): Violation[] {
  const key = group.constraint.topologyKey;
  const counted = sites.filter((site) => isCounted(site, group));
  const domains = new Map(counted.map((site) => [site, domainOf(site, key)]));
  const counts = new Map<string, number>();
  for (const domain of domains.values()) if (domain.kind === 'one') counts.set(domain.value, 0);
  for (const value of possibleDomains(makeable, group)) counts.set(value, 0);
  for (const [site, domain] of domains) {
    if (domain.kind !== 'one') continue;
    const here = site.bound.filter((pod) => isSelected(group, pod)).length;
    counts.set(domain.value, (counts.get(domain.value) ?? 0) + here);
  }
  const undecided = checkDecided(sites, group);
  const waiting = waitingPods(domains, group);
  const stuck = bindAll(waiting, counts, group);
  return [
    ...undecided,
    ...stuck.map(({ pod, domain }): Violation => {
      const shown = [...counts].map(([value, count]) => `${value}: ${count}`).join(', ');
      const rule = `spread over ${key} with maxSkew ${group.constraint.maxSkew}`;
      return {
        rule: 'spread',
        text: `pod ${pod.key} in ${domain}: ${rule} allows it in no order (counts ${shown})`,
      };
    }),
  ];
}

/** A node counts if the pods that have the constraint could be there, as far as its policies ask for that. */
function isCounted(site: Site, { constraint, example }: Group): boolean {
  if (site.node?.deleting === true) return false;
  const keys = example.spread.map(({ topologyKey }) => topologyKey);
  if (keys.some((key) => domainOf(site, key).kind === 'none')) return false;
  const honorsTaints = constraint.nodeTaintsPolicy === 'Honor';
  if (honorsTaints && site.taints.some((taint) => keepsAway(example, taint))) return false;
  if (constraint.nodeAffinityPolicy === 'Ignore') return true;
  return site.outcomes.every((outcome) =>
    example.nodeAlternatives.some((demands) => certainlyMeets(outcome, demands)),
  );
}

function checkDecided(sites: readonly Site[], { constraint, owners }: Group): Violation[] {
  return sites.flatMap((site) => {
    const domain = domainOf(site, constraint.topologyKey);
    if (domain.kind === 'one') return [];
    const why = domain.kind === 'none' ? 'has no such label' : 'may be in several';
    return site.placed
      .filter((pod) => owners.has(pod))
      .map((pod): Violation => {
        const rule = `is to be spread over ${constraint.topologyKey}`;
        return { rule: 'spread', text: `pod ${pod.key} ${rule}, but ${site.name} ${why}` };
      });
  });
}

function waitingPods(domains: ReadonlyMap<Site, Domain>, group: Group): Bound[] {
  return [...domains].flatMap(([site, domain]) =>
    domain.kind !== 'one'
      ? []
      : site.placed
          .filter((pod) => group.owners.has(pod) || isSelected(group, pod))
          .map((pod) => ({ pod, domain: domain.value, counts: isSelected(group, pod) })),
  );
}

/** Binds what can be bound, raising `counts`; gives back what has the constraint and never could be. */
function bindAll(waiting: readonly Bound[], counts: Map<string, number>, group: Group): Bound[] {
  let owners = waiting.filter(({ pod }) => group.owners.has(pod));
  const others = waiting.filter(({ pod }) => !group.owners.has(pod));
  const bind = ({ domain, counts: isCounted }: Bound): void => {
    if (isCounted) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  };
  while (owners.length > 0) {
    const rest: Bound[] = [];
    for (const owner of owners) {
      if (mayBind(owner, counts, group.constraint)) bind(owner);
      else rest.push(owner);
    }
    if (rest.length === owners.length) {
      const least = lowest(counts, group.constraint);
      const helper = others.findIndex(({ domain }) => counts.get(domain) === least);
      if (helper === -1) return rest;
      bind(others.splice(helper, 1)[0]!);
    }
    owners = rest;
  }
  return [];
}

function mayBind(
  { domain, counts: isCounted }: Bound,
  counts: ReadonlyMap<string, number>,
  constraint: TopologySpreadConstraint,
): boolean {
  const skew = (counts.get(domain) ?? 0) + (isCounted ? 1 : 0) - lowest(counts, constraint);
  return skew <= constraint.maxSkew;
}

function lowest(
  counts: ReadonlyMap<string, number>,
  { minDomains = 1 }: TopologySpreadConstraint,
): number {
  return counts.size < minDomains ? 0 : Math.min(...counts.values());
}

function isSelected({ constraint, example }: Group, pod: PodFacts): boolean {
  return (
    pod.namespace === example.namespace &&
    !isTerminating(pod) &&
    selects(constraint.labelSelector, pod)
  );
}

/** Domains in which a node for the pod alone could be made. */
function possibleDomains(
  makeable: readonly MakeableNode[],
  { constraint: { topologyKey }, example }: Group,
): Set<string> {
  if (topologyKey === label.hostname) return new Set();
  const found = new Set<string>();
  for (const node of makeable) {
    const { absent, except, values } = node.labelOf(topologyKey);
    const isNews = !absent && !except && [...values].some((value) => !found.has(value));
    if (!isNews || !couldHold(node, example)) continue;
    for (const value of values) if (wouldGoTo(example, node, topologyKey, value)) found.add(value);
  }
  return found;
}

function couldHold({ pool, type }: MakeableNode, pod: PodFacts): boolean {
  return (
    !pool.taints.some((taint) => keepsAway(pod, taint)) &&
    shortfall(pod.requests, type.allocatable) === undefined
  );
}

function wouldGoTo(pod: PodFacts, node: MakeableNode, topologyKey: string, value: string): boolean {
  return pod.nodeAlternatives.some((demands) =>
    demands.every(([key, allowed]) =>
      overlap(key === topologyKey ? exactly(value) : node.labelOf(key), allowed),
    ),
  );
}
