// A small API server for tests of the client side: it keeps objects, versions and history, serves lists and
// watches, and misbehaves on command. It knows no admission, no schemas and no controllers.
// Runs in this process (`handler`) or behind HttpServer.
import type { HttpHandler, HttpReply, HttpRequest } from '../../src/base/http-server.ts';
import type { KubeObject, Status } from '../../src/api/meta.ts';
import { apiVersionOf, type ResourceType } from '../../src/api/resource-type.ts';
import { jsonLine, ServerWatch, type EncodeEvent } from './api-server-watch.ts';
import { encodeFrame, encodeItem, encodeList, encodeObject } from './protobuf-encoder.ts';

interface HistoryEntry {
  readonly version: number;
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

interface Target {
  /** Such as `/api/v1/pods`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

export type Fault = (request: HttpRequest) => HttpReply | Promise<HttpReply> | undefined;

export class ApiServer {
  readonly requests: string[] = [];
  readonly watches: ServerWatch[] = [];
  /** Off: as servers before 1.32, which refuse `sendInitialEvents`. */
  streamingLists = true;
  /** On: lists and watches are in the binary encoding for who asks for it, as those of real servers are. */
  binary = false;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #known = new Map<string, ResourceType>();
  #history: HistoryEntry[] = [];
  #faults: Fault[] = [];
  #version = 1000;
  #compacted = 0;
  #uid = 0;
  #snapshots = new Map<string, readonly KubeObject[]>();

  get version(): string {
    return String(this.#version);
  }

  get openWatches(): readonly ServerWatch[] {
    return this.watches.filter((watch) => watch.open);
  }

  /** Kinds that were never served answer 404, as without their CRD. */
  serve(...types: readonly ResourceType[]): this {
    for (const type of types) this.#known.set(resourceOf(type), type);
    return this;
  }

  withdraw(type: ResourceType): void {
    this.#known.delete(resourceOf(type));
  }

  /** Answers the next request that it does not decline, instead of the server. */
  once(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Creates or replaces, as some other client would. */
  put<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    this.serve(type);
    return this.#store(resourceOf(type), object) as T;
  }

  remove(type: ResourceType, ref: { readonly name: string; readonly namespace?: string }): void {
    this.#drop(resourceOf(type), keyOf(ref));
  }

  objects(type: ResourceType): readonly KubeObject[] {
    return [...this.#table(resourceOf(type)).values()];
  }

  /** Forgets the past: older versions and continue tokens answer 410 from now on. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
    this.#snapshots.clear();
  }

  /** Goes back to an earlier version number, as a server restored from a backup does. */
  rewind(version: number): void {
    this.#version = version;
    this.#compacted = version;
    this.#history = [];
    for (const table of this.#objects.values()) {
      for (const [key, object] of table) table.set(key, stamped(object, version));
    }
  }

  bookmark(): void {
    for (const watch of this.openWatches) watch.event('BOOKMARK', bookmark(this.version, false));
  }

  readonly handler: HttpHandler = async (request) => {
    const target = targetOf(request.path);
    const query = request.query.toString();
    this.requests.push(`${request.method} ${request.path}${query === '' ? '' : `?${query}`}`);
    for (const [index, fault] of this.#faults.entries()) {
      const reply = fault(request);
      if (reply === undefined) continue;
      this.#faults.splice(index, 1);
      return reply;
    }
    if (target === undefined || !this.#known.has(target.resource)) return notFound(request.path);
    if (request.method === 'GET') return this.#read(request, target);
    return this.#write(request, target);
  };

  #read(request: HttpRequest, target: Target): HttpReply {
    if (target.name !== undefined) {
      const object = this.#table(target.resource).get(keyOf({ ...target, name: target.name }));
      return object === undefined ? notFound(target.name) : json(200, object);
    }
    return request.query.get('watch') === 'true'
      ? this.#watch(request, target)
      : this.#list(request, target);
  }

  #list(request: HttpRequest, target: Target): HttpReply {
    const { query } = request;
    const token = query.get('continue');
    const [version = this.version, offsetText = '0'] = token?.split(':') ?? [];
    const snapshot =
      token === null
        ? this.#selected(target)
        : this.#snapshots.get(`${target.resource} ${version}`);
    if (snapshot === undefined)
      return failure(410, 'Expired', 'The provided continue parameter is too old');
    const offset = Number(offsetText);
    const limit = Number(query.get('limit') ?? snapshot.length);
    const items = snapshot.slice(offset, offset + limit);
    const more = offset + limit < snapshot.length;
    if (more) this.#snapshots.set(`${target.resource} ${version}`, snapshot);
    const metadata = {
      resourceVersion: version,
      ...(more ? { continue: `${version}:${offset + limit}` } : {}),
    };
    return listReply(this.#binaryType(request, target), metadata, items);
  }

  #watch(request: HttpRequest, target: Target): HttpReply {
    const { query } = request;
    const initial = query.get('sendInitialEvents') === 'true';
    if (initial && !this.streamingLists) {
      return failure(422, 'Invalid', 'sendInitialEvents is forbidden for watch');
    }
    const from = Number(query.get('resourceVersion') ?? this.#version);
    const type = this.#binaryType(request, target);
    const watch = new ServerWatch(
      target.resource,
      query,
      type === undefined ? jsonLine : binaryFrame(type),
    );
    if (initial) {
      for (const object of this.#selected(target)) watch.event('ADDED', object);
      watch.event('BOOKMARK', bookmark(this.version, true));
    } else this.#replay(watch, from);
    this.watches.push(watch);
    return {
      status: 200,
      headers: {
        'content-type': `${type === undefined ? 'application/json' : protobuf};stream=watch`,
      },
      body: watch.body(request.signal),
    };
  }

  #replay(watch: ServerWatch, from: number): void {
    if (from < this.#compacted) {
      const message = `too old resource version: ${from}`;
      watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message });
      watch.close();
      return;
    }
    for (const { resource, version, type, object } of this.#history) {
      if (resource === watch.resource && version > from) watch.event(type, object);
    }
  }

  async #write(request: HttpRequest, target: Target): Promise<HttpReply> {
    const text = Buffer.from(await request.body()).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as KubeObject;
    if (request.method === 'POST' && target.name === undefined) return this.#create(target, body);
    const name = target.name ?? '';
    const key = keyOf({ ...target, name });
    const current = this.#table(target.resource).get(key);
    if (current === undefined) return notFound(name);
    if (request.method === 'DELETE') return this.#delete(target.resource, key, body);
    if (request.method === 'POST') return json(201, { kind: 'Status', status: 'Success' });
    const wanted = request.method === 'PUT' ? body : (merged(current, body) as KubeObject);
    return this.#update(target.resource, current, wanted);
  }

  #update(resource: string, current: KubeObject, wanted: KubeObject): HttpReply {
    const { name, resourceVersion, deletionTimestamp, finalizers = [] } = wanted.metadata;
    if (resourceVersion !== undefined && resourceVersion !== current.metadata.resourceVersion) {
      const message = `Operation cannot be fulfilled on "${name}": the object has been modified`;
      return failure(409, 'Conflict', message);
    }
    const stored = this.#store(resource, wanted);
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      this.#drop(resource, keyOf(stored.metadata));
    }
    return json(200, stored);
  }

  #create(target: Target, body: KubeObject): HttpReply {
    const object =
      target.namespace === undefined
        ? body
        : { ...body, metadata: { ...body.metadata, namespace: target.namespace } };
    const { name } = object.metadata;
    if (this.#table(target.resource).has(keyOf(object.metadata))) {
      return failure(409, 'AlreadyExists', `"${name}" already exists`);
    }
    return json(201, this.#store(target.resource, object));
  }

  #delete(resource: string, key: string, options: unknown): HttpReply {
    const current = this.#table(resource).get(key);
    const { preconditions } = options as { preconditions?: { uid?: string } };
    if (preconditions?.uid !== undefined && preconditions.uid !== current?.metadata.uid) {
      return failure(409, 'Conflict', 'the UID in the precondition does not match');
    }
    if ((current?.metadata.finalizers ?? []).length > 0) {
      const deleting = { ...current!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
      return json(200, this.#store(resource, { ...current!, metadata: deleting }));
    }
    this.#drop(resource, key);
    return json(200, {
      kind: 'Status',
      status: 'Success',
      details: { uid: current?.metadata.uid },
    });
  }

  #store(resource: string, object: KubeObject): KubeObject {
    const table = this.#table(resource);
    const key = keyOf(object.metadata);
    const before = table.get(key);
    this.#version++;
    const uid = before?.metadata.uid ?? `uid-${++this.#uid}`;
    const stored = stamped({ ...object, metadata: { ...object.metadata, uid } }, this.#version);
    table.set(key, stored);
    this.#publish({
      version: this.#version,
      resource,
      type: before === undefined ? 'ADDED' : 'MODIFIED',
      object: stored,
    });
    return stored;
  }

  #drop(resource: string, key: string): void {
    const object = this.#table(resource).get(key);
    if (object === undefined) return;
    this.#table(resource).delete(key);
    this.#version++;
    const last = stamped(object, this.#version);
    this.#publish({ version: this.#version, resource, type: 'DELETED', object: last });
  }

  #publish(entry: HistoryEntry): void {
    this.#history.push(entry);
    for (const watch of this.openWatches) {
      if (watch.resource === entry.resource) watch.event(entry.type, entry.object);
    }
  }

  /** The kind to encode, when the answer is to be binary. */
  #binaryType(request: HttpRequest, target: Target): ResourceType | undefined {
    const asked = request.headers['accept']?.startsWith(protobuf) ?? false;
    return this.binary && asked ? this.#known.get(target.resource) : undefined;
  }

  #selected({ resource, namespace }: Target): readonly KubeObject[] {
    const all = [...this.#table(resource).values()];
    return namespace === undefined ? all : all.filter((o) => o.metadata.namespace === namespace);
  }

  #table(resource: string): Map<string, KubeObject> {
    let table = this.#objects.get(resource);
    if (table === undefined) this.#objects.set(resource, (table = new Map()));
    return table;
  }
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** Objects of this server do not always say what they are; binary ones must. */
function typed(type: ResourceType, object: unknown): Record<string, unknown> {
  return { ...(object as object), apiVersion: apiVersionOf(type), kind: type.kind };
}

function binaryFrame(type: ResourceType): EncodeEvent {
  return (event, object) =>
    encodeFrame(
      event,
      encodeObject(
        event === 'ERROR'
          ? { ...(object as object), apiVersion: 'v1', kind: 'Status' }
          : typed(type, object),
      ),
    );
}

function jsonList(metadata: object, objects: readonly KubeObject[]): HttpReply {
  // Items of a list do not say what they are.
  const items = objects.map((item) => ({ ...item, apiVersion: undefined, kind: undefined }));
  return json(200, { kind: 'List', apiVersion: 'v1', metadata, items });
}

/** Binary when the kind is given. */
function listReply(
  type: ResourceType | undefined,
  metadata: Readonly<Record<string, unknown>>,
  objects: readonly KubeObject[],
): HttpReply {
  if (type === undefined) return jsonList(metadata, objects);
  const items = objects.map((object) => encodeItem(typed(type, object)));
  const list = { apiVersion: apiVersionOf(type), kind: `${type.kind}List`, metadata, items };
  return { status: 200, headers: { 'content-type': protobuf }, body: encodeList(list) };
}

export function failure(
  code: number,
  reason: string,
  message: string,
  more: { readonly headers?: Record<string, string>; readonly details?: Status['details'] } = {},
): HttpReply {
  const { headers = {}, details } = more;
  return json(
    code,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details },
    headers,
  );
}

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): HttpReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

function notFound(name: string): HttpReply {
  return failure(404, 'NotFound', `"${name}" not found`);
}

function bookmark(version: string, initial: boolean): object {
  const annotations = initial ? { 'k8s.io/initial-events-end': 'true' } : undefined;
  return {
    kind: 'Bookmark',
    apiVersion: 'v1',
    metadata: { resourceVersion: version, annotations },
  };
}

function stamped(object: KubeObject, version: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function resourceOf(type: ResourceType): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  return `${root}/${type.plural}`;
}

function keyOf(ref: { readonly name: string; readonly namespace?: string | undefined }): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}

function targetOf(path: string): Target | undefined {
  const match =
    /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path,
    );
  if (match === null) return undefined;
  const [, root = '', namespace, plural = '', name, subresource] = match as (string | undefined)[];
  const decoded = name === undefined ? undefined : decodeURIComponent(name);
  return { resource: `${root}/${plural}`, namespace, name: decoded, subresource };
}

/** RFC 7386. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const base =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
