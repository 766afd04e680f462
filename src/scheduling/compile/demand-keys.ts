// Labels that anything in a problem may ask of a node. In: pods and their storage. Out: label keys in normal spelling.
// Nodes that agree on these are one kind of node to every demand.
import type { Pod } from '../../api/core.ts';
import { type LabelRules, normalKey } from '../../model/label-rules.ts';
import type { StorageLookup } from '../../model/storage.ts';
import { volumeAlternatives } from '../../model/volume-topology.ts';

export function demandKeys(
  rules: LabelRules,
  pods: readonly Pod[],
  storage: StorageLookup,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const pod of pods) {
    for (const key of keysOfPod(pod)) keys.add(normalKey(rules, key));
    for (const key of keysOfVolumes(rules, pod, storage)) keys.add(key);
  }
  return keys;
}

/** Most pods ask for nothing, and are asked in their thousands. */
const none: readonly string[] = [];

function keysOfPod({ spec }: Pod): readonly string[] {
  const { nodeSelector, affinity } = spec;
  const selected = nodeSelector === undefined ? none : Object.keys(nodeSelector);
  if (affinity?.nodeAffinity === undefined) return selected;
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity.nodeAffinity;
  const terms = [
    ...(required?.nodeSelectorTerms ?? []),
    ...preferred.map(({ preference }) => preference),
  ];
  const expressions = terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  return [...selected, ...expressions.map(({ key }) => key)];
}

function keysOfVolumes(rules: LabelRules, pod: Pod, storage: StorageLookup): readonly string[] {
  if ((pod.spec.volumes ?? none).length === 0) return none;
  const places = volumeAlternatives(rules, pod, storage);
  return places.ok ? places.alternatives.flatMap((set) => [...set.keys()]) : none;
}
