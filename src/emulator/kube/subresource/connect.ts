// Streams that end at a kubelet: logs, exec, attach, port-forward, proxy. In: a request for one. Out: the log as a
// kubelet would send it, where somebody plays the kubelets; else what a server answers whose kubelets do not.
import type { HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { integerOption, booleanOption } from '../http/query-options.ts';
import { objectsAt, stringAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { PodLogs } from '../ports.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ResourceRequest } from '../request-info.ts';
import { existing } from '../resource/read.ts';
import type { Environment } from '../resource/environment.ts';
import { badRequest, methodNotAllowedHere, unknownFailure } from '../status-error.ts';

/** Undefined: not a stream, go on as usual. */
export type ConnectHandler = (
  kind: ResourceKind,
  asked: { readonly request: HttpRequest; readonly info: ResourceRequest },
) => Promise<HttpReply | undefined>;

const streams: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

export function connectHandler(env: Environment, logs: PodLogs | undefined): ConnectHandler {
  return async (kind, { request, info }) => {
    const { subresource } = info;
    if (kind.group !== '' || (subresource !== 'log' && !streams.has(subresource))) return undefined;
    if (!kind.subresources.some(({ name }) => name === subresource)) return undefined;
    const object = existing(env, kind, info);
    if (subresource === 'log') {
      if (request.method !== 'GET') throw methodNotAllowedHere();
      return logReply(object, request, logs);
    }
    if (kind.plural === 'pods' && subresource !== 'proxy') checkAttachable(object, request.query);
    throw unreachable(env, object);
  };
}

function containersOf(pod: ApiObject): readonly string[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((field) =>
    objectsAt(pod, 'spec', field).map((container) => textAt(container, 'name')),
  );
}

function containerOf(pod: ApiObject, query: URLSearchParams): string {
  const { name } = pod.metadata;
  const wanted = query.get('container') ?? '';
  const all = containersOf(pod);
  if (wanted !== '') {
    if (all.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const main = objectsAt(pod, 'spec', 'containers').map((item) => textAt(item, 'name'));
  const [only] = main;
  if (main.length === 1 && only !== undefined) return only;
  const inits = objectsAt(pod, 'spec', 'initContainers').map((item) => stringAt(item, 'name'));
  const others = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`,
  );
}

function checkAttachable(pod: ApiObject, query: URLSearchParams): void {
  const { name } = pod.metadata;
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  if (textAt(pod, 'spec', 'nodeName') === '') {
    throw badRequest(`pod ${name} does not have a host assigned`);
  }
  if (query.has('container')) containerOf(pod, query);
}

function unreachable(env: Environment, object: ApiObject): Error {
  return unknownFailure(500, `error dialing backend: ${dialError(env, object)}`);
}

function dialError(env: Environment, object: ApiObject): string {
  const nodeName = stringAt(object, 'spec', 'nodeName') ?? object.metadata.name;
  const node = env.store.get('/nodes', nodeName);
  const addresses = objectsAt(node, 'status', 'addresses');
  const found = addresses.find((item) => stringAt(item, 'type') === 'InternalIP') ?? addresses[0];
  const address = stringAt(found, 'address');
  if (address === undefined) return 'no preferred addresses found; known addresses: []';
  return `dial tcp ${address}:10250: connect: connection refused`;
}

function logReply(pod: ApiObject, request: HttpRequest, logs: PodLogs | undefined): HttpReply {
  const { query } = request;
  const container = containerOf(pod, query);
  if (textAt(pod, 'spec', 'nodeName') === '') {
    // A pod that has no node has no log either: nothing, not an error.
    return { status: 204 };
  }
  if (logs === undefined) throw unknownFailure(500, 'error dialing backend: connection refused');
  const options = {
    sinceSeconds: integerOption(query, 'sinceSeconds'),
    tailLines: integerOption(query, 'tailLines'),
    limitBytes: integerOption(query, 'limitBytes'),
    sinceTime: query.get('sinceTime') ?? undefined,
  };
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  return textStream(
    logs.read(pod, {
      container,
      follow: booleanOption(query, 'follow') ?? false,
      previous: booleanOption(query, 'previous') ?? false,
      timestamps: booleanOption(query, 'timestamps') ?? false,
      signal: request.signal,
      ...Object.fromEntries(present),
    }),
  );
}

function textStream(body: string | AsyncIterable<string>): HttpReply {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}
