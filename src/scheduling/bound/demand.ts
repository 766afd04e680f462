// Pods that a bound cannot tell apart. In: placed pods by shape. Out: groups: so many pods of one size that may go to the
// same places and have the same rules about sharing a host. Only what every plan must keep counts: no wishes.
import type { PodShape } from '../compile/pod-shape.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import type { Requirements } from '../../model/requirements.ts';
import type { StateId } from '../requirement-states.ts';
import type { TopologyGroup } from '../topology/group.ts';

export interface DemandGroup {
  readonly count: number;
  readonly requests: Float64Array;
  /** One of these must hold. */
  readonly alternatives: readonly Requirements[];
  /** And one of these, for its volumes. */
  readonly places: readonly Requirements[];
  readonly tolerations: number;
  readonly rules: readonly HostLimit[];
}

/** At most one pod with the rule on a host. */
export interface HostLimit {
  readonly name: string;
  /** What counts pods that run already; undefined for ports. */
  readonly group: TopologyGroup | undefined;
}

export function demandGroups(
  compiled: CompiledProblem,
  placed: ReadonlyMap<PodShape, number>,
): DemandGroup[] {
  const groups = new Map<string, DemandGroup>();
  for (const [shape, count] of placed) {
    if (count === 0) continue;
    const group = groupOf(compiled, shape);
    const text = textOf(compiled, group);
    const known = groups.get(text)?.count ?? 0;
    groups.set(text, { ...group, count: known + count });
  }
  return [...groups.values()];
}

function groupOf(compiled: CompiledProblem, shape: PodShape): Omit<DemandGroup, 'count'> {
  const { states, memberships } = compiled;
  // The weakest form has no wishes left, and tolerates the most.
  const weakest = shape.variants.at(-1);
  const { countedBy } = memberships.of(shape);
  // A spread over hosts is no such rule: hosts that all have many are spread as well as hosts that all have one.
  const rules = (weakest?.owned ?? [])
    .filter((group) => group.isHostname && group.kind === 'anti-affinity' && countedBy.has(group))
    .map((group) => ({ name: `group ${group.index}`, group }));
  const ports = shape.ports.map(({ ip, port, protocol }) => ({
    name: `port ${protocol} ${ip} ${port}`,
    group: undefined,
  }));
  return {
    requests: shape.requests,
    alternatives: shape.variants.map(({ strict }) => strict),
    places: shape.places.map((place) => states.requirementsOf(place)),
    tolerations: weakest?.tolerations ?? 0,
    rules: [...rules, ...ports],
  };
}

function textOf({ states }: CompiledProblem, group: Omit<DemandGroup, 'count'>): string {
  const ids = (sets: readonly Requirements[]): StateId[] => [
    ...new Set(sets.map((set) => states.intern(set))),
  ];
  const { requests, alternatives, places, tolerations, rules } = group;
  return [
    requests.join(),
    ids(alternatives).join(),
    ids(places).join(),
    tolerations,
    rules.map(({ name }) => name).join(),
  ].join('\n');
}
