// Streams that end at a kubelet: logs, exec, attach, port-forward, proxy. In: a request for one. Out: the log as a
// kubelet would send it, where somebody plays the kubelets; else what a server answers whose kubelets do not.
import type { HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { numberAt, objectsAt, stringAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { PodLogs } from '../ports.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ResourceRequest } from '../request-info.ts';
import { existing } from '../resource/read.ts';
import type { Environment } from '../resource/environment.ts';
import {
  badRequest,
  methodNotAllowedHere,
  notFound,
  serviceUnavailable,
  unknownFailure,
} from '../status-error.ts';
import { logOptions } from './log-options.ts';

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
    if (kind.plural === 'services') throw unservedService(env, kind, info);
    const object = existing(env, kind, info);
    if (subresource === 'log') {
      if (request.method !== 'GET') throw methodNotAllowedHere();
      return logReply(env, object, { request, logs });
    }
    if (kind.plural === 'pods') checkReachable(env, object, { subresource, query: request.query });
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

function checkReachable(
  env: Environment,
  pod: ApiObject,
  { subresource, query }: { readonly subresource: string; readonly query: URLSearchParams },
): void {
  if (subresource === 'proxy') {
    if (textAt(pod, 'status', 'podIP') === '') throw badRequest('address not allowed');
    return;
  }
  if (subresource !== 'portforward') containerOf(pod, query);
  if (textAt(pod, 'spec', 'nodeName') === '') {
    throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  }
  checkNode(env, pod);
}

/** A node that is not there is called a pod, as the real server calls it. */
function checkNode(env: Environment, pod: ApiObject): void {
  const node = textAt(pod, 'spec', 'nodeName');
  if (env.store.get('/nodes', node) === undefined) {
    throw notFound({ group: '', resource: 'pods' }, node);
  }
}

/** `web`, `web:80` or `https:web:http`: nobody here stands behind a service. */
function unservedService(
  env: Environment,
  kind: ResourceKind,
  { namespace, name }: ResourceRequest,
): Error {
  const parts = name.split(':');
  const [own = '', port = ''] = parts.length === 3 ? parts.slice(1) : parts;
  const service = existing(env, kind, { namespace, name: own });
  const ports = objectsAt(service, 'spec', 'ports').map((item) => String(numberAt(item, 'port')));
  if (/^\d+$/.test(port) && !ports.includes(port)) {
    return serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(own)}`);
  }
  const endpoints = env.store.get('/endpoints', `${namespace}/${own}`);
  if (endpoints === undefined) return notFound({ group: '', resource: 'services' }, own);
  const addresses = objectsAt(endpoints, 'subsets').flatMap((subset) =>
    objectsAt(subset, 'addresses'),
  );
  const [address] = addresses;
  return address === undefined
    ? serviceUnavailable(`no endpoints available for service ${JSON.stringify(own)}`)
    : unknownFailure(
        500,
        `error dialing backend: dial tcp ${textAt(address, 'ip')}: connect: connection refused`,
      );
}

function unreachable(env: Environment, object: ApiObject): Error {
  return unknownFailure(500, `error dialing backend: ${dialError(env, object)}`);
}

const noAddress = 'no preferred addresses found; known addresses: []';

/** Where the kubelet says it listens; undefined when the node says nothing of itself. */
function kubeletOf(env: Environment, object: ApiObject): string | undefined {
  const nodeName = stringAt(object, 'spec', 'nodeName') ?? object.metadata.name;
  const node = env.store.get('/nodes', nodeName);
  const addresses = objectsAt(node, 'status', 'addresses');
  const found = addresses.find((item) => stringAt(item, 'type') === 'InternalIP') ?? addresses[0];
  const address = stringAt(found, 'address');
  const port = numberAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') ?? 10_250;
  return address === undefined ? undefined : `${address}:${port}`;
}

function dialError(env: Environment, object: ApiObject): string {
  const kubelet = kubeletOf(env, object);
  return kubelet === undefined ? noAddress : `dial tcp ${kubelet}: connect: connection refused`;
}

/** The options of a log as they go on to the kubelet, in the order in which the server writes them. */
const forwarded = [
  'follow',
  'limitBytes',
  'previous',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'timestamps',
];

function unreachableLog(
  env: Environment,
  pod: ApiObject,
  asked: { readonly container: string; readonly query: URLSearchParams },
): Error {
  const kubelet = kubeletOf(env, pod);
  if (kubelet === undefined) return unknownFailure(500, noAddress);
  const options = forwarded.flatMap((name) => {
    const value = asked.query.get(name) ?? '';
    return value === '' || value === 'false' ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  const { namespace = '', name } = pod.metadata;
  const path = `containerLogs/${namespace}/${name}/${asked.container}`;
  const url = `https://${kubelet}/${path}${options.length === 0 ? '' : `?${options.join('&')}`}`;
  return unknownFailure(500, `Get "${url}": dial tcp ${kubelet}: connect: connection refused`);
}

function logReply(
  env: Environment,
  pod: ApiObject,
  { request, logs }: { readonly request: HttpRequest; readonly logs: PodLogs | undefined },
): HttpReply {
  const { query } = request;
  const options = logOptions(query, pod.metadata.name);
  const container = containerOf(pod, query);
  if (textAt(pod, 'spec', 'nodeName') === '') {
    // A pod that has no node has no log either: nothing, not an error.
    return { status: 204 };
  }
  if (logs === undefined) {
    checkNode(env, pod);
    throw unreachableLog(env, pod, { container, query });
  }
  return textStream(logs.read(pod, { ...options, container, signal: request.signal }));
}

function textStream(body: string | AsyncIterable<string>): HttpReply {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}
