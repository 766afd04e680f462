// The nodes of a problem, laid out for the checker. In: an entry of `nodes`, objects or short form. Out: labels, amounts
// and those taints that will still be there when the node has finished starting.
import type { Taint } from '../../../src/api/core.ts';
import { type Amounts, amountsOf } from './amounts.ts';
import type { TypeFacts } from './cluster-facts.ts';
import { label } from './node-labels.ts';
import type { PodFacts } from './pod-facts.ts';
import type { NodeJson, ProblemJson } from './problem-json.ts';

export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Those that keep pods away even after the node has finished starting. */
  readonly taints: readonly Taint[];
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
  readonly pool: string | undefined;
  readonly deleting: boolean;
  readonly bound: readonly PodFacts[];
}

export function nodeFacts(
  json: NodeJson,
  index: number,
  around: {
    readonly problem: ProblemJson;
    readonly types: ReadonlyMap<string, TypeFacts>;
    readonly bound: ReadonlyMap<string, readonly PodFacts[]>;
  },
): NodeFacts {
  const name = json.node?.metadata?.name ?? json.name ?? `node-${String(index).padStart(4, '0')}`;
  const labels = nodeLabels(json, name, around.problem);
  const type = around.types.get(labels[label.instanceType] ?? '');
  const pool = labels[label.nodePool];
  return {
    name,
    labels,
    taints: lastingTaints(json, labels),
    capacity: amountsOn(json, labels, { kind: 'capacity', type }),
    allocatable: amountsOn(json, labels, { kind: 'allocatable', type }),
    pool,
    deleting: isDeleting(json, pool !== undefined),
    bound: around.bound.get(name) ?? [],
  };
}

function amountsOn(
  { node, nodeClaim }: NodeJson,
  labels: Readonly<Record<string, string>>,
  of: { readonly kind: 'capacity' | 'allocatable'; readonly type: TypeFacts | undefined },
): Amounts {
  const given = node?.status?.[of.kind];
  const stated = given === undefined ? of.type?.[of.kind] : amountsOf(given);
  const isStarting = label.nodePool in labels && labels[label.initialized] !== 'true';
  return filledUp(stated, amountsOf(isStarting ? nodeClaim?.status?.[of.kind] : undefined));
}

function nodeLabels(
  json: NodeJson,
  name: string,
  { nodePools, instanceTypes }: ProblemJson,
): Record<string, string> {
  const short = {
    [label.hostname]: name,
    [label.instanceType]: json.instanceType,
    [label.zone]: json.zone,
    [label.capacityType]: json.capacityType,
    [label.nodePool]: json.nodePool,
  };
  const own = { ...defined(short), ...json.node?.metadata?.labels };
  const pool = nodePools.find(({ metadata }) => metadata.name === own[label.nodePool]);
  const type = instanceTypes.find((candidate) => candidate.name === own[label.instanceType]);
  const ofType = (type?.requirements ?? []).flatMap(({ key, operator, values = [] }) =>
    operator === 'In' && values.length === 1 ? [[key, values[0] ?? '']] : [],
  );
  const managed = { [label.registered]: 'true', [label.initialized]: 'true' };
  return {
    ...Object.fromEntries(ofType),
    ...pool?.spec.template.metadata?.labels,
    ...(own[label.nodePool] !== undefined && managed),
    ...own,
  };
}

function defined(labels: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => (value ? [[key, value]] : [])),
  );
}

/**
 * While a node starts, taints that its own components will take away do not count: those of the kubelet and the
 * cloud, and those that its claim names as startup taints. One that comes back later does.
 */
function lastingTaints(json: NodeJson, labels: Readonly<Record<string, string>>): readonly Taint[] {
  const stated = statedTaints(json);
  if (labels[label.nodePool] === undefined) return stated;
  const claim = json.nodeClaim?.spec ?? {};
  const taints = labels[label.registered] === 'true' ? stated : (claim.taints ?? []);
  if (labels[label.initialized] === 'true') return taints;
  const names = (list: readonly Taint[] = []): string[] =>
    list.map(({ key, effect }) => `${key}:${effect}`);
  const startup = new Set(names(claim.startupTaints));
  return taints.filter((taint) =>
    names([taint]).every(
      (name) => !startup.has(name) && !passing.some((prefix) => name.startsWith(prefix)),
    ),
  );
}

function statedTaints({ node }: NodeJson): readonly Taint[] {
  const { taints = [], unschedulable = false } = node?.spec ?? {};
  return unschedulable ? [...taints, cordoned] : taints;
}

const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const passing = [
  'node.kubernetes.io/not-ready:NoSchedule',
  'node.kubernetes.io/not-ready:NoExecute',
  'node.kubernetes.io/unreachable:NoSchedule',
  'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule',
  'karpenter.sh/unregistered:NoExecute',
  'readiness.k8s.io/',
];

function isDeleting({ node, nodeClaim }: NodeJson, managed: boolean): boolean {
  if (!managed) return node?.metadata?.deletionTimestamp !== undefined;
  const isTerminating = (nodeClaim?.status?.conditions ?? []).some(
    ({ type, status }) => type === 'InstanceTerminating' && status === 'True',
  );
  return nodeClaim?.metadata?.deletionTimestamp !== undefined || isTerminating;
}

/** A kubelet that has just started reports extended resources as zero. */
function filledUp(stated: Amounts | undefined, claimed: Amounts): Amounts {
  const amounts = new Map(stated);
  for (const [name, nano] of claimed) if ((amounts.get(name) ?? 0n) === 0n) amounts.set(name, nano);
  return amounts;
}
