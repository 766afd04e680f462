// Requests for resources. In: what a request is about, and who asks. Out: the operation's outcome in the form that the
// client wants: object, list, table, bare metadata, stream.
import type { Clock } from '../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { Random } from '../../../base/random.ts';
import type { Deletion, RequestContext, UserInfo, WatchEvent } from '../api.ts';
import type { ApiList, ApiObject } from '../object.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { scaleColumns } from '../registry/scaling.ts';
import type { ResourceRequest } from '../request-info.ts';
import type { Operations } from '../resource/kube-api.ts';
import { methodNotAllowedHere, StatusError } from '../status-error.ts';
import type { ConnectHandler } from '../subresource/connect.ts';
import { patchOf, patchTypeOf, readBody, readDeleteOptions } from './body.ts';
import { encodeEvent, encodeList, encodeObject } from './encode.ts';
import { negotiate, representations, type Negotiated } from './negotiate.ts';
import { kindAt } from './place.ts';
import { deleteOptions, readOptions, writeOptions, type WriteOptions } from './query-options.ts';
import {
  errorReply,
  jsonReply,
  pageNotFound,
  warningHeader,
  wantsPretty,
  type ReplyForm,
} from './reply.ts';
import { includeObjectOption, partialList, partialOf, tableEvents, tableOf } from './table.ts';
import { watchLines } from './watch-stream.ts';

export interface ResourceRoutes {
  readonly registry: Registry;
  readonly operations: Operations;
  readonly clock: Clock;
  readonly random: Random;
  /** Streams to and from pods: `log`, `exec` and their like. */
  readonly connect: ConnectHandler;
}

interface Asked {
  readonly request: HttpRequest;
  readonly info: ResourceRequest;
  readonly user: UserInfo;
}

interface Call extends Asked {
  readonly kind: ResourceKind;
  readonly form: ReplyForm & Negotiated;
  readonly warnings: string[];
}

/** Without a limit of its own a watch ends after half an hour to an hour, so that clients spread over servers. */
const minWatchMs = 30 * 60_000;

export async function resourceReply(routes: ResourceRoutes, asked: Asked): Promise<HttpReply> {
  const { request, info } = asked;
  const kind = kindAt(routes.registry, info);
  if (kind === undefined) return pageNotFound();
  const streamed = await routes.connect(kind, asked);
  if (streamed !== undefined) return streamed;
  const form = {
    ...negotiate(request.headers['accept'], { produced: producedBy(kind, info) }),
    isPretty: wantsPretty(request.query, request.headers['user-agent']),
  };
  const call: Call = { ...asked, kind, form, warnings: [] };
  if (kind.deprecation !== undefined) call.warnings.push(kind.deprecation);
  const act = verbs[info.verb];
  if (act === undefined) throw methodNotAllowedHere();
  try {
    return await act(routes, call);
  } catch (error) {
    // Warnings are told with a refusal too.
    if (error instanceof StatusError) return errorReply(error, form, warningHeader(call.warnings));
    throw error;
  }
}

/** The forms that an endpoint of a built-in kind says it makes; others say so only when it comes to making one. */
function producedBy(kind: ResourceKind, { name, verb }: ResourceRequest): readonly string[] {
  if (kind.custom !== undefined) return [];
  const isStreamed = name === '' && (verb === 'list' || verb === 'watch');
  return isStreamed ? [...representations, ...streamed] : representations;
}

const streamed = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

type Act = (routes: ResourceRoutes, call: Call) => HttpReply | Promise<HttpReply>;

const verbs: Readonly<Record<string, Act>> = {
  get: getOne,
  list: listAll,
  watch: watchAll,
  create: createOne,
  update: updateOne,
  patch: patchOne,
  delete: deleteOne,
  deletecollection: deleteAll,
};

function addressOf({ info, kind }: Call) {
  const { group, version, resource } = info;
  return {
    resource: { group, version, resource },
    ...(kind.namespaced && info.namespace !== '' ? { namespace: info.namespace } : {}),
  };
}

function objectOf(call: Call) {
  const { name, subresource } = call.info;
  return { ...addressOf(call), name, subresource };
}

function contextOf(call: Call, options: Partial<WriteOptions> = {}): RequestContext {
  const { dryRun = false, fieldManager = '', fieldValidation = 'Warn' } = options;
  return {
    user: call.user,
    dryRun,
    fieldManager: fieldManager === '' ? agentOf(call.request) : fieldManager,
    fieldValidation,
    warn: (text) => {
      if (!call.warnings.includes(text)) call.warnings.push(text);
    },
  };
}

/** Whoever does not name itself is known by the first word of its user agent. */
function agentOf(request: HttpRequest): string {
  const [agent = ''] = (request.headers['user-agent'] ?? '').split('/');
  return agent === '' ? 'unknown' : agent.slice(0, 128);
}

function getOne(routes: ResourceRoutes, call: Call): HttpReply {
  const { resourceVersion } = readOptions(call.request.query);
  const object = routes.operations.get({
    ...objectOf(call),
    context: contextOf(call),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });
  return objectReply(routes, call, object);
}

function listAll(routes: ResourceRoutes, call: Call): HttpReply {
  const options = readOptions(call.request.query);
  const list = routes.operations.list({ ...addressOf(call), ...options, context: contextOf(call) });
  return listReply(routes, call, list);
}

function watchAll(routes: ResourceRoutes, call: Call): HttpReply {
  const { timeoutSeconds, ...options } = readOptions(call.request.query);
  const { name } = call.info;
  const watch = routes.operations.watch({
    ...addressOf(call),
    ...options,
    ...(name === '' ? {} : { fieldSelector: `metadata.name=${name}` }),
    context: contextOf(call),
    timeoutMs:
      timeoutSeconds === undefined || timeoutSeconds === 0
        ? minWatchMs * (1 + routes.random.next())
        : timeoutSeconds * 1000,
  });
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      ...warningHeader(call.warnings),
    },
    body: watchLines(watch, { encode: eventEncoder(routes, call), signal: call.request.signal }),
  };
}

function eventEncoder(routes: ResourceRoutes, { form, kind, request }: Call) {
  if (form.view === 'Table') {
    return tableEvents({
      columns: kind.columns,
      include: includeObjectOption(request.query),
      nowMs: 0,
      now: () => routes.clock.now(),
    });
  }
  if (form.view === 'object') return encodeEvent;
  return (event: WatchEvent) => encodeEvent({ type: event.type, object: partialOf(event.object) });
}

async function createOne(routes: ResourceRoutes, call: Call): Promise<HttpReply> {
  const { info, request } = call;
  if (info.name !== '' && info.subresource === '') throw methodNotAllowedHere();
  const options = writeOptions(request.query, 'CreateOptions');
  const body = await readBody(request, call.kind.kind);
  const object = routes.operations.createFrom({
    ...objectOf(call),
    context: contextOf(call, options),
    body,
  });
  return objectReply(routes, call, object, 201);
}

async function updateOne(routes: ResourceRoutes, call: Call): Promise<HttpReply> {
  if (call.info.name === '') throw methodNotAllowedHere();
  const options = writeOptions(call.request.query, 'UpdateOptions');
  const body = await readBody(call.request, call.kind.kind);
  const isNew = !routes.operations.exists(objectOf(call));
  const object = routes.operations.updateFrom({
    ...objectOf(call),
    context: contextOf(call, options),
    body,
  });
  return objectReply(routes, call, object, isNew ? 201 : 200);
}

async function patchOne(routes: ResourceRoutes, call: Call): Promise<HttpReply> {
  if (call.info.name === '') throw methodNotAllowedHere();
  const patchType = patchTypeOf(call.request, call.kind.custom !== undefined);
  const options = writeOptions(call.request.query, 'PatchOptions', patchType);
  const read = await patchOf(call.request, patchType);
  const isNew = !routes.operations.exists(objectOf(call));
  const object = routes.operations.patchFrom({
    ...objectOf(call),
    context: contextOf(call, options),
    patchType,
    read,
    force: options.force ?? false,
  });
  return objectReply(routes, call, object, isNew ? 201 : 200);
}

async function deleteOne(routes: ResourceRoutes, call: Call): Promise<HttpReply> {
  const body = routes.operations.deleteOptionsOf(await readDeleteOptions(call.request));
  const { options, dryRun } = deleteOptions(call.request.query, body);
  const deletion = routes.operations.delete({
    ...objectOf(call),
    context: contextOf(call, { dryRun }),
    options,
  });
  return deletionReply(routes, call, deletion, options.orphanDependents === false);
}

function deletionReply(
  routes: ResourceRoutes,
  call: Call,
  { object, gone }: Deletion,
  isCascading: boolean,
): HttpReply {
  const { kind, form, warnings } = call;
  if (!gone) return objectReply(routes, call, object, isCascading ? 202 : 200);
  if (kind.strategy.returnsDeleted) return objectReply(routes, call, object);
  const { name, uid } = object.metadata;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural, uid },
  };
  return jsonReply(200, JSON.stringify(status), form, warningHeader(warnings));
}

async function deleteAll(routes: ResourceRoutes, call: Call): Promise<HttpReply> {
  const body = routes.operations.deleteOptionsOf(await readDeleteOptions(call.request));
  const { options, dryRun } = deleteOptions(call.request.query, body);
  const list = routes.operations.deleteCollection({
    ...addressOf(call),
    ...readOptions(call.request.query),
    context: contextOf(call, { dryRun }),
    options,
  });
  return listReply(routes, call, list);
}

function objectReply(
  routes: ResourceRoutes,
  call: Call,
  object: ApiObject,
  status = 200,
): HttpReply {
  const { form, kind, warnings, request } = call;
  const headers = warningHeader(warnings);
  if (form.view === 'object' || object.kind === 'Status') {
    return jsonReply(status, encodeObject(object), form, headers);
  }
  const shown =
    form.view === 'Table'
      ? tableOf(
          [object],
          { resourceVersion: object.metadata.resourceVersion ?? '' },
          {
            columns: object.kind === 'Scale' ? scaleColumns : kind.columns,
            include: includeObjectOption(request.query),
            nowMs: routes.clock.now(),
          },
        )
      : partialOf(object);
  return jsonReply(status, JSON.stringify(shown), form, headers);
}

function listReply(routes: ResourceRoutes, call: Call, list: ApiList): HttpReply {
  const { form, kind, warnings, request } = call;
  const headers = warningHeader(warnings);
  if (form.view === 'object') {
    return jsonReply(200, encodeList(list, kind.custom !== undefined), form, headers);
  }
  const shown =
    form.view === 'Table'
      ? tableOf(list.items, list.metadata, {
          columns: kind.columns,
          include: includeObjectOption(request.query),
          nowMs: routes.clock.now(),
        })
      : partialList(list);
  return jsonReply(200, JSON.stringify(shown), form, headers);
}
