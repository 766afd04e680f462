// Access with the service account of the pod that we run in. In: the environment and the files that every
// pod is given. Out: a KubeAccess whose token follows the file, or nothing when this is no pod.
import type { Clock } from '../../base/clock.ts';
import type { KubeAccess } from './access.ts';
import { configError } from './error.ts';
import type { ConfigHost } from './host.ts';
import { FileCredentials } from './credentials.ts';
import { proxyFromEnvironment } from './proxy.ts';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

export async function inClusterAccess(options: {
  readonly host: ConfigHost;
  readonly clock: Clock;
}): Promise<KubeAccess | undefined> {
  const { host, clock } = options;
  const address = host.env('KUBERNETES_SERVICE_HOST') ?? '';
  const port = host.env('KUBERNETES_SERVICE_PORT') ?? '';
  if (address === '' || port === '') return undefined;
  const server = new URL(`https://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const tokenFile = `${folder}/token`;
  await requireFile(host, tokenFile);
  return {
    server,
    tls: { ca: await requireFile(host, `${folder}/ca.crt`) },
    credentials: new FileCredentials({
      host,
      clock,
      source: { tokenFile, fixed: { headers: {} } },
    }),
    headers: {},
    proxy: proxyFromEnvironment(server, (name) => host.env(name)),
    namespace: await namespaceOf(host),
  };
}

async function requireFile(host: ConfigHost, path: string): Promise<string> {
  try {
    return await host.readFile(path);
  } catch (cause) {
    throw configError({
      file: path,
      field: 'service account',
      rule: 'a pod needs its token and ca.crt mounted',
      fix: 'set automountServiceAccountToken: true on the pod or its service account',
      cause,
    });
  }
}

async function namespaceOf(host: ConfigHost): Promise<string> {
  const text = await host.readFile(`${folder}/namespace`).catch(() => '');
  return text.trim() === '' ? 'default' : text.trim();
}
