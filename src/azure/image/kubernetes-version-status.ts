// Which Kubernetes version a node class asks for. In: the version it has and the API server's. Out: the one to write,
// and whether it is an upgrade, which is when images move to their newest whatever the maintenance window says.
// The version never goes back: during an upgrade several API servers answer, some of them still the old ones.
import { compareVersions, parseVersion } from '../../model/kubernetes-version.ts';

export type VersionStep =
  | { readonly kind: 'adopted'; readonly version: string }
  | { readonly kind: 'upgraded'; readonly version: string; readonly imagesNotReady: Because }
  | { readonly kind: 'kept'; readonly version: string }
  | { readonly kind: 'invalid'; readonly reason: string };

interface Because {
  readonly reason: string;
  readonly message: string;
}

/** For the condition ImagesReady: false until the same pass has found new images. */
const upgrading: Because = {
  reason: 'KubernetesUpgrade',
  message: 'Performing kubernetes upgrade, need to get latest images',
};

export function nextKubernetesVersion(parts: {
  /** Undefined unless it is usable. */
  readonly current: string | undefined;
  readonly server: string;
}): VersionStep {
  const server = parts.server.replace(/^v/, '');
  const serverVersion = parseVersion(server);
  if (serverVersion === undefined) {
    return {
      kind: 'invalid',
      reason: `the API server says it is of version ${parts.server}, which is no version`,
    };
  }
  const current = parts.current ?? '';
  const currentVersion = parseVersion(current);
  // What cannot be read cannot be compared either; the API server is right about itself.
  if (currentVersion === undefined) return { kind: 'adopted', version: server };
  if (compareVersions(serverVersion, currentVersion) <= 0)
    return { kind: 'kept', version: current };
  return { kind: 'upgraded', version: server, imagesNotReady: upgrading };
}
