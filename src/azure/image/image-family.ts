// Which release of an operating system a node class stands for. In: the family it names, its security settings and the
// Kubernetes version. Out: one release. `Ubuntu` and `AzureLinux` move on with Kubernetes; a release named by the user
// never moves. A version that cannot be read counts as an old one: the older image is the one that certainly exists.
import type { AKSNodeClassSpec } from '../../api/aks-node-class.ts';
import { parseVersion } from '../../model/kubernetes-version.ts';

export type ImageRelease =
  | 'Ubuntu2004'
  | 'Ubuntu2204'
  | 'Ubuntu2404'
  | 'AzureLinux2'
  | 'AzureLinux3';

type SecuritySettings = Pick<AKSNodeClassSpec, 'fipsMode' | 'security'>;

export function isFips({ fipsMode }: SecuritySettings): boolean {
  return fipsMode === 'FIPS';
}

/** Either half of it turns it on. */
export function isTrustedLaunch({ security }: SecuritySettings): boolean {
  const { vtpm = false, secureBoot = false } = security?.trustedLaunch ?? {};
  return vtpm || secureBoot;
}

export function imageReleaseOf(
  spec: SecuritySettings & Pick<AKSNodeClassSpec, 'imageFamily'>,
  kubernetesVersion: string,
): ImageRelease {
  switch (spec.imageFamily) {
    case 'Ubuntu2204':
    case 'Ubuntu2404':
      return spec.imageFamily;
    case 'AzureLinux':
      return isMinorAtLeast(kubernetesVersion, 32) ? 'AzureLinux3' : 'AzureLinux2';
    default:
      return ubuntuOf(spec, kubernetesVersion);
  }
}

/** The node label `os-sku-effective`. The original says plain Ubuntu for 20.04, and labels are an interface. */
export function effectiveOsSku(release: ImageRelease): string {
  return release === 'Ubuntu2004' ? 'Ubuntu' : release;
}

export function isMinorAtLeast(kubernetesVersion: string, minor: number): boolean {
  const version = parseVersion(kubernetesVersion);
  if (version === undefined) return false;
  if (version.major !== 1) return version.major > 1;
  // What leads up to 1.34.0 is not yet 1.34.
  if (version.minor === minor) return version.patch > 0 || version.preRelease.length === 0;
  return version.minor > minor;
}

function ubuntuOf(spec: SecuritySettings, kubernetesVersion: string): ImageRelease {
  // The only image with both FIPS and Trusted Launch is of 22.04, and the only one with FIPS alone of 20.04.
  if (isTrustedLaunch(spec)) return 'Ubuntu2204';
  if (isFips(spec)) return 'Ubuntu2004';
  return isMinorAtLeast(kubernetesVersion, 34) ? 'Ubuntu2404' : 'Ubuntu2204';
}
