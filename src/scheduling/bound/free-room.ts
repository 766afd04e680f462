// What the nodes there are could still take. In: a compiled problem, groups of pods. Out: nodes that could hold the same
// groups, counted together as one large place: whatever fits on them one by one fits there.
import type { CompiledProblem } from '../compile/compile.ts';
import type { DemandGroup, HostLimit } from './demand.ts';
import { holds } from './machines.ts';

export interface FreeRoom {
  readonly room: Float64Array;
  readonly groups: readonly number[];
  readonly nodes: readonly number[];
}

export function freeRooms(compiled: CompiledProblem, groups: readonly DemandGroup[]): FreeRoom[] {
  const { nodes, columns } = compiled;
  const width = columns.names.length;
  const rooms = new Map<string, FreeRoom & { nodes: number[] }>();
  for (const [node, { deleting }] of nodes.nodes.entries()) {
    if (deleting) continue;
    const own = nodes.room.slice(node * width, (node + 1) * width);
    const members = [...groups.keys()].filter((index) =>
      accepts(compiled, node, groups[index] as DemandGroup, own),
    );
    if (members.length === 0) continue;
    const known = rooms.get(members.join());
    if (known === undefined)
      rooms.set(members.join(), { room: own, groups: members, nodes: [node] });
    else {
      known.nodes.push(node);
      for (let column = 0; column < width; column++) {
        known.room[column] = (known.room[column] as number) + (own[column] as number);
      }
    }
  }
  return [...rooms.values()];
}

/** How many pods with the rule these nodes could still have. */
export function hostAllowance(
  compiled: CompiledProblem,
  rule: HostLimit,
  nodes: readonly number[],
): number {
  const { group } = rule;
  if (group === undefined) return nodes.length;
  const { counts } = compiled.topology;
  return nodes.filter((node) => counts.onHost(group, node) === 0).length;
}

function accepts(
  compiled: CompiledProblem,
  node: number,
  group: DemandGroup,
  room: Float64Array,
): boolean {
  const { nodes, taints, states } = compiled;
  return (
    holds(room, group.requests) &&
    taints.tolerates(group.tolerations, nodes.taintsOf[node] as number) &&
    group.alternatives.some((set) => nodes.meets(node, states.intern(set))) &&
    group.places.some((set) => nodes.meets(node, states.intern(set)))
  );
}
