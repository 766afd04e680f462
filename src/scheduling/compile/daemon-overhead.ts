// What DaemonSets will take of a new node. In: their pods, and a template of nodes. Out: groups of instance types on
// which the same DaemonSets run, with what those need.
// A DaemonSet counts if it tolerates the template's taints (one that it merely prefers to avoid does not keep it away)
// and any alternative of what it demands agrees with template and type. Its wishes do not matter, nor do startup taints.
import type { BitSet } from '../../base/bitset.ts';
import { type HostPort, hostPorts } from '../../model/host-port.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import { noResources, type Resources } from '../../model/resources.ts';
import { incompatible, type RequirementStates, type StateId } from '../requirement-states.ts';
import type { Catalog } from '../catalog.ts';
import type { DaemonDemand } from './node-table.ts';

export interface OverheadGroup {
  readonly variants: BitSet;
  readonly requests: Resources;
  readonly ports: readonly HostPort[];
}

export function overheadGroups(options: {
  readonly state: StateId;
  readonly members: BitSet;
  /** Those that tolerate the template's taints. */
  readonly daemons: readonly DaemonDemand[];
  readonly states: RequirementStates;
  readonly catalog: Catalog;
}): OverheadGroup[] {
  const { members, daemons } = options;
  const places = daemons.map((daemon) => variantsFor(daemon, options));
  const groups = new Map<string, { members: number[]; daemons: DaemonDemand[] }>();
  for (const variant of members) {
    const here = daemons.filter((_, i) => places[i]?.has(variant) === true);
    const text = here.map((daemon) => daemons.indexOf(daemon)).join();
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { members: [variant], daemons: here });
    else group.members.push(variant);
  }
  return [...groups.values()].map((group) => ({
    variants: setOf(members, group.members),
    requests:
      group.daemons.length === 0
        ? noResources
        : requestsOfPods(group.daemons.map(({ pod }) => pod)),
    ports: group.daemons.flatMap(({ pod }) => hostPorts(pod)),
  }));
}

function variantsFor(
  { alternatives }: DaemonDemand,
  { state, members, states, catalog }: Parameters<typeof overheadGroups>[0],
): BitSet {
  const places = setOf(members, []);
  for (const demand of alternatives) {
    const joined = states.join(state, demand);
    if (joined !== incompatible) places.or(catalog.shaped(joined));
  }
  return places;
}

function setOf(like: BitSet, members: readonly number[]): BitSet {
  const set = like.clone();
  set.words.fill(0);
  for (const member of members) set.add(member);
  return set;
}
