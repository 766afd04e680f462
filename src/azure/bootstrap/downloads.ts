// Where a node fetches what its image lacks. In: Kubernetes version and architecture. Out: addresses, empty for what
// the image knows by itself.
import type { Architecture } from '../image/image-definition.ts';
import { minorOf } from './kubernetes-minor.ts';

const mirror = 'https://acs-mirror.azureedge.net';
const azureCniVersion = '1.4.32';
const cniPluginsVersion = '1.1.1';

/** Released apart from Kubernetes; minors that are not here use the newest. */
const credentialProviderVersions: ReadonlyMap<number, string> = new Map([
  [30, '1.30.12'],
  [31, '1.31.6'],
  [32, '1.32.5'],
]);
const newestCredentialProvider = '1.33.0';

/** From 1.34 on images have the path themselves. */
export function kubeBinaryUrl(kubernetesVersion: string, architecture: Architecture): string {
  if (minorOf(kubernetesVersion) >= 34) return '';
  return `${mirror}/kubernetes/v${kubernetesVersion}/binaries/kubernetes-node-linux-${architecture}.tar.gz`;
}

/** Before 1.30 the kubelet itself knows how to log in to a registry. */
export function hasCredentialProvider(kubernetesVersion: string): boolean {
  return minorOf(kubernetesVersion) >= 30;
}

export function credentialProviderUrl(
  kubernetesVersion: string,
  architecture: Architecture,
): string {
  if (!hasCredentialProvider(kubernetesVersion)) return '';
  const version =
    credentialProviderVersions.get(minorOf(kubernetesVersion)) ?? newestCredentialProvider;
  return `${mirror}/cloud-provider-azure/v${version}/binaries/azure-acr-credential-provider-linux-${architecture}-v${version}.tar.gz`;
}

export function azureCniUrl(architecture: Architecture): string {
  const version = azureCniVersion;
  return `${mirror}/azure-cni/v${version}/binaries/azure-vnet-cni-linux-${architecture}-v${version}.tgz`;
}

export function cniPluginsUrl(architecture: Architecture): string {
  const version = cniPluginsVersion;
  return `${mirror}/cni-plugins/v${version}/binaries/cni-plugins-linux-${architecture}-v${version}.tgz`;
}
