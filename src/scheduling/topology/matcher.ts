// Which pods a topology rule speaks about. In: the selectors and namespaces of its terms. Out: yes or no for a pod, and
// a label value that every such pod has, so that rules can be found by pods and pods by rules.
import type { Namespace, Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../api/core.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../api/meta.ts';
import { selectorIdentity, selects } from '../../model/label-selector.ts';

export interface PodIdentity {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** One term: pods of these namespaces that the selector selects. */
export interface Matcher {
  readonly namespaces: ReadonlySet<string> | 'all';
  readonly selector: LabelSelector | undefined;
}

export function identityOf({ metadata }: Pod): PodIdentity {
  return { namespace: metadata.namespace ?? '', labels: metadata.labels ?? {} };
}

/** All terms must speak about the one pod. */
export function matchesAll(matchers: readonly Matcher[], pod: PodIdentity): boolean {
  return matchers.every(
    ({ namespaces, selector }) =>
      (namespaces === 'all' || namespaces.has(pod.namespace)) && selects(selector, pod.labels),
  );
}

export function matchersIdentity(matchers: readonly Matcher[]): string {
  return matchers
    .map(({ namespaces, selector }) => {
      const where = namespaces === 'all' ? '*' : [...namespaces].toSorted().join(' ');
      return `${where}|${selectorIdentity(selector)}`;
    })
    .toSorted()
    .join('&');
}

/** The pod's own value of each of `matchLabelKeys` becomes part of the selector; keys it lacks are ignored. */
export function spreadMatcher(pod: PodIdentity, constraint: TopologySpreadConstraint): Matcher {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  const namespaces = new Set([pod.namespace]);
  if (labelSelector === undefined) return { namespaces, selector: undefined };
  const added = matchLabelKeys.flatMap((key): LabelSelectorRequirement[] => {
    const value = Object.hasOwn(pod.labels, key) ? pod.labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { namespaces, selector: { ...labelSelector, matchExpressions } };
}

/** Neither list nor selector: the pod's own namespace. An empty selector: every namespace. */
export function affinityMatcher(
  pod: PodIdentity,
  term: PodAffinityTerm,
  namespaces: readonly Namespace[],
): Matcher {
  const { labelSelector: selector, namespaces: listed = [], namespaceSelector } = term;
  if (namespaceSelector === undefined) {
    return { namespaces: new Set(listed.length === 0 ? [pod.namespace] : listed), selector };
  }
  const { matchLabels = {}, matchExpressions = [] } = namespaceSelector;
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
    return { namespaces: 'all', selector };
  }
  const selected = namespaces
    .filter(({ metadata }) => selects(namespaceSelector, metadata.labels))
    .map(({ metadata }) => metadata.name);
  return { namespaces: new Set([...selected, ...listed]), selector };
}

/** A label that every pod matched must carry with exactly this value; undefined when there is none. */
export function requiredLabel(matchers: readonly Matcher[]): string | undefined {
  for (const { selector } of matchers) {
    const [label] = [...Object.entries(selector?.matchLabels ?? {}), ...singleValues(selector)];
    if (label !== undefined) return labelText(...label);
  }
  return undefined;
}

function singleValues(selector: LabelSelector | undefined): [string, string][] {
  return (selector?.matchExpressions ?? []).flatMap(({ key, operator, values = [] }) => {
    const [value, ...others] = values;
    return operator === 'In' && value !== undefined && others.length === 0 ? [[key, value]] : [];
  });
}

export function labelText(key: string, value: string): string {
  return `${key}=${value}`;
}

/** Every label that any rule of the pod looks at. */
export function selectorKeys({ spec }: Pod): string[] {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
  const spread = spec.topologySpreadConstraints ?? [];
  return [
    ...[...terms, ...spread].flatMap(({ labelSelector }) => keysOf(labelSelector)),
    ...spread.flatMap(({ matchLabelKeys = [] }) => matchLabelKeys),
  ];
}

function keysOf(selector: LabelSelector | undefined): string[] {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}
