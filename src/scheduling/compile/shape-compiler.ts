// Turns pods into shapes. In: a pod. Out: its shape, made when the first such pod is met.
// Everything that many pods share is interned on the way: requirements, tolerations, topology rules.
import type { Namespace, NodeSelectorTerm, Pod, PodAffinityTerm } from '../../api/core.ts';
import { annotation } from '../../api/labels.ts';
import { hostPorts } from '../../model/host-port.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { hasRequiredAntiAffinity, hasResourceClaims } from '../../model/pod.ts';
import { requestsOfPods } from '../../model/pod-requests.ts';
import { requirementsFromTerm } from '../../model/pod-requirements.ts';
import {
  mergeRequirements,
  type Requirements,
  requirementsFromLabels,
} from '../../model/requirements.ts';
import type { Resources } from '../../model/resources.ts';
import type { StorageLookup } from '../../model/storage.ts';
import { toleratesPreferNoSchedule } from '../../model/taint.ts';
import { podVolumes } from '../../model/volume-limit.ts';
import { volumeAlternatives } from '../../model/volume-topology.ts';
import { requestColumns, type ResourceColumns } from '../resource-columns.ts';
import type { RequirementStates, StateId } from '../requirement-states.ts';
import { anyNode, type GroupRule, type NodeFilter, type TopologyGroup } from '../topology/group.ts';
import { affinityMatcher, identityOf, type Matcher, spreadMatcher } from '../topology/matcher.ts';
import type { Topology } from '../topology/topology.ts';
import { type PodRules, relaxationChain, type RelaxationPolicy } from './pod-rules.ts';
import type { PodShape, PodVariant } from './pod-shape.ts';
import { shapeText } from './shape-text.ts';
import type { TaintTable } from './taints.ts';

interface Surroundings {
  readonly rules: LabelRules;
  readonly states: RequirementStates;
  readonly taints: TaintTable;
  readonly columns: ResourceColumns;
  readonly topology: Topology;
  readonly namespaces: readonly Namespace[];
  readonly storage: StorageLookup;
  readonly policy: RelaxationPolicy;
  readonly ignoreDeviceRequests: boolean;
  readonly selectorKeys: readonly string[];
  /** Of pods for which they are known already. */
  readonly requests: ReadonlyMap<Pod, Resources>;
}

const devicesUnsupported =
  'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';

export class ShapeCompiler {
  readonly shapes: PodShape[] = [];
  readonly #around: Surroundings;
  readonly #byText = new Map<string, PodShape>();
  /** Questions ask for the same pods again and again, and the text takes longer to write than the rest. */
  readonly #byPod = new WeakMap<Pod, PodShape>();
  #variants = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  shapeOf(pod: Pod): PodShape {
    let shape = this.#byPod.get(pod);
    if (shape === undefined) {
      shape = this.shapeOfText(shapeText(pod, this.#around.selectorKeys), [pod]);
      this.#byPod.set(pod, shape);
    }
    return shape;
  }

  /** The shape of pods that have this text, of which at least one is given. */
  shapeOfText(text: string, pods: readonly Pod[]): PodShape {
    let shape = this.#byText.get(text);
    if (shape === undefined) {
      shape = this.#compile(pods[0] as Pod);
      this.#byText.set(text, shape);
    }
    return shape;
  }

  #compile(pod: Pod): PodShape {
    const { rules, storage, columns, states, topology, policy } = this.#around;
    const exactRequests = this.#around.requests.get(pod) ?? requestsOfPods([pod]);
    const volumes = podVolumes(pod, storage);
    const places = volumeAlternatives(rules, pod, storage);
    const keepsAway = hasRequiredAntiAffinity(pod) ? topology.avoidedGroups(pod) : [];
    const base = requirementsFromLabels(rules, pod.spec.nodeSelector);
    const chain = relaxationChain(pod, policy);
    // kube-scheduler knows nothing of alternatives given up: any of them makes a node count.
    const allowedNodes = this.#alternatives(base, chain[0]?.rules.requiredNodes ?? []);
    const variants = chain.map(({ rules: form, dropped }) =>
      this.#variant(pod, form, { base, allowedNodes, dropped }),
    );
    const alternatives = places.ok ? places.alternatives.map((set) => states.intern(set)) : [];
    const shape: PodShape = {
      index: this.shapes.length,
      example: pod,
      identity: identityOf(pod),
      requests: requestColumns(columns, exactRequests),
      exactRequests,
      variants,
      places: alternatives.length === 0 ? [0] : alternatives,
      volumes,
      ports: hostPorts(pod),
      failure: this.#failureOf(pod, places.ok ? undefined : places.reason),
      isVirtual: pod.metadata.annotations?.[annotation.capacityBufferFakePod] === 'true',
      keepsAway,
    };
    this.shapes.push(shape);
    return shape;
  }

  #failureOf(pod: Pod, lookup: string | undefined): string | undefined {
    if (this.#around.ignoreDeviceRequests && hasResourceClaims(pod)) return devicesUnsupported;
    return lookup;
  }

  #variant(
    pod: Pod,
    form: PodRules,
    whole: {
      readonly base: Requirements;
      readonly allowedNodes: readonly StateId[];
      readonly dropped: string | undefined;
    },
  ): PodVariant {
    const { rules, states, taints } = this.#around;
    const { base, allowedNodes, dropped } = whole;
    const [required] = form.requiredNodes;
    const strict =
      required === undefined
        ? base
        : mergeRequirements(base, requirementsFromTerm(rules, required));
    const [wish] = form.preferredNodes;
    const full =
      wish === undefined
        ? strict
        : mergeRequirements(strict, requirementsFromTerm(rules, wish.preference));
    return {
      index: this.#variants++,
      demand: states.intern(full),
      strict,
      tolerations: taints.tolerationsId(form.tolerations),
      owned: this.#groups(pod, form, allowedNodes),
      dropped,
    };
  }

  #alternatives(base: Requirements, terms: readonly NodeSelectorTerm[]): StateId[] {
    const { rules, states } = this.#around;
    if (terms.length === 0) return base.size === 0 ? [] : [states.intern(base)];
    return terms.map((term) =>
      states.intern(mergeRequirements(base, requirementsFromTerm(rules, term))),
    );
  }

  #groups(pod: Pod, form: PodRules, alternatives: readonly StateId[]): TopologyGroup[] {
    const { topology, namespaces, taints } = this.#around;
    const identity = identityOf(pod);
    const matcher = (term: PodAffinityTerm): Matcher => affinityMatcher(identity, term, namespaces);
    const near = form.near.map(matcher);
    const spread = form.spread.map((constraint): GroupRule => {
      const { topologyKey, maxSkew, minDomains, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
      const filter: NodeFilter = {
        alternatives: nodeAffinityPolicy === 'Ignore' ? [] : alternatives,
        // Taints that are merely to be avoided keep nobody out, so kube-scheduler counts nodes that have them.
        tolerations:
          nodeTaintsPolicy === 'Honor'
            ? taints.tolerationsId([...form.tolerations, toleratesPreferNoSchedule])
            : undefined,
      };
      const matchers = [spreadMatcher(identity, constraint)];
      const ownDomainsOnly = nodeAffinityPolicy !== 'Ignore';
      return {
        kind: 'spread',
        key: topologyKey,
        matchers,
        maxSkew,
        minDomains,
        filter,
        ownDomainsOnly,
      };
    });
    const simple = (
      kind: 'affinity' | 'anti-affinity',
      key: string,
      matchers: Matcher[],
    ): GroupRule => ({
      kind,
      key,
      matchers,
      maxSkew: 0,
      minDomains: undefined,
      filter: anyNode,
      ownDomainsOnly: false,
    });
    const rules = [
      ...spread,
      // One pod must satisfy all required terms at once.
      ...form.near.map(({ topologyKey }) => simple('affinity', topologyKey, near)),
      ...form.preferNear.map(({ podAffinityTerm: term }) =>
        simple('affinity', term.topologyKey, [matcher(term)]),
      ),
      ...[...form.away, ...form.preferAway.map(({ podAffinityTerm }) => podAffinityTerm)].map(
        (term) => simple('anti-affinity', term.topologyKey, [matcher(term)]),
      ),
    ];
    return [...new Set(rules.map((rule) => topology.register(rule)))];
  }
}
