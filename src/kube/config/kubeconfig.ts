// One context of the kubeconfig files as access to a server. In: files and the name of a context. Out: a
// KubeAccess, or an error that says which field of which file is wrong and how to mend it.
import type { Clock } from '../../base/clock.ts';
import type { KubeAccess } from './access.ts';
import { configError } from './error.ts';
import { readConfigFiles, type MergedConfig } from './files.ts';
import type { ConfigHost } from './host.ts';
import type { ConfigSection } from './section.ts';
import { impersonationHeaders, userCredentials } from './user.ts';
import { proxyFromEnvironment } from './proxy.ts';

export async function kubeconfigAccess(options: {
  readonly host: ConfigHost;
  readonly clock: Clock;
  readonly paths: readonly string[];
  readonly context?: string | undefined;
}): Promise<KubeAccess> {
  const { host, clock } = options;
  const config = await readConfigFiles(host, options.paths);
  const context = contextOf(config, options.context);
  const cluster = referred(context, 'cluster', config.clusters);
  const user = referred(context, 'user', config.users);
  const server = serverOf(cluster);
  const ca = await cluster.dataOrFile('certificate-authority', host);
  const insecure = cluster.flag('insecure-skip-tls-verify');
  if (insecure && ca !== undefined) {
    throw cluster.fault(
      'insecure-skip-tls-verify',
      'cannot be combined with a certificate authority',
      {
        value: true,
        fix: 'remove one of them',
      },
    );
  }
  const tls = { ca, serverName: cluster.text('tls-server-name'), insecure };
  const credentials = await userCredentials(user, {
    host,
    clock,
    cluster: clusterInfo(cluster, server, ca),
  });
  return {
    server,
    tls,
    credentials,
    headers: impersonationHeaders(user),
    proxy: proxyOf(cluster) ?? proxyFromEnvironment(server, (name) => host.env(name)),
    namespace: context.text('namespace') ?? 'default',
  };
}

function contextOf(config: MergedConfig, wanted: string | undefined): ConfigSection {
  const name = wanted ?? config.currentContext;
  const file = config.files.join(', ');
  const known = [...config.contexts.keys()].join(', ');
  if (name === undefined) {
    throw configError({
      file,
      field: 'current-context',
      rule: 'must name a context',
      fix: `kubectl config use-context NAME, where NAME is one of: ${known}`,
    });
  }
  const context = config.contexts.get(name);
  if (context !== undefined) return context;
  const rule = `must be one of the contexts: ${known}`;
  throw configError({ file, field: 'current-context', value: name, rule });
}

function referred(
  context: ConfigSection,
  field: string,
  known: ReadonlyMap<string, ConfigSection>,
): ConfigSection {
  const name = context.text(field);
  const section = known.get(name ?? '');
  if (section !== undefined) return section;
  const rule = `must be one of: ${[...known.keys()].join(', ')}`;
  throw context.fault(field, rule, { value: name });
}

function serverOf(cluster: ConfigSection): URL {
  const value = cluster.text('server');
  const url = value === undefined ? null : URL.parse(value);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw cluster.fault('server', 'must be a URL such as https://host:443', { value });
}

function proxyOf(cluster: ConfigSection): string | undefined {
  const value = cluster.text('proxy-url');
  if (value === undefined) return undefined;
  const protocol = URL.parse(value)?.protocol ?? '';
  if (['http:', 'https:', 'socks5:'].includes(protocol)) return value;
  throw cluster.fault('proxy-url', 'must be a URL with scheme http, https or socks5', { value });
}

/** As the credential API writes it. */
function clusterInfo(cluster: ConfigSection, server: URL, ca: string | undefined): object {
  const insecure = cluster.flag('insecure-skip-tls-verify');
  return {
    server: server.href.replace(/\/$/, ''),
    'tls-server-name': cluster.text('tls-server-name'),
    'insecure-skip-tls-verify': insecure ? true : undefined,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    'proxy-url': cluster.text('proxy-url'),
    config: cluster
      .sections('extensions')
      .find((extension) => extension.text('name') === 'client.authentication.k8s.io/exec')
      ?.raw('extension'),
  };
}
