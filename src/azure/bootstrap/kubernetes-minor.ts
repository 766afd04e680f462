// The minor version of Kubernetes, by which flags and files of a node come and go. In: a version. Out: its minor; what
// leads up to a minor has its flags already.
import { CodedError } from '../../base/errors.ts';
import { parseVersion } from '../../model/kubernetes-version.ts';

export function minorOf(kubernetesVersion: string): number {
  const version = parseVersion(kubernetesVersion);
  if (version !== undefined) return version.minor;
  throw new CodedError('InvalidKubernetesVersion', 'node is to get a version that is none', {
    fields: { kubernetesVersion },
  });
}
