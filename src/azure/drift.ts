// Whether a machine is still what its class would make. In: the claim, its class, its node, its machine. Out: the first reason
// why not, or nothing. What cannot be told is an error, never drift: drift replaces nodes.
import type { AKSNodeClass } from '../api/aks-node-class.ts';
import type { Node } from '../api/core.ts';
import { annotation } from '../api/labels.ts';
import type { NodeClaim } from '../api/node-claim.ts';
import { CodedError } from '../base/errors.ts';
import type { DriftReason } from '../cloud/provider.ts';
import { imageDrift, kubernetesVersionDrift, type DriftVerdict } from './image/image-drift.ts';

export interface DriftFacts {
  readonly nodeClaim: NodeClaim;
  readonly nodeClass: AKSNodeClass;
  /** Undefined when there is none, or it is on its way out. */
  readonly node: Node | undefined;
  readonly kubeletIdentityClientId: string;
  readonly kind: 'vm' | 'machine';
  /** Of machines only; asked last, as it may cost a call. */
  driftAction(): Promise<string | undefined>;
}

const kubeletIdentityLabel = 'kubernetes.azure.com/kubelet-identity-client-id';

/** Machines' identities are the service's; only the service knows whether a machine is as its cluster wants it. */
const checks = {
  vm: [classDrift, versionDrift, identityDrift, softwareDrift],
  machine: [classDrift, versionDrift, softwareDrift, clusterDrift],
} as const;

export async function driftOf(facts: DriftFacts): Promise<DriftReason | undefined> {
  for (const check of checks[facts.kind]) {
    const reason = await check(facts);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function versionDrift({ nodeClass, node }: DriftFacts): DriftReason | undefined {
  const kubelet = node?.status?.nodeInfo?.['kubeletVersion'];
  return kubelet === undefined ? undefined : reasonOf(kubernetesVersionDrift(nodeClass, kubelet));
}

function softwareDrift({ nodeClaim, nodeClass, kind }: DriftFacts): DriftReason | undefined {
  return reasonOf(imageDrift(nodeClass, { imageId: nodeClaim.status?.imageID ?? '', kind }));
}

async function clusterDrift(facts: DriftFacts): Promise<DriftReason | undefined> {
  const action = (await facts.driftAction()) ?? '';
  return action === '' || action === 'Synced' ? undefined : 'ClusterConfigDrift';
}

/** Hashes of different versions say nothing about each other. */
function classDrift({ nodeClaim, nodeClass }: DriftFacts): DriftReason | undefined {
  const [was, is] = [nodeClaim, nodeClass].map(({ metadata }) => ({
    hash: metadata.annotations?.[annotation.aksNodeClassHash],
    version: metadata.annotations?.[annotation.aksNodeClassHashVersion],
  }));
  if (was?.hash === undefined || is?.hash === undefined) return undefined;
  const areComparable = was.version !== undefined && was.version === is.version;
  return areComparable && was.hash !== is.hash ? 'NodeClassDrift' : undefined;
}

/** Nodes made before the label was there are left alone. */
function identityDrift({ node, kubeletIdentityClientId }: DriftFacts): DriftReason | undefined {
  const actual = node?.metadata.labels?.[kubeletIdentityLabel] ?? '';
  return actual !== '' && actual !== kubeletIdentityClientId ? 'KubeletIdentityDrift' : undefined;
}

function reasonOf(verdict: DriftVerdict): DriftReason | undefined {
  if (verdict.kind === 'none') return undefined;
  if (verdict.kind === 'drifted') return verdict.reason;
  throw new CodedError('DriftUnknown', 'cannot tell whether the node has drifted', {
    fields: { reason: verdict.reason },
  });
}
