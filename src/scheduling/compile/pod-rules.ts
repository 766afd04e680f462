// What a pod asks for beside resources, and how it gives way. In: a pod. Out: its rules, and the chain of weaker forms
// that are tried one after another when nothing takes the pod as it is.
// Wishes count as rules until they prove impossible; they are dropped one per step, in this order:
//   a required node term while others remain, the heaviest wish to be near pods, the heaviest to be away from pods, the
//   heaviest about nodes, a spread that need not hold, and last the distaste for nodes that only prefer to be avoided.
// The last required term is never dropped.
import type {
  NodeSelectorTerm,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PreferredSchedulingTerm,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from '../../api/core.ts';
import { preferredTerms, requiredTerms } from '../../model/pod-requirements.ts';
import { toleratesPreferNoSchedule } from '../../model/taint.ts';

export interface PodRules {
  /** Alternatives; the first one counts. */
  readonly requiredNodes: readonly NodeSelectorTerm[];
  /** Heaviest first. */
  readonly preferredNodes: readonly PreferredSchedulingTerm[];
  readonly near: readonly PodAffinityTerm[];
  readonly preferNear: readonly WeightedPodAffinityTerm[];
  readonly away: readonly PodAffinityTerm[];
  readonly preferAway: readonly WeightedPodAffinityTerm[];
  readonly spread: readonly TopologySpreadConstraint[];
  readonly tolerations: readonly Toleration[];
}

/** A form of the rules, and what was given up to get there from the one before. */
export interface RelaxedRules {
  readonly rules: PodRules;
  readonly dropped: string | undefined;
}

export interface RelaxationPolicy {
  readonly wishesCount: boolean;
  /** Some place has a taint that pods only prefer to avoid. */
  readonly hasPreferNoSchedule: boolean;
}

export function relaxationChain(pod: Pod, policy: RelaxationPolicy): RelaxedRules[] {
  const chain: RelaxedRules[] = [{ rules: rulesOf(pod, policy), dropped: undefined }];
  for (;;) {
    const weaker = relax((chain.at(-1) as RelaxedRules).rules, policy);
    if (weaker === undefined) return chain;
    chain.push(weaker);
  }
}

function rulesOf(pod: Pod, { wishesCount }: RelaxationPolicy): PodRules {
  const { affinity, topologySpreadConstraints: spread = [], tolerations = [] } = pod.spec;
  const near = podTerms(affinity?.podAffinity);
  const away = podTerms(affinity?.podAntiAffinity);
  return {
    requiredNodes: requiredTerms(pod),
    preferredNodes: wishesCount ? byWeight(preferredTerms(pod)) : [],
    near: near.required,
    preferNear: wishesCount ? byWeight(near.preferred) : [],
    away: away.required,
    preferAway: wishesCount ? byWeight(away.preferred) : [],
    spread: wishesCount ? spread : spread.filter((constraint) => !isWish(constraint)),
    tolerations,
  };
}

function podTerms(affinity: PodAffinity | undefined): {
  readonly required: readonly PodAffinityTerm[];
  readonly preferred: readonly WeightedPodAffinityTerm[];
} {
  return {
    required: affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    preferred: affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
  };
}

function relax(rules: PodRules, policy: RelaxationPolicy): RelaxedRules | undefined {
  if (rules.requiredNodes.length > 1) {
    const [first, ...requiredNodes] = rules.requiredNodes;
    return { rules: { ...rules, requiredNodes }, dropped: describe('node term', first) };
  }
  return relaxWish(rules) ?? relaxSpread(rules) ?? relaxTaint(rules, policy);
}

function relaxWish(rules: PodRules): RelaxedRules | undefined {
  const [near, ...preferNear] = rules.preferNear;
  if (near !== undefined) {
    const dropped = describe('wish to be near pods', near.podAffinityTerm);
    return { rules: { ...rules, preferNear }, dropped };
  }
  const [away, ...preferAway] = rules.preferAway;
  if (away !== undefined) {
    const dropped = describe('wish to be away from pods', away.podAffinityTerm);
    return { rules: { ...rules, preferAway }, dropped };
  }
  const [node, ...preferredNodes] = rules.preferredNodes;
  if (node === undefined) return undefined;
  const dropped = describe('wish about nodes', node.preference);
  return { rules: { ...rules, preferredNodes }, dropped };
}

function relaxSpread(rules: PodRules): RelaxedRules | undefined {
  const index = rules.spread.findIndex(isWish);
  if (index === -1) return undefined;
  const { topologyKey } = rules.spread[index] as TopologySpreadConstraint;
  const spread = rules.spread.toSpliced(index, 1);
  return { rules: { ...rules, spread }, dropped: `wish to be spread over ${topologyKey}` };
}

function relaxTaint(rules: PodRules, policy: RelaxationPolicy): RelaxedRules | undefined {
  if (!policy.hasPreferNoSchedule || rules.tolerations.includes(toleratesPreferNoSchedule)) {
    return undefined;
  }
  const tolerations = [...rules.tolerations, toleratesPreferNoSchedule];
  return { rules: { ...rules, tolerations }, dropped: 'avoidance of PreferNoSchedule taints' };
}

function isWish({ whenUnsatisfiable }: TopologySpreadConstraint): boolean {
  return whenUnsatisfiable !== 'DoNotSchedule';
}

function byWeight<T extends { readonly weight: number }>(terms: readonly T[]): readonly T[] {
  return terms.length < 2 ? terms : terms.toSorted((a, b) => b.weight - a.weight);
}

function describe(what: string, term: unknown): string {
  return `${what} ${JSON.stringify(term)}`;
}
