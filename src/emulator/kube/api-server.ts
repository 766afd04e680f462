// The emulated Kubernetes API server, put together. In: clock, randomness, logs, and who may do what. Out: an HTTP handler
// for clients outside, the same operations as function calls for the parts inside, and a way to stop.
// 1. Nothing listens and nothing ticks before `start`; after `stop` nothing is left of it.
// 2. Both ways in go through the same rules; only HTTP asks who the caller is.
import type { Clock } from '../../base/clock.ts';
import type { HttpHandler, HttpReply } from '../../base/http-server.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { bootstrap } from './bootstrap.ts';
import type { KubeApi } from './api.ts';
import { Definitions } from './crd/definitions.ts';
import { ApiServices } from './discovery/api-services.ts';
import { AggregatedDiscovery } from './discovery/documents.ts';
import { createHandler } from './http/handler.ts';
import { admissionPlugins } from './admission/plugins.ts';
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  PodLogs,
  VirtualCreates,
} from './ports.ts';
import type { ApiObject } from './object.ts';
import { builtInKinds } from './registry/built-in-kinds.ts';
import { Registry } from './registry/registry.ts';
import type { ResourceKind } from './registry/resource-kind.ts';
import type { RequestInfo } from './request-info.ts';
import type { Environment } from './resource/environment.ts';
import { EventExpiry } from './resource/event-expiry.ts';
import { Operations, type CreateHandler } from './resource/kube-api.ts';
import { OpenApiDocuments } from './schema/open-api.ts';
import { TypeSchemas } from './schema/type-schemas.ts';
import { diskFiles } from './store/disk-files.ts';
import { Journal, type JournalFiles } from './store/journal.ts';
import { Store } from './store/store.ts';
import { bindPod } from './subresource/binding.ts';
import { connectHandler } from './subresource/connect.ts';
import { evictPod } from './subresource/eviction.ts';
import { virtualHandler } from './subresource/virtual.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Keeps objects across restarts: a directory, or files of another kind. */
  readonly directory?: string | JournalFiles;
  /** Reviews and token requests, by `group/plural[/subresource]`; what is not here answers 404. */
  readonly virtual?: VirtualCreates;
  /** Further plugins, after those of the server. */
  readonly admission?: readonly AdmissionPlugin[];
  /** Names of plugins to leave out, as the real server's flag does. */
  readonly disableAdmission?: readonly string[];
  readonly podLogs?: PodLogs;
  /** Where the objects are, for those who read them beside the server; else the server opens a store of its own. */
  readonly store?: Store;
  /** Roles and bindings that every cluster has from the start. */
  readonly policy?: readonly ApiObject[];
  /** Further documents by their paths, for whoever may read them. */
  readonly documents?: () => ReadonlyMap<string, HttpReply>;
}

export interface ApiServer {
  readonly handler: HttpHandler;
  readonly api: KubeApi;
  /** What is served now, custom resources included. */
  readonly kinds: () => Iterable<ResourceKind>;
  /** Restores what was kept and makes what every cluster has. */
  start(): void;
  /** Ends all watches and flushes what is to be kept. */
  stop(): void;
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, random } = options;
  const store = options.store ?? openStore(options);
  const registry = new Registry(builtInKinds);
  const types = new TypeSchemas();
  const openApi = new OpenApiDocuments({ schemas: types, registry });
  const disabled = new Set(options.disableAdmission);
  const plugins = [...admissionPlugins(store, random), ...(options.admission ?? [])];
  const env: Environment = {
    store,
    registry,
    clock,
    random,
    admission: plugins.filter((plugin) => !disabled.has(plugin.name)),
    schemaOf: (kind) => kind.custom?.schema ?? types.lookup(kind),
    typeOf: (kind) => types.lookup(kind),
    written: (kind, object, gone) => {
      try {
        definitions.written(kind, object, gone);
        services.follow();
      } catch (error) {
        // The write itself has happened; what follows from it must not turn its answer into an error.
        options.log.error('definition was not followed up', { error, name: object.metadata.name });
      }
    },
  };
  const definitions = new Definitions(env, types);
  const services = new ApiServices({ store, registry, clock, random: random.fork() });
  const operations = new Operations(env, createHandlers(options.virtual));
  const events = new EventExpiry(store, clock);
  let isReady = false;
  const handler = createHandler({
    access: { authenticator: options.authenticator, authorizer: options.authorizer },
    aggregated: new AggregatedDiscovery(registry),
    documents: options.documents ?? (() => new Map()),
    connect: connectHandler(env, options.podLogs),
    clock,
    random: random.fork(),
    log: options.log,
    metrics: options.metrics,
    observe: requestCounter(options.metrics),
    openApi,
    operations,
    registry,
    isReady: () => isReady,
  });
  return {
    handler,
    api: operations,
    kinds: () => registry.kinds,
    start() {
      definitions.start();
      services.follow();
      bootstrap(operations, options.policy);
      events.start();
      isReady = true;
    },
    stop() {
      isReady = false;
      events.stop();
      store.close();
    },
  };
}

/** A store on what was kept, or an empty one in memory. */
export function openStore({
  clock,
  directory,
}: Pick<ApiServerOptions, 'clock' | 'directory'>): Store {
  if (directory === undefined) return new Store({ clock });
  const files = typeof directory === 'string' ? diskFiles(directory) : directory;
  return new Store({ clock, journal: new Journal({ files, clock }) });
}

function createHandlers(virtual: VirtualCreates = new Map()): ReadonlyMap<string, CreateHandler> {
  return new Map<string, CreateHandler>([
    ['/bindings', bindPod],
    ['/pods/binding', bindPod],
    ['/pods/eviction', evictPod],
    ...[...virtual].map(
      ([place, create]) => [place, virtualHandler(create, place.split('/')[2])] as const,
    ),
  ]);
}

function requestCounter(metrics: MetricsRegistry): (info: RequestInfo, code: number) => void {
  const counter = metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and status code.',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'code'],
  });
  return (info, code) => {
    const place = info.isResource
      ? {
          group: info.group,
          version: info.version,
          resource: info.resource,
          subresource: info.subresource,
        }
      : { group: '', version: '', resource: '', subresource: '' };
    counter.add({ verb: info.verb.toUpperCase(), ...place, code: String(code) });
  };
}
