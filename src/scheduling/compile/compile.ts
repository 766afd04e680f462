// Problem → compiled form. In: a problem as objects. Out: integers, bit sets and columns that the solver works on.
// A compiled problem is a base to ask questions of: pods that are not in it can be compiled into it later, and nodes can
// be left out of a single question, without compiling anything again.
import type { Pod } from '../../api/core.ts';
import { BitSet } from '../../base/bitset.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { hasResourceClaims } from '../../model/pod.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import { requiredTerms, requirementsFromTerm } from '../../model/pod-requirements.ts';
import {
  mergeRequirements,
  requirementsFromLabels,
  hasMinValues,
} from '../../model/requirements.ts';
import type { Resources } from '../../model/resources.ts';
import { toleratesPreferNoSchedule } from '../../model/taint.ts';
import { Catalog } from '../catalog.ts';
import { capacityColumns, compileColumns, type ResourceColumns } from '../resource-columns.ts';
import { RequirementStates } from '../requirement-states.ts';
import type { SchedulableNode } from '../schedulable-node.ts';
import type { PoolCatalog, SchedulingOptions, SchedulingProblem } from '../scheduling-problem.ts';
import { DomainDemands } from '../topology/domain-demands.ts';
import { selectorKeys } from '../topology/matcher.ts';
import { Memberships } from '../topology/membership.ts';
import { Topology } from '../topology/topology.ts';
import { overheadGroups } from './daemon-overhead.ts';
import { demandKeys } from './demand-keys.ts';
import { OpenTypeLists } from './open-types.ts';
import { type DaemonDemand, NodeTable } from './node-table.ts';
import type { PodShape } from './pod-shape.ts';
import { ShapeCompiler } from './shape-compiler.ts';
import { shapeText } from './shape-text.ts';
import { TaintTable } from './taints.ts';
import { poolLimits } from './pool-limits.ts';
import { byWeight, type Template, templateRequirements } from './template.ts';

export interface CompiledProblem {
  readonly problem: SchedulingProblem;
  readonly options: SchedulingOptions;
  readonly columns: ResourceColumns;
  readonly states: RequirementStates;
  readonly catalog: Catalog;
  readonly taints: TaintTable;
  readonly nodes: NodeTable;
  /** Heaviest first. */
  readonly templates: readonly Template[];
  /** Pools whose requirements leave no instance type. */
  readonly emptyPools: readonly string[];
  readonly topology: Topology;
  readonly memberships: Memberships;
  readonly openTypes: OpenTypeLists;
  readonly domainDemands: DomainDemands;
  readonly shapes: ShapeCompiler;
  /** The pods to be placed, by shape. */
  readonly pending: ReadonlyMap<PodShape, readonly Pod[]>;
}

export function compile(problem: SchedulingProblem, options: SchedulingOptions): CompiledProblem {
  const { rules, pods, namespaces, storage } = problem;
  // Where devices are not handed out, a pod that claims one runs nowhere.
  const daemonPods = problem.daemonPods.filter(
    (pod) => !options.ignoreDeviceRequests || !hasResourceClaims(pod),
  );
  const nodes = problem.nodes.toSorted(inOrderOfUse);
  const running = nodes.flatMap((node) => node.pods);
  const labelKeys = [...new Set([...pods, ...running].flatMap(selectorKeys))].toSorted();
  const kinds = groupByText(pods, labelKeys);
  const requests = requestsOfKinds(kinds);
  const columns = compileColumns(vectorsOf(problem, requests));
  const states = new RequirementStates(rules);
  const taints = new TaintTable();
  const types = [...new Set(problem.pools.flatMap(({ instanceTypes }) => instanceTypes))].toSorted(
    (a, b) => compareText(a.name, b.name),
  );
  const catalog = new Catalog({ types, columns, states, rules });
  const daemons = daemonPods.map((pod) => daemonDemand(pod, { rules, states, taints }));
  const table = new NodeTable({
    nodes,
    rules,
    states,
    taints,
    columns,
    daemons,
    keys: demandKeys(rules, [...pods, ...running, ...daemonPods], storage),
  });
  const all = byWeight(problem.pools).map((entry, index) =>
    template({ entry, index, daemons, problem, catalog, states, taints, columns }),
  );
  const templates = all.filter(({ members }) => !members.isEmpty());
  const placing = new Set(pods.flatMap(({ metadata }) => metadata.uid ?? []));
  const around = { nodes: table, templates, catalog, states, taints, namespaces, placing };
  const topology = new Topology(around);
  const shapes = new ShapeCompiler({
    rules,
    states,
    taints,
    columns,
    topology,
    namespaces,
    storage,
    policy: {
      wishesCount: options.preferencePolicy === 'Respect',
      hasPreferNoSchedule: hasPreferNoSchedule(problem),
    },
    ignoreDeviceRequests: options.ignoreDeviceRequests,
    selectorKeys: labelKeys,
    requests,
  });
  return {
    problem,
    options,
    columns,
    states,
    catalog,
    taints,
    nodes: table,
    templates,
    emptyPools: all.filter(({ members }) => members.isEmpty()).map(({ name }) => name),
    topology,
    memberships: new Memberships(topology),
    openTypes: new OpenTypeLists(catalog),
    domainDemands: new DomainDemands(states),
    shapes,
    pending: new Map([...kinds].map(([text, group]) => [shapes.shapeOfText(text, group), group])),
  };
}

/** Pods that no rule can tell apart, by the text that says so. */
function groupByText(pods: readonly Pod[], labelKeys: readonly string[]): Map<string, Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const text = shapeText(pod, labelKeys);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [pod]);
    else group.push(pod);
  }
  for (const group of groups.values()) group.sort(byAge);
  return new Map([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function byAge(a: Pod, b: Pod): number {
  return (
    compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
    compareText(a.metadata.uid ?? '', b.metadata.uid ?? '')
  );
}

/** Nodes that are up come first: pods start there at once. */
function inOrderOfUse(a: SchedulableNode, b: SchedulableNode): number {
  return Number(b.initialized) - Number(a.initialized) || compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function template(context: {
  readonly entry: PoolCatalog;
  readonly index: number;
  readonly daemons: readonly DaemonDemand[];
  readonly problem: SchedulingProblem;
  readonly catalog: Catalog;
  readonly states: RequirementStates;
  readonly taints: TaintTable;
  readonly columns: ResourceColumns;
}): Template {
  const { entry, index, problem, catalog, states, taints, columns } = context;
  const { pool, instanceTypes } = entry;
  const requirements = templateRequirements(problem.rules, pool);
  const state = states.intern(requirements);
  const own = new Set<InstanceType>(instanceTypes);
  const members = new BitSet(catalog.variantCount);
  for (const variant of catalog.open(state).variants) {
    if (own.has(catalog.types[catalog.typeOf[variant] as number] as InstanceType))
      members.add(variant);
  }
  const taintsId = taints.taintsId(pool.spec.template.spec.taints ?? []);
  const daemons = context.daemons.filter(({ tolerations }) =>
    taints.tolerates(tolerations, taintsId),
  );
  const overhead = overheadGroups({ state, members, daemons, states, catalog });
  const room = catalog.allocatable.slice();
  for (const { variants, requests } of overhead) {
    if (requests.size === 0) continue;
    const taken = capacityColumns(columns, requests);
    for (const variant of variants) {
      const row = variant * taken.length;
      for (let column = 0; column < taken.length; column++) {
        room[row + column] = (room[row + column] as number) - (taken[column] as number);
      }
    }
  }
  return {
    index,
    name: pool.metadata.name,
    pool,
    weight: pool.spec.weight ?? 0,
    state,
    taints: taintsId,
    members,
    memberList: Int32Array.from(members),
    room,
    overhead,
    hasMinValues: hasMinValues(requirements),
    limits: poolLimits(pool, problem.nodes, catalog),
  };
}

function daemonDemand(
  pod: Pod,
  {
    rules,
    states,
    taints,
  }: Pick<CompiledProblem, 'states' | 'taints'> & Pick<SchedulingProblem, 'rules'>,
): DaemonDemand {
  const base = requirementsFromLabels(rules, pod.spec.nodeSelector);
  const terms = requiredTerms(pod).map((term) =>
    mergeRequirements(base, requirementsFromTerm(rules, term)),
  );
  return {
    pod,
    alternatives: (terms.length === 0 ? [base] : terms).map((set) => states.intern(set)),
    // A DaemonSet has nowhere else to go, so a taint that is merely to be avoided does not keep it away.
    tolerations: taints.tolerationsId([...(pod.spec.tolerations ?? []), toleratesPreferNoSchedule]),
  };
}

function hasPreferNoSchedule({ pools, nodes }: SchedulingProblem): boolean {
  const taints = [
    ...pools.flatMap(({ pool }) => pool.spec.template.spec.taints ?? []),
    ...nodes.flatMap((node) => node.taints),
  ];
  return taints.some(({ effect }) => effect === 'PreferNoSchedule');
}

/** Of one pod of each kind: they are needed twice, and take a while to add up. */
function requestsOfKinds(kinds: ReadonlyMap<string, readonly Pod[]>): Map<Pod, Resources> {
  const requests = new Map<Pod, Resources>();
  for (const [example] of kinds.values()) {
    if (example !== undefined) requests.set(example, requestsOfPods([example]));
  }
  return requests;
}

function* vectorsOf(
  { pools, nodes, daemonPods }: SchedulingProblem,
  requests: ReadonlyMap<Pod, Resources>,
): Generator<Resources> {
  for (const type of new Set(pools.flatMap(({ instanceTypes }) => instanceTypes))) {
    for (const { allocatable } of type.allocatableGroups) yield allocatable;
  }
  for (const node of nodes) yield node.available;
  yield* requests.values();
  for (const pod of daemonPods) yield requestsOfPods([pod]);
}
