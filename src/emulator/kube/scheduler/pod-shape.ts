// Pods that no scheduling rule can tell apart have one shape, compiled once. In: a pod. Out: its shape.
// 1. Two pods have equal keys only if every filter and every score treats them alike.
// 2. Names, uids and everything the kubelet alone reads stay out of the key.
import type {
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
} from '../../../api/core.ts';
import type { LabelSelector } from '../../../api/meta.ts';
import { hostPortsOf, type HostPort } from './host-ports.ts';
import { compileSelector, isEmptySelector, type LabelPredicate } from './label-selector.ts';
import type { Labels, SchedulingPod } from './objects.ts';
import { podRequests, podRequestsForScoring, type Amounts } from './pod-requests.ts';

export interface AffinityTerm {
  readonly key: string;
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelPredicate | undefined;
  readonly selector: LabelPredicate;
}

export interface WeightedTerm {
  readonly weight: number;
  readonly term: AffinityTerm;
}

export interface SpreadConstraint {
  readonly key: string;
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
  /** An empty selector matches the pod itself but, as upstream counts, no other. */
  readonly matchesAll: boolean;
  readonly selector: LabelPredicate;
}

export interface PodShape {
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly ownerUid: string;
  readonly spec: SchedulingPod['spec'];
  readonly priority: number;
  readonly requests: Amounts;
  readonly scoringRequests: Amounts;
  readonly hostPorts: readonly HostPort[];
  readonly claimNames: readonly string[];
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];
  readonly hardSpread: readonly SpreadConstraint[];
  readonly softSpread: readonly SpreadConstraint[];
}

export function shapeKey(pod: SchedulingPod): string {
  const { metadata, spec } = pod;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    ownerUidOf(pod),
    [spec.containers, spec.initContainers ?? []].map((containers) =>
      containers.map(({ resources, ports, restartPolicy }) => [
        resources?.requests,
        ports?.filter((port) => (port.hostPort ?? 0) > 0),
        restartPolicy,
      ]),
    ),
    [spec.overhead, spec.resources?.requests, spec.priority, spec.preemptionPolicy],
    [spec.nodeSelector, spec.affinity, spec.tolerations, spec.topologySpreadConstraints],
    claimNamesOf(pod),
  ]);
}

export function compileShape(pod: SchedulingPod, key: string): PodShape {
  const { metadata, spec } = pod;
  const { namespace = '', labels = {} } = metadata;
  return {
    key,
    namespace,
    labels,
    ownerUid: ownerUidOf(pod),
    spec,
    priority: spec.priority ?? 0,
    requests: podRequests(spec),
    scoringRequests: podRequestsForScoring(spec),
    hostPorts: hostPortsOf(spec),
    claimNames: claimNamesOf(pod),
    ...compileAffinity(spec, (term) => compileTerm(term, namespace, labels)),
    hardSpread: compileSpreads(spec, labels, 'DoNotSchedule'),
    softSpread: compileSpreads(spec, labels, 'ScheduleAnyway'),
  };
}

type AffinityTerms = Pick<
  PodShape,
  'affinity' | 'antiAffinity' | 'preferredAffinity' | 'preferredAntiAffinity'
>;

function compileAffinity(
  spec: PodSpec,
  compile: (term: PodAffinityTerm) => AffinityTerm,
): AffinityTerms {
  const { podAffinity = {}, podAntiAffinity = {} } = spec.affinity ?? {};
  const required = (rules: PodAffinity): AffinityTerm[] =>
    (rules.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(compile);
  const preferred = (rules: PodAffinity): WeightedTerm[] =>
    (rules.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((preference) => ({
      weight: preference.weight,
      term: compile(preference.podAffinityTerm),
    }));
  return {
    affinity: required(podAffinity),
    antiAffinity: required(podAntiAffinity),
    preferredAffinity: preferred(podAffinity),
    preferredAntiAffinity: preferred(podAntiAffinity),
  };
}

function compileSpreads(spec: PodSpec, labels: Labels, action: string): SpreadConstraint[] {
  return (spec.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === action)
    .map((constraint) => compileSpread(constraint, labels));
}

export function ownerUidOf(pod: SchedulingPod): string {
  return pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid ?? '';
}

/** The claims that the pod mounts; a generic ephemeral volume's claim is named after pod and volume. */
function claimNamesOf(pod: SchedulingPod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`];
  });
}

function compileTerm(written: PodAffinityTerm, namespace: string, labels: Labels): AffinityTerm {
  const { topologyKey, namespaces = [], namespaceSelector } = written;
  const own = namespaces.length === 0 && namespaceSelector === undefined ? [namespace] : namespaces;
  const selector = withPodValues(written.labelSelector, labels, written);
  return {
    key: JSON.stringify([topologyKey, own, namespaceSelector, selector]),
    topologyKey,
    namespaces: new Set(own),
    namespaceSelector:
      namespaceSelector === undefined ? undefined : compileSelector(namespaceSelector),
    selector: compileSelector(selector),
  };
}

function compileSpread(written: TopologySpreadConstraint, labels: Labels): SpreadConstraint {
  const selector = withPodValues(written.labelSelector, labels, written);
  return {
    key: JSON.stringify(selector ?? null),
    topologyKey: written.topologyKey,
    maxSkew: written.maxSkew,
    minDomains: written.minDomains ?? 1,
    honorsAffinity: (written.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    honorsTaints: written.nodeTaintsPolicy === 'Honor',
    matchesAll: selector !== undefined && isEmptySelector(selector),
    selector: compileSelector(selector),
  };
}

/** matchLabelKeys and mismatchLabelKeys turned into conditions; stating one twice changes nothing. */
function withPodValues(
  selector: LabelSelector | undefined,
  labels: Labels,
  keys: {
    readonly matchLabelKeys?: readonly string[];
    readonly mismatchLabelKeys?: readonly string[];
  },
): LabelSelector | undefined {
  const { matchLabelKeys = [], mismatchLabelKeys = [] } = keys;
  if (selector === undefined) return undefined;
  const added = [
    ...matchLabelKeys.map((key) => ({ key, operator: 'In' as const })),
    ...mismatchLabelKeys.map((key) => ({ key, operator: 'NotIn' as const })),
  ].flatMap(({ key, operator }) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (added.length === 0) return selector;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] };
}
