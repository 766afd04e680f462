// Who may put a label on a node. In: a label key. Out: whether the kubelet may, and whether AKS does it itself.
// The API server lets a kubelet touch only some keys of Kubernetes' own domains; one key too many in its flags and it
// does not start. What is withheld here still reaches the node: labels of the NodeClaim are copied at registration.
import { AKS_LABEL_DOMAIN, azureLabel, coreLabelAliases, label } from '../../api/labels.ts';

/** Set by every kubelet, or by the cloud's node manager, without being told. */
const ownLabels: ReadonlySet<string> = new Set([
  label.hostname,
  label.zone,
  label.region,
  label.instanceType,
  label.os,
  label.arch,
  ...Object.keys(coreLabelAliases),
]);

const legacyAksLabels: ReadonlySet<string> = new Set([
  azureLabel.legacyAgentPool,
  azureLabel.legacyStorageProfile,
  azureLabel.legacyStorageTier,
  azureLabel.legacyAccelerator,
]);

const kubernetesDomains = ['kubernetes.io', 'k8s.io'];
const kubeletDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

export function mayKubeletSet(key: string): boolean {
  if (ownLabels.has(key)) return true;
  const domain = domainOf(key);
  return !isWithin(domain, kubernetesDomains) || isWithin(domain, kubeletDomains);
}

/** Of the labels that a kubelet may set, those that AKS does not set on its machines by itself. */
export function mayMachineSet(key: string): boolean {
  const isAksLabel = domainOf(key) === AKS_LABEL_DOMAIN || legacyAksLabels.has(key);
  return mayKubeletSet(key) && !ownLabels.has(key) && !isAksLabel;
}

function isWithin(domain: string, parents: readonly string[]): boolean {
  return parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

function domainOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
