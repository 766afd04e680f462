// Spreads pods that say nothing about it themselves, as a kube-scheduler with default constraints would. In: pods, the
// constraints of `--scheduler-config`, what selects the pods. Out: the same pods, copies of those that got constraints.
// 1. All or nothing: a pod with any constraint of its own keeps just those.
// 2. Which pods count together is deduced from what selects the pod. When nothing does, it stays as it is: an empty
//    selector would count every pod of the namespace.
// 3. Pods of one shape share one list of constraints, so that whoever groups pods by their rules finds them equal.
import type { Pod, TopologySpreadConstraint } from '../../api/core.ts';
import type { LabelSelector, LabelSelectorRequirement, OwnerReference } from '../../api/meta.ts';
import { selects } from '../../model/label-selector.ts';
import type { DefaultConstraint } from './scheduler-config.ts';

type Labels = Readonly<Record<string, string>>;

/** Selectors known right now. What cannot be found or read contributes nothing: undefined, or left out of a list. */
export interface WorkloadSelectors {
  /** `spec.selector` of every Service of a namespace. One without a selector selects no pod. */
  services(namespace: string): readonly (Labels | undefined)[];
  replicationController(namespace: string, name: string): Labels | undefined;
  replicaSet(namespace: string, name: string): LabelSelector | undefined;
  statefulSet(namespace: string, name: string): LabelSelector | undefined;
}

export function withDefaultSpread(
  pods: readonly Pod[],
  constraints: readonly DefaultConstraint[],
  workloads: WorkloadSelectors,
): readonly Pod[] {
  if (constraints.length === 0) return pods;
  const deduced = new Map<string, readonly TopologySpreadConstraint[]>();
  return pods.map((pod) => {
    if ((pod.spec.topologySpreadConstraints ?? []).length > 0) return pod;
    const shape = shapeOf(pod);
    let own = deduced.get(shape);
    if (own === undefined) {
      const labelSelector = deduceSelector(pod, workloads);
      own =
        labelSelector === undefined ? [] : constraints.map((one) => ({ ...one, labelSelector }));
      deduced.set(shape, own);
    }
    return own.length === 0
      ? pod
      : { ...pod, spec: { ...pod.spec, topologySpreadConstraints: own } };
  });
}

/** Everything the deduction looks at. */
function shapeOf({ metadata }: Pod): string {
  const labels = Object.entries(metadata.labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([metadata.namespace, controllerOf(metadata.ownerReferences)?.uid, labels]);
}

function deduceSelector(pod: Pod, workloads: WorkloadSelectors): LabelSelector | undefined {
  const { namespace = '', labels = {} } = pod.metadata;
  const services = workloads
    .services(namespace)
    .filter((selector) => selector !== undefined)
    .filter((matchLabels) => selects({ matchLabels }, labels));
  const owner = contributionOf(namespace, controllerOf(pod.metadata.ownerReferences), workloads);
  const matchLabels: Labels = Object.assign({}, ...services, owner.replacing);
  const isEmpty = Object.keys(matchLabels).length === 0;
  if (isEmpty && owner.adding.length === 0) return undefined;
  return {
    ...(!isEmpty && { matchLabels }),
    ...(owner.adding.length > 0 && { matchExpressions: owner.adding }),
  };
}

/** The two ways an owner's selector meets those of the Services; they differ only when the two disagree about a key. */
interface Contribution {
  readonly replacing: Labels;
  readonly adding: readonly LabelSelectorRequirement[];
}

function contributionOf(
  namespace: string,
  owner: OwnerReference | undefined,
  workloads: WorkloadSelectors,
): Contribution {
  const { apiVersion, kind, name = '' } = owner ?? {};
  switch (`${apiVersion} ${kind}`) {
    case 'v1 ReplicationController':
      return { replacing: workloads.replicationController(namespace, name) ?? {}, adding: [] };
    case 'apps/v1 ReplicaSet':
      return { replacing: {}, adding: expressionsOf(workloads.replicaSet(namespace, name)) };
    case 'apps/v1 StatefulSet':
      return { replacing: {}, adding: expressionsOf(workloads.statefulSet(namespace, name)) };
    default:
      return { replacing: {}, adding: [] };
  }
}

function expressionsOf(selector: LabelSelector = {}): LabelSelectorRequirement[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    })),
    ...matchExpressions,
  ];
}

function controllerOf(owners: readonly OwnerReference[] = []): OwnerReference | undefined {
  return owners.find(({ controller }) => controller === true);
}
