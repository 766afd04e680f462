// One emulated cluster: API server, security, controllers and scheduler on one clock. In: clock, randomness, logs. Out: an
// HTTPS address with credentials for it, the same server as a handler without a socket, and a way to stop.
// 1. Nobody gets in without a credential: the handler asks every caller who it is, on a socket or not.
// 2. When it is handed out it is ready; after `stop` no timer, socket or watch of it is left.
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { HttpServer, type HttpHandler, type HttpReply } from '../../base/http-server.ts';
import type { Logger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { CertificateAuthority } from '../certificates.ts';
import { createApiServer, openStore, type ApiServer } from './api-server.ts';
import type { KubeApi, RequestContext } from './api.ts';
import { allControllers } from './controllers/all-controllers.ts';
import { ControllerManager } from './controllers/runtime/manager.ts';
import type { PodLogs } from './ports.ts';
import { newUid } from './resource/uid.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { openIdPaths } from './security/authentication/oidc-discovery.ts';
import { clusterIdentity, type ClusterIdentity } from './security/kept-identity.ts';
import { kubeconfigText, type KubeconfigCredential } from './security/kubeconfig.ts';
import { defaultPolicy } from './security/policy/default-policy.ts';
import { Security } from './security/security.ts';
import { wellKnownGroups } from './security/user.ts';
import { diskFiles } from './store/disk-files.ts';
import type { JournalFiles } from './store/journal.ts';

export interface KubeClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: MetricsRegistry;
  /** Keeps objects, authority, keys and credentials across restarts: a directory, or files of another kind. */
  readonly directory?: string | JournalFiles;
  /** False: no socket, only the handler. */
  readonly listen?: boolean;
  readonly host?: string;
  /** 0 takes any free port. Kubeconfigs name the port: to keep one across restarts, name it too. */
  readonly port?: number;
  /** Of service account tokens. */
  readonly issuer?: string;
  readonly controllers?: boolean;
  readonly scheduler?: boolean;
  readonly podLogs?: PodLogs;
  /** These three are new at every start unless handed in, or kept in a directory. */
  readonly authority?: CertificateAuthority;
  readonly tokenKey?: KeyObject;
  readonly administratorToken?: string;
}

/** Whom a kubeconfig is for: the holder of a token, or of a certificate that is made for it. */
export type KubeconfigUser = { readonly username: string; readonly namespace?: string } & (
  | { readonly token: string }
  | { readonly groups?: readonly string[] }
);

export interface KubeCluster {
  /** Without a socket: the address under which pods know the server. */
  readonly url: string;
  readonly handler: HttpHandler;
  /** For parts of the same process that are trusted to say who they are. */
  readonly api: KubeApi;
  readonly authorityPem: string;
  readonly administratorToken: string;
  readonly administratorKubeconfig: string;
  kubeconfigFor(user: KubeconfigUser): Promise<string>;
  stop(): Promise<void>;
}

const addressInside = 'https://kubernetes.default.svc';
const clusterName = 'emulator';
const administratorName = 'kubernetes-admin';
const defaultHost = '127.0.0.1';

export async function startKubeCluster(options: KubeClusterOptions): Promise<KubeCluster> {
  const { clock, random, directory } = options;
  const files = typeof directory === 'string' ? diskFiles(directory) : directory;
  const identity = await clusterIdentity({ clock, random: random.fork(), files, given: options });
  const { authority, administratorToken } = identity;
  let url = addressInside;
  const { server, security } = assemble(
    { ...options, ...(files === undefined ? {} : { directory: files }) },
    { ...identity, address: () => url },
  );
  const loops = loopsOf(options, { server, security, authorityPem: authority.certificatePem });
  let socket: HttpServer | undefined;
  const stop = async (): Promise<void> => {
    for (const loop of loops) loop.stop();
    await socket?.close();
    server.stop();
    security.close();
  };
  try {
    server.start();
    if (options.listen !== false) socket = await listen(options, server.handler, authority);
    url = socket?.url ?? url;
    for (const loop of loops) loop.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const kubeconfig = (user: string, credential: KubeconfigCredential, namespace?: string) =>
    kubeconfigText({
      server: url,
      authorityPem: authority.certificatePem,
      cluster: clusterName,
      user,
      credential,
      ...(namespace === undefined ? {} : { namespace }),
    });
  let stopped: Promise<void> | undefined;
  return {
    url,
    handler: server.handler,
    api: server.api,
    authorityPem: authority.certificatePem,
    administratorToken,
    administratorKubeconfig: kubeconfig(administratorName, { token: administratorToken }),
    kubeconfigFor: async (user) =>
      kubeconfig(user.username, await credentialOf(authority, user), user.namespace),
    stop: () => (stopped ??= stop()),
  };
}

interface Identity extends ClusterIdentity {
  /** Known once the socket is open. */
  readonly address: () => string;
}

function assemble(
  options: KubeClusterOptions,
  { authority, administratorToken, tokenKey, address }: Identity,
): { readonly server: ApiServer; readonly security: Security } {
  const { clock, random, log, metrics = new MetricsRegistry(), podLogs } = options;
  const store = openStore(options);
  const uids = random.fork();
  let documents: ReadonlyMap<string, HttpReply> | undefined;
  const security = new Security({
    objects: store,
    clock,
    newUid: () => newUid(uids),
    authority,
    issuer: options.issuer ?? 'https://kubernetes.default.svc.cluster.local',
    staticTokens: [
      {
        token: administratorToken,
        user: { username: administratorName, groups: [wellKnownGroups.masters] },
      },
    ],
    tokenKey,
  });
  const server = createApiServer({
    clock,
    random: random.fork(),
    log,
    metrics,
    store,
    authenticator: security.authenticator,
    authorizer: security.authorizer,
    admission: security.admission,
    virtual: security.virtualCreates,
    policy: defaultPolicy(),
    documents: () => (documents ??= security.openIdDocuments(`${address()}${openIdPaths.keys}`)),
    ...(podLogs === undefined ? {} : { podLogs }),
  });
  return { server, security };
}

interface Loop {
  start(): void;
  stop(): void;
}

function loopsOf(
  options: KubeClusterOptions,
  parts: {
    readonly server: ApiServer;
    readonly security: Security;
    readonly authorityPem: string;
  },
): readonly Loop[] {
  const { clock, random, log } = options;
  const { api, kinds } = parts.server;
  const part = (name: string) => ({
    api,
    context: system(name),
    clock,
    random: random.fork(),
    log,
  });
  const manager = (): Loop =>
    new ControllerManager({
      ...part('kube-controller-manager'),
      controllers: [
        ...allControllers({ catalog: kinds, caPem: parts.authorityPem }),
        ...parts.security.controllers,
      ],
    });
  return [
    ...(options.controllers === false ? [] : [manager()]),
    ...(options.scheduler === false ? [] : [new Scheduler(part('kube-scheduler'))]),
  ];
}

function system(component: string): RequestContext {
  return {
    user: { username: `system:${component}`, groups: [wellKnownGroups.masters] },
    fieldManager: component,
  };
}

async function listen(
  { host = defaultHost, port = 0, log }: KubeClusterOptions,
  handler: HttpHandler,
  authority: CertificateAuthority,
): Promise<HttpServer> {
  const inside = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const isAddress = isIP(host) > 0;
  const { certificatePem, privateKeyPem } = await authority.issue({
    subject: { commonName: 'kube-apiserver' },
    alternativeNames: {
      dnsNames: ['localhost', ...inside, ...(isAddress ? [] : [host])],
      ipAddresses: [...new Set([defaultHost, '10.0.0.1', ...(isAddress ? [host] : [])])],
    },
    usages: ['digitalSignature', 'keyEncipherment'],
    purposes: ['serverAuth'],
  });
  const tls = { cert: certificatePem, key: privateKeyPem, clientCa: authority.certificatePem };
  return await HttpServer.listen({ handler, log, host, port, tls });
}

async function credentialOf(
  authority: CertificateAuthority,
  user: KubeconfigUser,
): Promise<KubeconfigCredential> {
  if ('token' in user) return { token: user.token };
  return await authority.issue({
    subject: { commonName: user.username, organizations: user.groups ?? [] },
    usages: ['digitalSignature', 'keyEncipherment'],
    purposes: ['clientAuth'],
  });
}
