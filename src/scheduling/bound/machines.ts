// What could be bought, and who could go there. In: a compiled problem, groups of pods. Out: machines, each one way of buying
// an instance type for a pool, with its price, its room beside DaemonSets and the groups it could hold; without those
// that another machine makes pointless.
import { BitSet } from '../../base/bitset.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import type { Offering } from '../../model/offering.ts';
import type { Requirements } from '../../model/requirements.ts';
import type { Catalog } from '../catalog.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Template } from '../compile/template.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import { daemonShares } from './daemon-share.ts';
import type { DemandGroup } from './demand.ts';

export interface Machine {
  readonly template: Template;
  readonly variant: number;
  readonly price: number;
  readonly room: Float64Array;
  /** Groups of which it could hold a pod. */
  readonly groups: BitSet;
}

export function machinesFor(
  compiled: CompiledProblem,
  groups: readonly DemandGroup[],
  templates: readonly Template[],
): Machine[] {
  const kept: Machine[] = [];
  const all = templates.flatMap((template) => machinesOf(compiled, template, groups));
  // Cheapest first: what makes a machine pointless is no dearer, so it has been met before.
  for (const machine of all.toSorted((a, b) => a.price - b.price)) {
    if (!kept.some((better) => isNoWorse(better, machine))) kept.push(machine);
  }
  return kept;
}

function machinesOf(
  compiled: CompiledProblem,
  template: Template,
  groups: readonly DemandGroup[],
): Machine[] {
  const { catalog, options } = compiled;
  const { amounts, remaining } = template.limits;
  const open = openTo(compiled, template, groups);
  const shareOf = daemonShares(compiled, template);
  return [...template.members].flatMap((variant) => {
    if (amounts.some((list, limit) => (list[variant] as number) > (remaining[limit] as number))) {
      return [];
    }
    const type = catalog.types[catalog.typeOf[variant] as number] as InstanceType;
    const offers = new Map<string, Machine>();
    for (const [offering, demands] of open(variant)) {
      const share = shareOf(type, offering);
      const room = roomBeside(catalog, variant, share);
      const members = [...demands].filter((group) =>
        holds(room, (groups[group] as DemandGroup).requests),
      );
      if (members.length === 0) continue;
      const price = offering.price + options.nodeCostPerHour;
      const key = `${members.join()} ${share.join()}`;
      const known = offers.get(key);
      if (known !== undefined && known.price <= price) continue;
      const set = BitSet.of(groups.length, members);
      offers.set(key, { template, variant, price, room, groups: set });
    }
    return [...offers.values()];
  });
}

function roomBeside({ allocatable }: Catalog, variant: number, share: Float64Array): Float64Array {
  const start = variant * share.length;
  return share.map((taken, column) => (allocatable[start + column] as number) - taken);
}

/** Per variant: each way of buying it, with the groups whose demands it meets. */
function openTo(
  compiled: CompiledProblem,
  template: Template,
  groups: readonly DemandGroup[],
): (variant: number) => Map<Offering, Set<number>> {
  const { catalog, taints } = compiled;
  const states = groups.map((group) =>
    taints.tolerates(group.tolerations, template.taints) ? statesOf(compiled, template, group) : [],
  );
  return (variant) => {
    const found = new Map<Offering, Set<number>>();
    for (const [group, list] of states.entries()) {
      for (const state of list) {
        if (!catalog.shaped(state).has(variant)) continue;
        for (const offering of catalog.offeringsOf(variant, state)) {
          found.set(offering, (found.get(offering) ?? new Set()).add(group));
        }
      }
    }
    return found;
  };
}

function statesOf(
  { states, problem }: CompiledProblem,
  template: Template,
  group: DemandGroup,
): StateId[] {
  const defined = states.requirementsOf(template.state);
  // A label that neither pool nor types define may be brought by another pod of the node.
  const lenient = (set: Requirements): StateId =>
    states.intern(
      new Map([...set].filter(([key]) => defined.has(key) || problem.rules.wellKnown.has(key))),
    );
  const found = new Set<StateId>();
  for (const alternative of group.alternatives) {
    const joined = states.join(template.state, lenient(alternative));
    if (joined === incompatible) continue;
    for (const place of group.places) {
      const state = states.join(joined, lenient(place));
      if (state !== incompatible) found.add(state);
    }
  }
  return [...found];
}

function isNoWorse(better: Machine, machine: Machine): boolean {
  if (better.price > machine.price) return false;
  if (!machine.groups.clone().andNot(better.groups).isEmpty()) return false;
  if (better.room.some((amount, column) => amount < (machine.room[column] as number))) return false;
  const { amounts } = better.template.limits;
  if (amounts.length === 0) return true;
  // It may not use up more of a limit either.
  return (
    better.template === machine.template &&
    amounts.every((list) => (list[better.variant] as number) <= (list[machine.variant] as number))
  );
}

export function holds(room: Float64Array, requests: Float64Array): boolean {
  return room.every((amount, column) => amount >= 0 && (requests[column] as number) <= amount);
}
