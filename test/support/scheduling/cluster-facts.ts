// The problem laid out for the checker: what nodes there are, what nodes could be made, who runs where. In: the raw
// document. Out: facts, by name. The short form of nodes is spelt out here anew, on purpose: a mistake in the reader
// of the product must not be a mistake of its judge as well.
import type { Pod, Taint } from '../../../src/api/core.ts';
import { azureWellKnownLabels, coreWellKnownLabels } from '../../../src/api/labels.ts';
import type { LabelSelector } from '../../../src/api/meta.ts';
import { type Amounts, amountsOf } from './amounts.ts';
import { daemonPod } from './daemon-facts.ts';
import { common, exactly, labelSetOf, type LabelSet } from './label-set.ts';
import { type NodeFacts, nodeFacts } from './node-facts.ts';
import { label } from './node-labels.ts';
import { podFacts, type PodFacts, presentName, selects } from './pod-facts.ts';
import type {
  InstanceTypeJson,
  NodePoolJson,
  OfferingJson,
  ProblemJson,
  RequirementJson,
} from './problem-json.ts';

export type LabelSets = ReadonlyMap<string, LabelSet>;

export interface OfferingFacts {
  readonly offering: OfferingJson;
  readonly labels: LabelSets;
}

export interface TypeFacts {
  readonly name: string;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
  readonly labels: LabelSets;
  /** Those that can be had right now. */
  readonly offerings: readonly OfferingFacts[];
}

export interface PoolFacts {
  readonly name: string;
  readonly labels: LabelSets;
  readonly minValues: ReadonlyMap<string, number>;
  readonly taints: readonly Taint[];
  readonly limits: Amounts;
  /** Why nodes may not be made from it, or undefined. */
  readonly closed: string | undefined;
}

export interface ClusterFacts {
  readonly problem: ProblemJson;
  readonly types: ReadonlyMap<string, TypeFacts>;
  readonly pools: ReadonlyMap<string, PoolFacts>;
  readonly nodes: ReadonlyMap<string, NodeFacts>;
  readonly pods: ReadonlyMap<string, PodFacts>;
  readonly daemons: readonly PodFacts[];
  /** Labels that instance types speak about. */
  readonly wellKnown: ReadonlySet<string>;
  /** Answers that many claims share, by what the claims say; kept because there are few claims that differ. */
  readonly launchable: Map<string, Map<string, LaunchableType>>;
}

/** A type of a claim with the offerings by which the claim could launch it. */
export interface LaunchableType {
  readonly type: TypeFacts;
  readonly offerings: readonly OfferingFacts[];
  /** Labels that claim and type cannot agree on. */
  readonly clashes: readonly string[];
}

const defaultNodeClass = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

export function clusterFacts(problem: ProblemJson): ClusterFacts {
  const findNamespaces = (selector: LabelSelector): ReadonlySet<string> | 'all' => {
    const { matchLabels = {}, matchExpressions = [] } = selector;
    if (Object.keys(matchLabels).length + matchExpressions.length === 0) return 'all';
    const found = (problem.namespaces ?? []).filter(({ metadata }) =>
      selects(selector, { labels: metadata.labels ?? {} } as PodFacts),
    );
    return new Set(found.map(({ metadata }) => metadata.name));
  };
  const facts = (pod: Pod): PodFacts => podFacts(pod, findNamespaces);
  const types = new Map(problem.instanceTypes.map((type) => [type.name, typeFacts(type)]));
  const bound = Map.groupBy(
    (problem.boundPods ?? []).filter(({ status }) => !isOver(status?.phase)).map(facts),
    ({ pod }) => pod.spec.nodeName ?? '',
  );
  const nodes = (problem.nodes ?? []).map((node, i) =>
    nodeFacts(node, i, { problem, types, bound }),
  );
  return {
    problem,
    types,
    pools: new Map(problem.nodePools.map((pool) => [pool.metadata.name, poolFacts(pool)])),
    nodes: new Map(nodes.map((node) => [node.name, node])),
    pods: new Map(problem.pods.map(facts).map((pod) => [pod.key, pod])),
    daemons: (problem.daemonSets ?? []).map((daemonSet) =>
      facts(daemonPod(daemonSet, problem.boundPods ?? [])),
    ),
    wellKnown: new Set([
      ...coreWellKnownLabels,
      ...azureWellKnownLabels,
      ...(problem.wellKnownLabels ?? []),
    ]),
    launchable: new Map(),
  };
}

export function labelSetsOf(requirements: readonly RequirementJson[] | undefined): LabelSets {
  const sets = new Map<string, LabelSet>();
  for (const { key: written, operator, values } of requirements ?? []) {
    const key = presentName(written);
    const set = labelSetOf(operator, values);
    const known = sets.get(key);
    sets.set(key, known === undefined ? set : common(known, set));
  }
  return sets;
}

export function isTerminating({ pod }: PodFacts): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isDaemon({ pod }: PodFacts): boolean {
  return (pod.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet');
}

function isOver(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function typeFacts(type: InstanceTypeJson): TypeFacts {
  const capacity = amountsOf(type.capacity);
  const offerings = type.offerings.filter(({ available }) => available);
  const stated = labelSetsOf(type.requirements);
  const derived: LabelSets = new Map([
    [label.instanceType, exactly(type.name)],
    [
      label.zone,
      labelSetOf(
        'In',
        offerings.map(({ zone }) => zone),
      ),
    ],
    [
      label.capacityType,
      labelSetOf(
        'In',
        offerings.map(({ capacityType }) => capacityType),
      ),
    ],
  ]);
  return {
    name: type.name,
    capacity,
    allocatable: allocatableOf(capacity, amountsOf(type.overhead)),
    labels: new Map([...derived, ...stated]),
    offerings: offerings.map((offering) => ({
      offering,
      labels: new Map([
        [label.zone, exactly(offering.zone)],
        [label.capacityType, exactly(offering.capacityType)],
        ...labelSetsOf(offering.requirements),
      ]),
    })),
  };
}

/** Memory set aside as huge pages cannot be used as memory. */
function allocatableOf(capacity: Amounts, overhead: Amounts): Amounts {
  const allocatable = new Map(
    [...capacity].map(([name, nano]) => [name, nano - (overhead.get(name) ?? 0n)]),
  );
  for (const [name, nano] of capacity) {
    if (!name.startsWith('hugepages-')) continue;
    const memory = (allocatable.get('memory') ?? 0n) - nano;
    allocatable.set('memory', memory < 0n ? 0n : memory);
  }
  return allocatable;
}

function poolFacts({ metadata, spec, status }: NodePoolJson): PoolFacts {
  const template = spec.template.spec;
  const { group, kind, name } = template.nodeClassRef ?? defaultNodeClass;
  const labels = [
    ...(template.requirements ?? []),
    ...Object.entries({
      ...spec.template.metadata?.labels,
      [label.nodePool]: metadata.name,
      [`${group}/${kind.toLowerCase()}`]: name,
    }).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  ];
  return {
    name: metadata.name,
    labels: labelSetsOf(labels),
    minValues: minValuesOf(template.requirements),
    taints: template.taints ?? [],
    limits: amountsOf(spec.limits),
    closed: whyClosed({ metadata, spec, status: status ?? {} }),
  };
}

function minValuesOf(requirements: readonly RequirementJson[] = []): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const { key: written, minValues = 0 } of requirements) {
    const key = presentName(written);
    if (minValues > (wanted.get(key) ?? 0)) wanted.set(key, minValues);
  }
  return wanted;
}

function whyClosed({ metadata, spec, status }: NodePoolJson): string | undefined {
  if (spec.replicas !== undefined) return 'is static';
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  return conditions.length > 0 && ready?.status !== 'True' ? 'is not ready' : undefined;
}
