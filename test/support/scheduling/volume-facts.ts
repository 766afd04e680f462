// The volumes of a pod, laid out for the checker. In: a pod and the storage objects. Out: per claim where its volume can
// be used, which driver attaches it, and what keeps the pod from starting anywhere.
import type { PersistentVolume, PersistentVolumeClaim, Volume } from '../../../src/api/core.ts';
import type { StorageClass } from '../../../src/api/workloads.ts';
import { labelSetOf } from './label-set.ts';
import { label } from './node-labels.ts';
import { demandsOfTerm, type LabelDemands, type PodFacts, presentName } from './pod-facts.ts';
import type { ProblemJson } from './problem-json.ts';

export interface VolumeFacts {
  /** `namespace/name` of the claim. */
  readonly claim: string;
  readonly driver: string | undefined;
  /** One of these must hold for the node; none given means that any node will do. */
  readonly alternatives: readonly LabelDemands[];
  /** Why no node will do. */
  readonly fault: string | undefined;
}

/** Drivers inside Kubernetes are served by these today. */
const successors = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
]);

export function volumesOf(problem: ProblemJson, pod: PodFacts): VolumeFacts[] {
  return (pod.pod.spec.volumes ?? []).flatMap((volume) => {
    const name = claimName(pod, volume);
    return name === undefined ? [] : [volumeFacts(problem, pod.namespace, name)];
  });
}

function claimName(pod: PodFacts, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral === undefined ? undefined : `${pod.pod.metadata.name}-${volume.name}`;
}

function volumeFacts(problem: ProblemJson, namespace: string, name: string): VolumeFacts {
  const key = `${namespace}/${name}`;
  const broken = (fault: string): VolumeFacts => ({
    claim: key,
    driver: undefined,
    alternatives: [],
    fault,
  });
  const claim = (problem.persistentVolumeClaims ?? []).find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  );
  if (claim === undefined) return broken(`claim ${key} does not exist`);
  if (claim.metadata.deletionTimestamp !== undefined)
    return broken(`claim ${key} is being deleted`);
  if (claim.status?.phase === 'Lost') return broken(`claim ${key} has lost its volume`);
  const storageClass = (problem.storageClasses ?? []).find(
    ({ metadata }) => metadata.name === (claim.spec.storageClassName ?? ''),
  );
  if ((claim.spec.volumeName ?? '') === '') return unbound(key, claim, storageClass);
  return bound(key, claim, problem.persistentVolumes ?? []);
}

function unbound(
  key: string,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
): VolumeFacts {
  const name = claim.spec.storageClassName ?? '';
  const fault = (): string | undefined => {
    if (name === '') return undefined;
    if (storageClass === undefined) return `claim ${key} is of class ${name}, which does not exist`;
    // Absent means Immediate: the volume is made first, wherever, and the pod follows it.
    const isImmediate = storageClass.volumeBindingMode !== 'WaitForFirstConsumer';
    return isImmediate ? `claim ${key} waits for its volume to be made` : undefined;
  };
  return {
    claim: key,
    driver: storageClass && (successors.get(storageClass.provisioner) ?? storageClass.provisioner),
    alternatives: (storageClass?.allowedTopologies ?? []).flatMap(
      ({ matchLabelExpressions = [] }) =>
        matchLabelExpressions.length === 0
          ? []
          : [
              matchLabelExpressions.map(
                ({ key: topologyKey, values }) =>
                  [presentName(topologyKey), labelSetOf('In', values)] as const,
              ),
            ],
    ),
    fault: fault(),
  };
}

function bound(
  key: string,
  { metadata, spec }: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): VolumeFacts {
  const volume = volumes.find((candidate) => candidate.metadata.name === spec.volumeName);
  const isComplete = metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined;
  const fault = (): string | undefined => {
    if (volume === undefined) return `volume ${spec.volumeName} of claim ${key} does not exist`;
    if (volume.metadata.deletionTimestamp !== undefined) {
      return `volume ${spec.volumeName} of claim ${key} is being deleted`;
    }
    return isComplete ? undefined : `claim ${key} is not bound completely`;
  };
  return {
    claim: key,
    driver: volume && driverOf(volume),
    alternatives: volume === undefined ? [] : placesOf(volume),
    fault: fault(),
  };
}

function driverOf({ spec }: PersistentVolume): string | undefined {
  if (spec.csi !== undefined) return spec.csi.driver;
  return spec.awsElasticBlockStore === undefined ? undefined : 'ebs.csi.aws.com';
}

/** A disk inside a node is given up when its pod moves, so the name of that node binds nobody. */
function placesOf({ spec }: PersistentVolume): LabelDemands[] {
  const isInNode = spec.local !== undefined || spec.hostPath !== undefined;
  return (spec.nodeAffinity?.required?.nodeSelectorTerms ?? [])
    .filter(({ matchExpressions = [] }) => matchExpressions.length > 0)
    .map((term) => demandsOfTerm(term).filter(([key]) => !isInNode || key !== label.hostname));
}
