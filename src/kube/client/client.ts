// The API server, typed by kind. In: a kind, a reference, an object or a patch. Out: the object as the
// server now has it. Errors are KubeErrors with the server's words.
//  1. Objects handed in are never changed.
//  2. Every call ends: by its answer, its deadline, or its signal.
//  3. Who observes writes hears of each successful one before its caller does (read-your-writes).
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { TokenBucket } from '../../base/token-bucket.ts';
import type { Json, KubeList, KubeObject, Status } from '../../api/meta.ts';
import { apiVersionOf, pods, type ResourceType } from '../../api/resource-type.ts';
import {
  deleteBody,
  evictionBody,
  listQuery,
  selectorQuery,
  watchQuery,
  type CallOptions,
  type DeleteOptions,
  type EncodingOptions,
  type EvictOptions,
  type ListOptions,
  type PatchOptions,
  type SelectorOptions,
  type WatchOptions,
  type WriteOptions,
} from './call-options.ts';
import { noClientMetrics, type ClientMetrics, type Verb } from './client-metrics.ts';
import { KubeError } from './errors.ts';
import { patchBody, patchContentType, type Patch } from './patch.ts';
import {
  collectionPath,
  namespacedPath,
  objectPath,
  queryText,
  type ObjectRef,
  type Query,
} from './paths.ts';
import { RequestSender, type Answer, type Call } from './requests.ts';
import type { KubeTransport, TransportResponse } from './transport.ts';

export interface KubeClientOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly log: Logger;
  /** Without one, calls are not held back. Watches never are. */
  readonly limiter?: TokenBucket | undefined;
  readonly metrics?: ClientMetrics | undefined;
  readonly userAgent?: string | undefined;
  /** For writes that name none. */
  readonly fieldManager?: string | undefined;
  /** For calls that name none. The server itself gives up after 60 seconds, which is the default. */
  readonly timeoutMs?: number | undefined;
}

/** autoscaling/v1 Scale. */
export interface Scale extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

export interface DeletedRef extends ObjectRef {
  readonly uid?: string | undefined;
}

export interface WriteObserver {
  written<T extends KubeObject>(type: ResourceType<T>, object: T): void;
  deleted(type: ResourceType, ref: DeletedRef): void;
}

const methods = {
  GET: 'GET',
  LIST: 'GET',
  CREATE: 'POST',
  UPDATE: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
} as const satisfies Record<Verb, Call['method']>;

interface Operation {
  readonly path: string;
  readonly query?: Query;
  readonly options: CallOptions;
  readonly subresource?: string | undefined;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly refusalIsAnswer?: boolean;
  readonly accept?: string | undefined;
}

export class KubeClient {
  readonly #sender: RequestSender;
  readonly #fieldManager: string | undefined;
  readonly #observers = new Set<WriteObserver>();
  #offersStreamingLists = true;

  constructor(options: KubeClientOptions) {
    this.#fieldManager = options.fieldManager;
    this.#sender = new RequestSender({
      transport: options.transport,
      clock: options.clock,
      log: options.log,
      limiter: options.limiter,
      metrics: options.metrics ?? noClientMetrics,
      headers: { accept: 'application/json', 'user-agent': options.userAgent ?? 'karpenter' },
      timeoutMs: options.timeoutMs ?? 60_000,
    });
  }

  /** Whether lists can be had as the beginning of a watch; believed until the server refuses one. */
  get offersStreamingLists(): boolean {
    return this.#offersStreamingLists;
  }

  rememberNoStreamingLists(): void {
    this.#offersStreamingLists = false;
  }

  /** Tells the observer of every write that the server has taken; returns how to stop that. */
  observeWrites(observer: WriteObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  get<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options: CallOptions = {},
  ): Promise<T> {
    return this.#call<T>(type, 'GET', { path: objectPath(type, ref), options });
  }

  /** One page: `metadata.continue` tells whether there is more. */
  list<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): Promise<KubeList<T>> {
    const path = collectionPath(type, options.namespace);
    return this.#call<KubeList<T>>(type, 'LIST', { path, query: listQuery(options), options });
  }

  /** One page as it came, in an encoding that `accept` names: for who reads it himself (cache/object-codec.ts). */
  listAnswer(type: ResourceType, options: ListOptions & EncodingOptions): Promise<Answer> {
    const path = collectionPath(type, options.namespace);
    const { accept } = options;
    return this.#sender.send(
      callOf(type, 'LIST', { path, query: listQuery(options), options, accept }),
    );
  }

  /** The head of a watch; its body is one event per line or frame (watch.ts reads it). */
  openWatch(
    type: ResourceType,
    options: WatchOptions & EncodingOptions = {},
  ): Promise<TransportResponse> {
    const path = collectionPath(type, options.namespace) + queryText(watchQuery(options));
    const { signal, timeoutMs, accept } = options;
    return this.#sender.open({ method: 'GET', path, signal, timeoutMs, accept });
  }

  async create<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const created = await this.#call<T>(type, 'CREATE', {
      path: namespacedPath(type, object.metadata),
      query: this.#writeQuery(options),
      options,
      body: withType(type, object),
    });
    return this.#written(type, created, options);
  }

  /**
   * Replaces the object; 409 when it is no longer at the version handed in. Not for objects out of a cache: those are not
   * whole, and the server would delete what they lack. Patch them instead.
   */
  async update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: PatchOptions = {},
  ): Promise<T> {
    const { subresource } = options;
    const updated = await this.#call<T>(type, 'UPDATE', {
      path: objectPath(type, object.metadata, subresource),
      query: this.#writeQuery(options),
      options,
      subresource,
      body: withType(type, object),
    });
    return this.#written(type, updated, options);
  }

  updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.update(type, object, { ...options, subresource: 'status' });
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const { subresource } = options;
    const body = patchBody(patch);
    const patched = await this.#call<T>(type, 'PATCH', {
      path: objectPath(type, ref, subresource),
      query: {
        ...this.#writeQuery(options),
        ...(patch.type === 'apply' ? { fieldManager: patch.fieldManager, force: patch.force } : {}),
      },
      options,
      subresource,
      body: patch.type === 'apply' ? withType(type, body as object) : body,
      contentType: patchContentType(patch),
    });
    return this.#written(type, patched, options);
  }

  /**
   * The object as it now waits for finalizers or its grace period; undefined when it is gone. Of a pod that
   * goes at once the server sends the last state all the same.
   */
  async delete<T extends KubeObject>(
    type: ResourceType<T>,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    const answer = await this.#call<T | Status>(type, 'DELETE', {
      path: objectPath(type, ref),
      options,
      body: deleteBody(options),
    });
    if (!isStatus(answer)) return this.#written(type, answer, options);
    if (options.dryRun === true) return undefined;
    const uid = options.uid ?? answer.details?.uid;
    const deleted = { name: ref.name, namespace: ref.namespace, uid };
    for (const observer of this.#observers) observer.deleted(type, deleted);
    return undefined;
  }

  /** Deletes what the selectors match: within one namespace, for kinds that have them. */
  async deleteCollection(
    type: ResourceType,
    options: SelectorOptions & DeleteOptions = {},
  ): Promise<void> {
    await this.#call(type, 'DELETE', {
      path: namespacedPath(type, options),
      query: selectorQuery(options),
      options,
      body: deleteBody(options),
    });
  }

  /** TooManyRequests when a disruption budget forbids it: that is an answer, and is not retried here. */
  async evict(pod: ObjectRef, options: EvictOptions = {}): Promise<void> {
    await this.#call(pods, 'CREATE', {
      path: objectPath(pods, pod, 'eviction'),
      options,
      subresource: 'eviction',
      body: evictionBody(pod, options),
      refusalIsAnswer: true,
    });
  }

  /** What a scheduler does: places the pod on the node. */
  async bind(pod: ObjectRef, nodeName: string, options: CallOptions = {}): Promise<void> {
    await this.#call(pods, 'CREATE', {
      path: objectPath(pods, pod, 'binding'),
      options,
      subresource: 'binding',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: pod.name, namespace: pod.namespace },
        target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
      },
    });
  }

  getScale(type: ResourceType, ref: ObjectRef, options: CallOptions = {}): Promise<Scale> {
    const path = objectPath(type, ref, 'scale');
    return this.#call<Scale>(type, 'GET', { path, options, subresource: 'scale' });
  }

  updateScale(type: ResourceType, scale: Scale, options: WriteOptions = {}): Promise<Scale> {
    return this.#call<Scale>(type, 'UPDATE', {
      path: objectPath(type, scale.metadata, 'scale'),
      query: this.#writeQuery(options),
      options,
      subresource: 'scale',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', ...scale },
    });
  }

  async serverVersion(options: CallOptions = {}): Promise<ServerVersion> {
    return (await this.getRaw('/version', options)) as unknown as ServerVersion;
  }

  /** Any JSON of the server: discovery, OpenAPI, health. */
  async getRaw(path: string, options: CallOptions = {}): Promise<Json> {
    const { signal, timeoutMs } = options;
    const call: Call = { method: 'GET', path, signal, timeoutMs };
    return parse(call, await this.#sender.send(call)) as Json;
  }

  async #call<T>(type: ResourceType, verb: Verb, operation: Operation): Promise<T> {
    const call = callOf(type, verb, operation);
    return parse(call, await this.#sender.send(call)) as T;
  }

  #writeQuery(options: WriteOptions): Query {
    return {
      fieldManager: options.fieldManager ?? this.#fieldManager,
      dryRun: options.dryRun === true ? 'All' : undefined,
    };
  }

  #written<T extends KubeObject>(type: ResourceType<T>, object: T, options: PatchOptions): T {
    // Subresources other than status answer with an object of another kind.
    const whole = options.subresource === undefined || options.subresource === 'status';
    if (whole && options.dryRun !== true) {
      for (const observer of this.#observers) observer.written(type, object);
    }
    return object;
  }
}

function callOf(type: ResourceType, verb: Verb, operation: Operation): Call {
  const { path, query, options, subresource, ...rest } = operation;
  return {
    ...rest,
    method: methods[verb],
    path: path + queryText(query),
    labels: { verb, type, subresource },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
}

/** The server wants both, and objects out of lists carry neither. */
function withType(type: ResourceType, object: object): object {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}

function isStatus(answer: KubeObject | Status): answer is Status {
  return answer.kind === 'Status';
}

function parse(call: Call, { bytes }: Answer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new KubeError('Malformed', 'the API server answered with something that is not JSON', {
      request: call,
      cause,
    });
  }
}
