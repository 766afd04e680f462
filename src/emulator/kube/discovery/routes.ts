// Everything that is not a resource: discovery, version, health, metrics, OpenAPI and the list of paths.
// In: a request whose path is no resource. Out: a reply; undefined when there is nothing at that path.
import type { HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import type { Json } from '../../../api/meta.ts';
import { negotiate } from '../http/negotiate.ts';
import { jsonReply, wantsPretty, type ReplyForm } from '../http/reply.ts';
import type { Registry } from '../registry/registry.ts';
import type { OpenApiDocuments } from '../schema/open-api.ts';
import { methodNotAllowedHere } from '../status-error.ts';
import {
  apiVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
  type AggregatedDiscovery,
} from './documents.ts';
import { healthReply, isHealthPath } from './health.ts';

export interface RouteOptions {
  readonly registry: Registry;
  readonly aggregated: AggregatedDiscovery;
  readonly openApi: OpenApiDocuments;
  readonly metrics: MetricsRegistry;
  /** Documents of others, by their whole paths. */
  readonly documents: () => ReadonlyMap<string, HttpReply>;
  readonly isReady: () => boolean;
}

const versionDocument: Json = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.4',
  gitCommit: 'unknown',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** Always spread over lines, whoever asks and however. */
const versionReply: HttpReply = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(versionDocument, null, 2),
};

const roots: ReadonlySet<string> = new Set(['api', 'apis']);

type Route = (
  options: RouteOptions,
  request: HttpRequest,
) => HttpReply | undefined | Promise<HttpReply>;

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['', (options, request) => document(request, { paths: pathsOf(options) })],
  ['version', () => versionReply],
  ['metrics', ({ metrics }) => metricsReply(metrics)],
  ['openapi', ({ openApi }, request) => openApiReply(openApi, request)],
]);

export async function routePath(
  options: RouteOptions,
  request: HttpRequest,
): Promise<HttpReply | undefined> {
  const path = request.path.replace(/(?<=.)\/+$/, '');
  if (isHealthPath(path)) return healthReply(path, request.query, options.isReady());
  const route = routeAt(options, path);
  if (route === undefined) return undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !answersAnyMethod(path)) throw methodNotAllowedHere();
  return route(options, request);
}

/** The lists of groups and paths are not asked how they are asked for. */
function answersAnyMethod(path: string): boolean {
  return path === '/' || /^\/apis(?:\/[^/]+)?$/.test(path);
}

function routeAt(options: RouteOptions, path: string): Route | undefined {
  const found = options.documents().get(path);
  if (found !== undefined) return () => found;
  const [, root = '', group = '', version = ''] = path.split('/');
  if (!roots.has(root)) return routes.get(root);
  return (_, request) =>
    discoveryReply(options, request, { root, group, version, isList: group === '' });
}

function formOf(request: HttpRequest): ReplyForm {
  const { encoding } = negotiate(request.headers['accept'], { offered: ['object'] });
  return { encoding, isPretty: wantsPretty(request.query, request.headers['user-agent']) };
}

function document(request: HttpRequest, body: Json): HttpReply {
  return jsonReply(200, JSON.stringify(body), formOf(request));
}

interface DiscoveryPath {
  readonly root: string;
  readonly group: string;
  readonly version: string;
  readonly isList: boolean;
}

function discoveryReply(
  options: RouteOptions,
  request: HttpRequest,
  path: DiscoveryPath,
): HttpReply | undefined {
  const { registry } = options;
  if (path.isList) {
    const root = path.root === 'api' ? 'api' : 'apis';
    const { aggregated } = negotiate(request.headers['accept'], { offered: ['object'] });
    if (aggregated !== undefined) return aggregatedReply(options, request, { root, aggregated });
    const address = request.headers['host'] ?? '127.0.0.1';
    return document(
      request,
      root === 'api' ? apiVersionsDocument(address) : groupListDocument(registry),
    );
  }
  const body = bodyOf(registry, path);
  return body === undefined ? undefined : document(request, body);
}

function bodyOf(registry: Registry, { root, group, version }: DiscoveryPath): Json | undefined {
  if (root === 'api') return version === '' ? resourceListDocument(registry, '', group) : undefined;
  return version === ''
    ? groupDocument(registry, group)
    : resourceListDocument(registry, group, version);
}

function aggregatedReply(
  options: RouteOptions,
  request: HttpRequest,
  wanted: { readonly root: 'api' | 'apis'; readonly aggregated: 'v2' | 'v2beta1' },
): HttpReply {
  const { text, etag } = options.aggregated.document(wanted.root, wanted.aggregated);
  const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers };
  const form = `application/json;g=apidiscovery.k8s.io;v=${wanted.aggregated};as=APIGroupDiscoveryList`;
  return jsonReply(200, text, formOf(request), { ...headers, 'content-type': form });
}

async function metricsReply(metrics: MetricsRegistry): Promise<HttpReply> {
  return {
    status: 200,
    headers: { 'content-type': metrics.contentType },
    body: await metrics.text(),
  };
}

function openApiReply(openApi: OpenApiDocuments, request: HttpRequest): HttpReply {
  const query = request.query.toString();
  const match = request.headers['if-none-match'];
  return openApi.answer({
    path: query === '' ? request.path : `${request.path}?${query}`,
    accept: request.headers['accept'] ?? '',
    ...(match === undefined ? {} : { ifNoneMatch: match }),
  });
}

function pathsOf({ registry, documents }: RouteOptions): readonly string[] {
  const groups = registry.groups.flatMap(({ group, versions }) =>
    group === ''
      ? ['/api', '/api/v1']
      : [`/apis/${group}`, ...versions.map(({ version }) => `/apis/${group}/${version}`)],
  );
  const own = [
    '/apis',
    '/apis/',
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/readyz',
    '/version',
  ];
  return [...groups, ...own, ...documents().keys()].toSorted();
}
