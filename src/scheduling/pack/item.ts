// What is packed: pods that go together, as one thing with one size. In: claims that were filled pod by pod. Out: items,
// equal ones counted, or the news that a claim must stay as it is.
// The first plan has settled which pool a pod belongs to and, where topology asks, which domain: both stay, so that any
// packing keeps every rule about domains. Only what rules say about sharing a host is left to look after:
// 1. Pods that must share a host become one item.
// 2. A rule about a host says how many pods of a kind it may have as soon as one pod with the rule is there.
import { hostPorts } from '../../model/host-port.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import type { Claim, Load } from '../solve/claim.ts';
import { typesWithoutPorts } from '../solve/daemon-ports.ts';
import type { TopologyGroup } from '../topology/group.ts';

/** What a rule about hosts means for an item. */
export interface HostRule {
  readonly rule: number;
  /** How many counted pods a host may have once this item is there. */
  readonly limit: number;
  /** Counted pods in the item. */
  readonly counted: number;
}

export interface Item {
  readonly template: Template;
  /** Everything that the node must be. */
  readonly state: StateId;
  readonly requests: Float64Array;
  readonly loads: readonly Load[];
  readonly rules: readonly HostRule[];
}

export interface CountedItem {
  readonly item: Item;
  readonly count: number;
}

/** Rule numbers of ports of the host come after those of groups. */
export class HostRules {
  readonly #ports = new Map<string, number>();
  readonly #compiled: CompiledProblem;

  constructor(compiled: CompiledProblem) {
    this.#compiled = compiled;
  }

  of({ shape, variant }: Load): HostRule[] {
    const { countedBy } = this.#compiled.memberships.of(shape);
    const own = new Set([...variant.owned, ...shape.keepsAway]);
    const groups = [...new Set([...own, ...countedBy])].filter(
      ({ isHostname, kind }) => isHostname && kind !== 'affinity' && kind !== 'avoided',
    );
    const rules = groups.map((group) => {
      const counted = countedBy.has(group) ? 1 : 0;
      return {
        rule: group.index,
        limit: own.has(group) ? limitOf(group, counted) : Infinity,
        counted,
      };
    });
    const ports = hostPorts(shape.example).map(({ port, protocol }) => ({
      rule: this.#portRule(`${protocol} ${port}`),
      limit: 1,
      counted: 1,
    }));
    return [...rules, ...ports];
  }

  #portRule(text: string): number {
    const known = this.#ports.get(text);
    if (known !== undefined) return known;
    const rule = 2 ** 24 + this.#ports.size;
    this.#ports.set(text, rule);
    return rule;
  }
}

/** Items of a claim, or undefined when moving its pods could change what a rule about domains counts. */
export function itemsOf(
  compiled: CompiledProblem,
  rules: HostRules,
  claim: Claim,
): CountedItem[] | undefined {
  const state = new Map<Load, StateId>();
  for (const load of claim.loads) {
    const pinned = pinnedState(compiled, claim, load);
    if (pinned === undefined) return undefined;
    // Packing does not know which types a DaemonSet's port takes from which pods.
    if (typesWithoutPorts(claim.template, load.shape.ports) !== undefined) return undefined;
    state.set(load, pinned);
  }
  const together = claim.loads.filter((load) => sharesHost(compiled, claim, load));
  const alone = claim.loads.filter((load) => !together.includes(load));
  const items = alone.map((load): CountedItem => ({
    item: {
      template: claim.template,
      state: state.get(load) as StateId,
      requests: load.shape.requests,
      loads: [{ ...load, count: 1 }],
      rules: rules.of(load),
    },
    count: load.count,
  }));
  if (together.length === 0) return items;
  const joined = together.reduce(
    (sum, load) => compiled.states.join(sum, state.get(load) as StateId),
    claim.template.state,
  );
  const requests = new Float64Array(claim.requests.length);
  for (const { shape, count } of together) {
    for (let column = 0; column < requests.length; column++) {
      requests[column] = (requests[column] as number) + count * (shape.requests[column] as number);
    }
  }
  const item: Item = {
    template: claim.template,
    state: joined,
    requests,
    loads: together,
    rules: mergeRules(together.flatMap((load) => times(rules.of(load), load.count))),
  };
  return [...items, { item, count: 1 }];
}

/** One text for items that no packing can tell apart: size, requirements and what they mean for a host. */
export function itemText({ state, requests, rules }: Item): string {
  const hosts = rules.map(({ rule, limit, counted }) => [rule, limit, counted].join(' '));
  return [state, requests.join(' '), hosts.toSorted().join()].join('|');
}

function limitOf({ kind, maxSkew }: TopologyGroup, counted: number): number {
  // Away from others: alone, if it is one of them itself; else beside none of them.
  return kind === 'spread' ? maxSkew : counted;
}

/** What the pod demands, and the domains that the first plan settled for it. */
function pinnedState(compiled: CompiledProblem, claim: Claim, load: Load): StateId | undefined {
  const { states, domainDemands, memberships } = compiled;
  const { shape, variant, place } = load;
  const { countedBy, keptAwayBy } = memberships.of(shape);
  let state = states.join(states.join(claim.template.state, variant.demand), place);
  const groups = new Set([...variant.owned, ...countedBy, ...keptAwayBy, ...shape.keepsAway]);
  for (const { isHostname, key, table } of groups) {
    if (isHostname) continue;
    const domains = table.allowed(states.requirementsOf(claim.state).get(key));
    if (domains.isEmpty()) continue;
    if (domains.count() !== 1) return undefined;
    state = states.join(state, domainDemands.one(table, domains.first()));
  }
  return state === incompatible ? undefined : state;
}

/** It must be with others of the claim, or others of the claim must be with it. */
function sharesHost(
  { memberships }: CompiledProblem,
  claim: Claim,
  { shape, variant }: Load,
): boolean {
  const isCompany = ({ isHostname, kind }: TopologyGroup): boolean =>
    isHostname && kind === 'affinity';
  if (variant.owned.some(isCompany)) return true;
  const { countedBy } = memberships.of(shape);
  return claim.loads.some((other) =>
    other.variant.owned.some((group) => isCompany(group) && countedBy.has(group)),
  );
}

function times(rules: readonly HostRule[], count: number): HostRule[] {
  return rules.map((rule) => ({ ...rule, counted: rule.counted * count }));
}

function mergeRules(rules: readonly HostRule[]): HostRule[] {
  const merged = new Map<number, HostRule>();
  for (const { rule, limit, counted } of rules) {
    const known = merged.get(rule);
    merged.set(rule, {
      rule,
      limit: Math.min(limit, known?.limit ?? Infinity),
      counted: counted + (known?.counted ?? 0),
    });
  }
  return [...merged.values()];
}
