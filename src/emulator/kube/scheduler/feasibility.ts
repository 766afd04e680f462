// Whether a pod may run on a node: all filters in upstream's order, the first refusal wins.
// In: a shape, the cluster, a node. Out: a verdict. What is the same for all nodes is prepared once per attempt.
import type { ClusterState } from './cluster-state.ts';
import { countAffinity, filterAffinity, type AffinityCount } from './filters/inter-pod-affinity.ts';
import { filterNodeAffinity, namedNodes } from './filters/node-affinity.ts';
import { filterPorts } from './filters/node-ports.ts';
import { filterResources } from './filters/node-resources.ts';
import { filterUnschedulable } from './filters/node-unschedulable.ts';
import { filterTaints } from './filters/taint-toleration.ts';
import { countSpread, filterSpread, type SpreadCount } from './filters/topology-spread.ts';
import { classifyClaims, decideVolumes, type PodClaims } from './filters/volume-binding.ts';
import { filterVolumeLimits } from './filters/volume-limits.ts';
import { filterExclusiveClaims } from './filters/volume-restrictions.ts';
import { filterVolumeZone } from './filters/volume-zone.ts';
import type { NodeState } from './node-state.ts';
import { keyOf, type Claim, type SchedulingPod, type Volume } from './objects.ts';
import type { PodShape } from './pod-shape.ts';
import { refuseForGood, type Refusal, type Verdict } from './verdict.ts';

export interface ClaimsOfPod {
  readonly all: readonly Claim[];
  readonly sorted: PodClaims;
  readonly boundVolumes: readonly Volume[];
}

export interface Prepared {
  readonly shape: PodShape;
  readonly claims: ClaimsOfPod | undefined;
  /** The only nodes worth asking, when the pod names them. */
  readonly only: ReadonlySet<string> | undefined;
  readonly spread: readonly SpreadCount[];
  readonly affinity: AffinityCount | undefined;
}

export function isRefusal(value: object): value is Refusal {
  return 'reasons' in value;
}

/** The facts about all nodes, or a refusal that holds for every one of them. */
export function prepare(
  pod: SchedulingPod,
  shape: PodShape,
  state: ClusterState,
): Prepared | Refusal {
  const only = namedNodes(shape);
  if (only?.size === 0) return refuseForGood('pod affinity terms conflict');
  const claims = shape.claimNames.length === 0 ? undefined : prepareClaims(pod, shape, state);
  if (claims !== undefined && isRefusal(claims)) return claims;
  return { shape, claims, only, ...countOthers(shape, state) };
}

/** The facts again, after pods have moved. */
export function recount(prepared: Prepared, state: ClusterState): Prepared {
  return { ...prepared, ...countOthers(prepared.shape, state) };
}

/** What the node and the shape alone decide; stays true until the node's generation changes. */
export function checkNode(shape: PodShape, node: NodeState): Verdict {
  return (
    filterUnschedulable(shape, node) ??
    filterTaints(shape, node) ??
    filterNodeAffinity(shape, node) ??
    filterPorts(shape, node) ??
    filterResources(shape, node)
  );
}

/** What depends on volumes and on pods elsewhere. */
export function checkSurroundings(
  prepared: Prepared,
  node: NodeState,
  state: ClusterState,
): Verdict {
  return (
    checkVolumes(prepared.claims, node, state) ??
    filterSpread(prepared.spread, node) ??
    filterAffinity(prepared.affinity, node)
  );
}

export function check(prepared: Prepared, node: NodeState, state: ClusterState): Verdict {
  return checkNode(prepared.shape, node) ?? checkSurroundings(prepared, node, state);
}

function countOthers(
  shape: PodShape,
  state: ClusterState,
): { readonly spread: readonly SpreadCount[]; readonly affinity: AffinityCount | undefined } {
  return {
    spread: countSpread(shape, state, shape.hardSpread),
    affinity: countAffinity(shape, state),
  };
}

function checkVolumes(
  claims: ClaimsOfPod | undefined,
  node: NodeState,
  state: ClusterState,
): Verdict {
  if (claims === undefined) return undefined;
  const { all, sorted, boundVolumes } = claims;
  const refusal = filterExclusiveClaims(all, state) ?? filterVolumeLimits(all, state.storage, node);
  if (refusal !== undefined) return refusal;
  const decision = decideVolumes(sorted, state.storage, node);
  return isRefusal(decision) ? decision : filterVolumeZone(boundVolumes, node);
}

function prepareClaims(
  pod: SchedulingPod,
  shape: PodShape,
  state: ClusterState,
): ClaimsOfPod | Refusal {
  const { storage } = state;
  const all: Claim[] = [];
  for (const name of shape.claimNames) {
    const claim = storage.claims.get(`${shape.namespace}/${name}`);
    const problem = claimProblem(pod, name, claim);
    if (problem !== undefined) return refuseForGood(problem);
    if (claim !== undefined) all.push(claim);
  }
  const sorted = classifyClaims(all, storage);
  if (isRefusal(sorted)) return sorted;
  const boundVolumes: Volume[] = [];
  for (const { spec } of sorted.bound) {
    const volume = storage.volumes.get(spec.volumeName ?? '');
    if (volume === undefined) {
      return refuseForGood(`persistentvolume "${spec.volumeName}" not found`);
    }
    boundVolumes.push(volume);
  }
  return { all, sorted, boundVolumes };
}

function claimProblem(
  pod: SchedulingPod,
  name: string,
  claim: Claim | undefined,
): string | undefined {
  const isEphemeral = pod.spec.volumes?.every(
    (volume) => volume.persistentVolumeClaim?.claimName !== name,
  );
  if (claim === undefined) {
    return isEphemeral === true
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  }
  if (claim.status?.phase === 'Lost') {
    const volume = claim.spec.volumeName ?? '';
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) {
    return `persistentvolumeclaim "${name}" is being deleted`;
  }
  return isEphemeral === true && !isOwner(pod, claim) ? notOwner(pod, claim) : undefined;
}

function isOwner(pod: SchedulingPod, { metadata }: Claim): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) === true;
}

function notOwner(pod: SchedulingPod, { metadata }: Claim): string {
  return `PVC ${keyOf(metadata)} was not created for pod ${keyOf(pod.metadata)} (pod is not owner)`;
}
