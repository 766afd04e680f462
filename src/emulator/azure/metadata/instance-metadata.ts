// The metadata service of one machine, at 169.254.169.254 in Azure: about itself, what is scheduled for it, tokens of its
// identities. In: HTTP without TLS, with a header that no browser sends. Out: JSON, or text of a single value. One handler
// belongs to one machine, because in Azure the address alone decides whom one is talking to.
import type { Json } from '../../../api/meta.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { isArray, isObject, objectsAt, textAt } from '../../kube/json.ts';
import type { Compute } from '../compute/compute.ts';
import { createVmMetadataHandler } from '../compute/vm/metadata.ts';
import { instanceDocument } from './instance-document.ts';
import type { ScheduledEvents } from './scheduled-events.ts';

export interface InstanceMetadataOptions {
  readonly compute: Compute;
  readonly events: ScheduledEvents;
  readonly vmId: string;
}

const versions = `
  2017-04-02 2017-08-01 2017-12-01 2018-02-01 2018-04-02 2018-10-01 2019-02-01 2019-03-11 2019-04-30
  2019-06-01 2019-06-04 2019-08-01 2019-08-15 2019-11-01 2020-06-01 2020-07-15 2020-09-01 2020-10-01
  2020-12-01 2021-01-01 2021-02-01 2021-03-01 2021-05-01 2021-10-01 2021-11-01 2021-11-15 2021-12-13`
  .trim()
  .split(/\s+/);
const newest = versions.slice(-3).toReversed();
const eventVersions = new Set([
  '2017-08-01',
  '2017-11-01',
  '2019-01-01',
  '2019-04-01',
  '2019-08-01',
  '2020-07-01',
]);

export function createInstanceMetadata(options: InstanceMetadataOptions): HttpHandler {
  const identity = createVmMetadataHandler(options.compute, options.vmId);
  return async (request) => {
    const path = request.path.replace(/\/$/, '');
    if (path.startsWith('/metadata/identity')) return await identity(request);
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refusal;
    if (path === '/metadata/versions') return json(200, { apiVersions: versions });
    if (path === '/metadata/scheduledevents') return await scheduled(request, options);
    if (/^\/metadata\/instance(\/|$)/.test(path)) return instance(request, path, options);
    return failure(404, 'Not found');
  };
}

function refusalOf({ headers, path, query }: HttpRequest): HttpReply | undefined {
  if (headers['x-forwarded-for'] !== undefined) {
    return failure(400, 'Bad request. The request must not be forwarded');
  }
  if (headers['metadata']?.toLowerCase() !== 'true') {
    return failure(400, 'Bad request. Required metadata header not specified');
  }
  if (path === '/metadata/versions' || query.get('api-version') !== null) return undefined;
  return json(400, {
    error:
      'Bad request. api-version was not specified in the request. For more information refer to aka.ms/azureimds',
    'newest-versions': newest,
  });
}

async function scheduled(
  request: HttpRequest,
  { events, vmId }: InstanceMetadataOptions,
): Promise<HttpReply> {
  if (!eventVersions.has(request.query.get('api-version') ?? '')) {
    return failure(400, 'Bad request. api-version is invalid or was not specified');
  }
  if (request.method === 'GET') return json(200, events.document(vmId));
  if (request.method !== 'POST') return failure(405, 'Method not allowed');
  const body = parsed(await request.body());
  const ids = objectsAt(body, 'StartRequests').map((one) => textAt(one, 'EventId'));
  if (ids.length === 0 || !events.approve(vmId, ids)) {
    return failure(400, 'Bad request. StartRequests must name events of this machine');
  }
  return { status: 200 };
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}

function instance(
  { method, query }: HttpRequest,
  path: string,
  { compute, vmId }: InstanceMetadataOptions,
): HttpReply {
  if (method !== 'GET') return failure(405, 'Method not allowed');
  if (!versions.includes(query.get('api-version') ?? '')) {
    return json(400, {
      error: 'Bad request. api-version is invalid or was not specified in the request.',
      'newest-versions': newest,
    });
  }
  const vm = compute.env.store.get(vmId);
  if (vm === undefined) return failure(410, 'Gone');
  const steps = path.split('/').slice(3);
  const value = steps.reduce(below, instanceDocument(compute, vm));
  if (value === undefined) return failure(404, 'Not found');
  const isLeaf = typeof value === 'string';
  if (query.get('format') !== 'text') {
    return isLeaf ? leafAsJson : json(200, value);
  }
  return isLeaf ? text(200, value) : text(200, listing(value));
}

/** A single value has no JSON form there. */
const leafAsJson = failure(
  400,
  'Bad request. Use the query parameter format=text for a single value',
);

function below(value: Json | undefined, step: string): Json | undefined {
  if (isArray(value)) return value[Number(step)];
  return isObject(value) ? value[step] : undefined;
}

/** As a directory: one name a line, a slash behind what has more below. */
function listing(value: Json): string {
  if (isArray(value)) return value.map((_, index) => `${index}/`).join('\n');
  if (!isObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => (typeof one === 'string' ? name : `${name}/`))
    .join('\n');
}

function failure(status: number, error: string): HttpReply {
  return json(status, { error });
}

function text(status: number, body: string): HttpReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function json(status: number, body: Json): HttpReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(body) };
}
