// Every topology rule of a problem and where the pods are that it speaks about, before anything is placed. In: nodes
// with their pods, templates, rules of pods as they are met. Out: groups, their domains and their counts.
// 1. A rule is registered once; its counts are complete from then on.
// 2. Domains are those of nodes there are, and those that a pod with the rule could get from a new node: an empty zone
//    counts as long as somebody could make a node in it.
// 3. Pods on their way out, and those that are to be placed anew, are nowhere.
import type { Namespace, Pod } from '../../api/core.ts';
import { BitSet } from '../../base/bitset.ts';
import { requirementOn } from '../../model/requirements.ts';
import { hasRequiredAntiAffinity, isActive } from '../../model/pod.ts';
import type { Catalog } from '../catalog.ts';
import type { NodeTable } from '../compile/node-table.ts';
import type { TaintTable } from '../compile/taints.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type RequirementStates, type StateId } from '../requirement-states.ts';
import { TopologyCounts } from './counts.ts';
import { DomainTable } from './domain-table.ts';
import {
  anyNode,
  type GroupRule,
  isHostnameKey,
  type NodeFilter,
  ruleIdentity,
  type TopologyGroup,
} from './group.ts';
import {
  affinityMatcher,
  identityOf,
  labelText,
  matchesAll,
  type PodIdentity,
  requiredLabel,
} from './matcher.ts';
import { PodIndex } from './pod-index.ts';

interface Surroundings {
  readonly nodes: NodeTable;
  readonly templates: readonly Template[];
  readonly catalog: Catalog;
  readonly states: RequirementStates;
  readonly taints: TaintTable;
  readonly namespaces: readonly Namespace[];
  /** UIDs of the pods that are to be placed. */
  readonly placing: ReadonlySet<string>;
}

export class Topology {
  readonly counts = new TopologyCounts();
  readonly groups: TopologyGroup[] = [];
  readonly #around: Surroundings;
  readonly #byIdentity = new Map<string, TopologyGroup>();
  readonly #byLabel = new Map<string, TopologyGroup[]>();
  readonly #unlabelled: TopologyGroup[] = [];
  readonly #tables = new Map<string, DomainTable>();
  readonly #nodeDomains = new Map<string, Int32Array>();
  readonly #pods: PodIndex;

  constructor(around: Surroundings) {
    this.#around = around;
    const counted = around.nodes.nodes.map(({ joined, pods }) =>
      joined
        ? pods.filter((pod) => isActive(pod) && !around.placing.has(pod.metadata.uid ?? ''))
        : [],
    );
    this.#pods = new PodIndex(counted);
    for (const [node, pods] of counted.entries()) {
      for (const pod of pods) if (hasRequiredAntiAffinity(pod)) this.#countAvoided(pod, node, 1);
    }
  }

  register(rule: GroupRule): TopologyGroup {
    const identity = ruleIdentity(rule);
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    const table = this.tableOf(rule.key);
    const group: TopologyGroup = {
      ...rule,
      index: this.groups.length,
      isHostname: isHostnameKey(rule.key),
      table,
      known: this.#knownDomains(rule, table),
    };
    this.groups.push(group);
    this.#byIdentity.set(identity, group);
    this.#file(group);
    this.counts.addGroup(group);
    if (rule.kind !== 'avoided') this.#countRunning(group);
    return group;
  }

  /** Groups of every kind that speak about such a pod. */
  selecting(pod: PodIdentity): TopologyGroup[] {
    const candidates = [...this.#unlabelled];
    for (const [key, value] of Object.entries(pod.labels)) {
      candidates.push(...(this.#byLabel.get(labelText(key, value)) ?? []));
    }
    return candidates
      .filter(({ matchers }) => matchesAll(matchers, pod))
      .toSorted((a, b) => a.index - b.index);
  }

  /** Takes the pods of a node out of `counts`: they are to be placed anew. */
  removeNode(node: number, counts: TopologyCounts): void {
    for (const pod of this.#pods.onNode(node)) {
      if (hasRequiredAntiAffinity(pod)) this.#countAvoided(pod, node, -1, counts);
      for (const group of this.selecting(identityOf(pod))) {
        if (group.kind !== 'avoided') this.#countOne(group, node, -1, counts);
      }
    }
  }

  /** Domain of each node; -1 where it lacks the label. */
  nodeDomains(key: string): Int32Array {
    let domains = this.#nodeDomains.get(key);
    if (domains === undefined) {
      const table = this.tableOf(key);
      domains = Int32Array.from(this.#around.nodes.nodes, ({ labels }) =>
        table.indexOf(Object.hasOwn(labels, key) ? labels[key] : undefined),
      );
      this.#nodeDomains.set(key, domains);
    }
    return domains;
  }

  tableOf(key: string): DomainTable {
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new DomainTable(key, isHostnameKey(key) ? [] : this.#values(key));
      this.#tables.set(key, table);
    }
    return table;
  }

  acceptsNode({ alternatives, tolerations }: NodeFilter, node: number): boolean {
    const { nodes, taints } = this.#around;
    if (tolerations !== undefined) {
      if (!taints.tolerates(tolerations, nodes.taintsOf[node] as number)) return false;
    }
    return alternatives.length === 0 || alternatives.some((demand) => nodes.meets(node, demand));
  }

  #file(group: TopologyGroup): void {
    const label = requiredLabel(group.matchers);
    if (label === undefined) this.#unlabelled.push(group);
    else {
      const list = this.#byLabel.get(label);
      if (list === undefined) this.#byLabel.set(label, [group]);
      else list.push(group);
    }
  }

  #countRunning(group: TopologyGroup): void {
    for (const { pod, node } of this.#pods.matching(group.matchers)) {
      if (matchesAll(group.matchers, identityOf(pod))) this.#countOne(group, node, 1);
    }
  }

  #countOne(group: TopologyGroup, node: number, pods: number, counts = this.counts): void {
    if (!this.acceptsNode(group.filter, node)) return;
    if (group.isHostname) counts.countOnHost(group, node, pods);
    else {
      const domain = this.nodeDomains(group.key)[node] as number;
      if (domain === -1) return;
      counts.countInDomain(group, domain, pods);
    }
    counts.countTotal(group, pods);
  }

  #countAvoided(pod: Pod, node: number, pods: number, counts = this.counts): void {
    for (const group of this.avoidedGroups(pod)) this.#countOne(group, node, pods, counts);
  }

  /** What a pod with required anti-affinity forbids to others. */
  avoidedGroups(pod: Pod): TopologyGroup[] {
    const terms =
      pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const identity = identityOf(pod);
    return terms.map((term) =>
      this.register({
        kind: 'avoided',
        key: term.topologyKey,
        matchers: [affinityMatcher(identity, term, this.#around.namespaces)],
        maxSkew: 0,
        minDomains: undefined,
        filter: anyNode,
        ownDomainsOnly: false,
      }),
    );
  }

  #values(key: string): Set<string> {
    const { nodes, templates, catalog, states } = this.#around;
    const values = new Set<string>();
    for (const { labels } of nodes.nodes)
      if (Object.hasOwn(labels, key)) values.add(labels[key] ?? '');
    for (const { state, members } of templates) {
      const demanded = requirementOn(states.requirementsOf(state), key);
      if (!demanded.complement) for (const value of demanded.values) values.add(value);
      for (const variant of members) {
        for (const value of catalog.valuesOf(variant, key)) values.add(value);
      }
    }
    return values;
  }

  #knownDomains(rule: GroupRule, table: DomainTable): BitSet {
    const known = new BitSet(table.names.length);
    if (isHostnameKey(rule.key)) return known;
    const { nodes, templates, taints } = this.#around;
    const domains = this.nodeDomains(rule.key);
    for (const [node, { joined, deleting }] of nodes.nodes.entries()) {
      const domain = domains[node] as number;
      if (domain !== -1 && joined && !deleting && this.acceptsNode(rule.filter, node))
        known.add(domain);
    }
    for (const template of templates) {
      const { tolerations } = rule.filter;
      if (tolerations !== undefined && !taints.tolerates(tolerations, template.taints)) continue;
      this.#addMakeable(known, rule, template);
    }
    return known;
  }

  /** Domains that a node of the template could be made in, for a pod with the rule. */
  #addMakeable(known: BitSet, rule: GroupRule, { state, members }: Template): void {
    const { catalog, states } = this.#around;
    const table = this.tableOf(rule.key);
    const demands: readonly StateId[] =
      rule.filter.alternatives.length === 0 ? [0] : rule.filter.alternatives;
    for (const demand of demands) {
      const joined = states.join(state, demand);
      if (joined === incompatible) continue;
      const requirement = states.requirementsOf(joined).get(rule.key);
      const allowed = table.allowed(requirement);
      const variants = catalog.shaped(joined).clone().and(members);
      for (const domain of allowed) {
        if (known.has(domain)) continue;
        if (this.#isMakeable(table, domain, variants, requirement !== undefined)) known.add(domain);
      }
    }
  }

  #isMakeable(table: DomainTable, domain: number, variants: BitSet, isStated: boolean): boolean {
    const { catalog } = this.#around;
    const byTypes = catalog.variantsWith(table.key, table.nameOf(domain));
    // A label that no instance type speaks about comes from the pool alone.
    return byTypes === undefined ? isStated && !variants.isEmpty() : byTypes.intersects(variants);
  }
}
