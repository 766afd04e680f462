// How to reach an API server and as whom. In: the machine (environment, files). Out: a KubeAccess. Looked for
// in the order of every controller: a file named by a flag, the files in KUBECONFIG, the service account of
// the pod we run in, the file in the home directory.
import { delimiter } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { KubeAccess } from './access.ts';
import type { ConfigHost } from './host.ts';
import { inClusterAccess } from './in-cluster.ts';
import { kubeconfigAccess } from './kubeconfig.ts';

export interface ConfigOptions {
  readonly host: ConfigHost;
  readonly clock: Clock;
  /** Before anything else. */
  readonly kubeconfig?: string | undefined;
  /** Instead of the current context. */
  readonly context?: string | undefined;
}

/** Throws InvalidKubeconfig, whose fields tell what to mend. */
export async function loadKubeAccess(options: ConfigOptions): Promise<KubeAccess> {
  const { host, kubeconfig } = options;
  if (kubeconfig !== undefined) return kubeconfigAccess({ ...options, paths: [kubeconfig] });
  const paths = (host.env('KUBECONFIG') ?? '').split(delimiter).filter((path) => path !== '');
  if (paths.length > 0) return kubeconfigAccess({ ...options, paths });
  const home = [`${host.homeDirectory}/.kube/config`];
  return (await inClusterAccess(options)) ?? kubeconfigAccess({ ...options, paths: home });
}
