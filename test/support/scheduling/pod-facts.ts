// What a pod demands, laid out for the checker. In: a Pod. Out: its requests, alternatives of node labels, tolerations,
// host ports, and rules about other pods, each in the plainest form. Only what is hard: preferences are left out.
import type {
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../../src/api/core.ts';
import type { LabelSelector } from '../../../src/api/meta.ts';
import { type Amounts, requestsOf } from './amounts.ts';
import { exactly, labelSetOf, type LabelSet } from './label-set.ts';

/** All of these labels at once. */
export type LabelDemands = readonly (readonly [key: string, allowed: LabelSet])[];

export interface HostPort {
  readonly port: number;
  readonly protocol: string;
  readonly ip: string;
}

/** A rule about pods in the same or another domain. */
export interface Term {
  readonly key: string;
  readonly selector: LabelSelector | undefined;
  readonly namespaces: ReadonlySet<string> | 'all';
}

export interface PodFacts {
  readonly pod: Pod;
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly requests: Amounts;
  /** One of these must hold for the node. */
  readonly nodeAlternatives: readonly LabelDemands[];
  readonly tolerations: readonly Toleration[];
  readonly ports: readonly HostPort[];
  readonly spread: readonly TopologySpreadConstraint[];
  readonly affinity: readonly Term[];
  readonly antiAffinity: readonly Term[];
}

export type NamespaceFinder = (selector: LabelSelector) => ReadonlySet<string> | 'all';

/** Old names of labels, which kubelet and cloud providers still set beside the new ones. */
const renamed = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

export function presentName(key: string): string {
  return renamed.get(key) ?? key;
}

export function podFacts(pod: Pod, findNamespaces: NamespaceFinder): PodFacts {
  const { metadata, spec } = pod;
  const { namespace = 'default', labels = {} } = metadata;
  const terms = (list: readonly PodAffinityTerm[] | undefined): Term[] =>
    (list ?? []).map((term) => affinityTerm(term, { namespace, labels, findNamespaces }));
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  return {
    pod,
    key: `${namespace}/${metadata.name}`,
    namespace,
    labels,
    requests: requestsOf(pod),
    nodeAlternatives: nodeAlternatives(pod),
    tolerations: spec.tolerations ?? [],
    ports: hostPorts(pod),
    spread: (spec.topologySpreadConstraints ?? [])
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
      .map((constraint) => withMatchLabelKeys(constraint, labels)),
    affinity: terms(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    antiAffinity: terms(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
  };
}

function tolerates(pod: { readonly tolerations: readonly Toleration[] }, taint: Taint): boolean {
  return pod.tolerations.some((toleration) => {
    const { key = '', effect = '' } = toleration;
    const isAbout = (key === '' || key === taint.key) && (effect === '' || effect === taint.effect);
    return isAbout && toleratesValue(toleration, taint.value ?? '');
  });
}

/** Taints that keep a pod away for good; one that only discourages never does. */
export function keepsAway(
  pod: { readonly tolerations: readonly Toleration[] },
  taint: Taint,
): boolean {
  return taint.effect !== 'PreferNoSchedule' && !tolerates(pod, taint);
}

export function selects(selector: LabelSelector | undefined, pod: PodFacts): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labelOf = (key: string): string | undefined =>
    Object.hasOwn(pod.labels, key) ? pod.labels[key] : undefined;
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(key) === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labelOf(key);
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'In' ? isIn : !isIn;
    })
  );
}

export function concerns(term: Term, pod: PodFacts): boolean {
  const isThere = term.namespaces === 'all' || term.namespaces.has(pod.namespace);
  return isThere && selects(term.selector, pod);
}

/**
 * Such a pod may bring a label to a new node that the pool does not speak of: it says, or wishes, what the value must
 * not be, and the node then gets another.
 */
export function bringsLabel(pod: PodFacts, key: string): boolean {
  const wishes =
    pod.pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  const wished = (wishes ?? []).map(({ preference }) => demandsOfTerm(preference));
  return [...pod.nodeAlternatives, ...wished].some((demands) =>
    demands.some(
      ([demanded, { except, absent, values }]) =>
        demanded === key && except && absent && values.size > 0,
    ),
  );
}

export function demandsOfTerm(term: NodeSelectorTerm): LabelDemands {
  return (term.matchExpressions ?? []).map(({ key, operator, values }) => [
    presentName(key),
    labelSetOf(operator, values),
  ]);
}

function nodeAlternatives({ spec }: Pod): LabelDemands[] {
  const selector: LabelDemands = Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => [
    presentName(key),
    exactly(value),
  ]);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return [selector];
  // A term without any expression matches no node, and `matchFields` names nodes, of which a new one has no name yet.
  return required.nodeSelectorTerms
    .filter(({ matchExpressions = [], matchFields = [] }) => {
      return matchExpressions.length > 0 && matchFields.length === 0;
    })
    .map((term) => [...selector, ...demandsOfTerm(term)]);
}

/** Sidecars run as long as the pod does, so their ports count like those of the other containers. */
function hostPorts({ spec }: Pod): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  return [...spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) =>
      hostPort === 0 ? [] : [{ port: hostPort, protocol, ip: hostIP === '' ? '0.0.0.0' : hostIP }],
    ),
  );
}

function affinityTerm(
  term: PodAffinityTerm,
  owner: {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly findNamespaces: NamespaceFinder;
  },
): Term {
  const { namespaces = [], namespaceSelector } = term;
  const found = namespaceSelector && owner.findNamespaces(namespaceSelector);
  const listed = new Set(namespaces);
  const own =
    namespaces.length === 0 && namespaceSelector === undefined
      ? new Set([owner.namespace])
      : listed;
  return {
    key: presentName(term.topologyKey),
    selector: withLabelKeys(term, owner.labels),
    namespaces: found === 'all' ? 'all' : own.union(found ?? new Set()),
  };
}

/** The API server has put these into the selector already; saying it twice means the same. */
function withLabelKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: PodAffinityTerm,
  labels: Readonly<Record<string, string>>,
): LabelSelector | undefined {
  if (labelSelector === undefined) return undefined;
  const extra = [
    ...matchLabelKeys.map((key) => ({ key, operator: 'In' as const })),
    ...mismatchLabelKeys.map((key) => ({ key, operator: 'NotIn' as const })),
  ].flatMap(({ key, operator }) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  return {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...extra],
  };
}

function withMatchLabelKeys(
  constraint: TopologySpreadConstraint,
  labels: Readonly<Record<string, string>>,
): TopologySpreadConstraint {
  const { topologyKey, matchLabelKeys = [] } = constraint;
  const labelSelector = withLabelKeys({ ...constraint, topologyKey, matchLabelKeys }, labels);
  return {
    ...constraint,
    topologyKey: presentName(topologyKey),
    ...(labelSelector && { labelSelector }),
  };
}

function toleratesValue({ operator = 'Equal', value = '' }: Toleration, actual: string): boolean {
  if (operator === 'Exists') return true;
  if (operator === 'Equal') return value === actual;
  if (!isInteger(value) || !isInteger(actual)) return false;
  return operator === 'Lt' ? BigInt(actual) < BigInt(value) : BigInt(actual) > BigInt(value);
}

function isInteger(text: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(text);
}
