// The operations of a resource as OpenAPI writes them: enough for a client to find the type behind an address, the patches
// it takes and the options of a write. In: a served kind. Out: path items by path, in the dialect of version 2 or 3.
import type { JsonObject, MutableJsonObject } from '../json.ts';
import { apiVersionOf } from '../object.ts';
import type { Dialect } from './open-api-type.ts';
import type { GroupVersionKind } from './type-schema.ts';

export interface OpenApiKind extends GroupVersionKind {
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly {
    readonly name: string;
    readonly verbs: readonly string[];
    readonly kind?: GroupVersionKind;
  }[];
  readonly custom?: unknown;
}

/** The name under which documents define a kind's type; undefined when they do not. */
export type TypeNames = (kind: GroupVersionKind) => string | undefined;

interface Endpoint {
  readonly path: string;
  readonly kind: GroupVersionKind;
  /** Of what the endpoint answers, where that is a list. */
  readonly listKind?: string;
  readonly verbs: readonly string[];
  readonly custom: boolean;
}

const options = ['dryRun', 'fieldManager', 'fieldValidation'];

interface Method {
  readonly method: string;
  readonly verb: string;
  readonly action: string;
  readonly parameters: readonly string[];
  readonly hasBody: boolean;
}

const listParameters = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];

const collectionMethods: readonly Method[] = [
  { method: 'get', verb: 'list', action: 'list', parameters: listParameters, hasBody: false },
  { method: 'post', verb: 'create', action: 'post', parameters: options, hasBody: true },
  {
    method: 'delete',
    verb: 'deletecollection',
    action: 'deletecollection',
    parameters: ['dryRun', 'fieldSelector', 'labelSelector', 'propagationPolicy'],
    hasBody: false,
  },
];

const objectMethods: readonly Method[] = [
  { method: 'get', verb: 'get', action: 'get', parameters: [], hasBody: false },
  { method: 'put', verb: 'update', action: 'put', parameters: options, hasBody: true },
  {
    method: 'patch',
    verb: 'patch',
    action: 'patch',
    parameters: [...options, 'force'],
    hasBody: true,
  },
  {
    method: 'delete',
    verb: 'delete',
    action: 'delete',
    parameters: ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'],
    hasBody: false,
  },
];

/** Subresources that are made rather than changed, such as bindings and evictions. */
const makingMethods: readonly Method[] = collectionMethods.filter(({ verb }) => verb === 'create');

export function pathsOf(kind: OpenApiKind, dialect: Dialect, names: TypeNames): JsonObject {
  const apiVersion = apiVersionOf(kind.group, kind.version);
  const root = kind.group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const home = kind.namespaced
    ? `${root}/namespaces/{namespace}/${kind.plural}`
    : `${root}/${kind.plural}`;
  const custom = kind.custom !== undefined;
  const gvk = { group: kind.group, version: kind.version, kind: kind.kind };
  const { listKind, verbs } = kind;
  const paths: MutableJsonObject = {};
  const add = (endpoint: Endpoint, methods: readonly Method[]): void => {
    const item = pathItem(endpoint, methods, { dialect, names });
    if (item !== undefined) paths[endpoint.path] = item;
  };
  add({ path: home, kind: gvk, listKind, verbs, custom }, collectionMethods);
  if (kind.namespaced) {
    const everywhere = { path: `${root}/${kind.plural}`, kind: gvk, listKind, custom };
    add({ ...everywhere, verbs: verbs.filter((verb) => verb === 'list') }, collectionMethods);
  }
  add({ path: `${home}/{name}`, kind: gvk, verbs, custom }, objectMethods);
  for (const subresource of kind.subresources) {
    const endpoint = {
      path: `${home}/{name}/${subresource.name}`,
      kind: subresource.kind ?? gvk,
      verbs: subresource.verbs,
      custom,
    };
    add(endpoint, [...objectMethods.filter(({ verb }) => verb !== 'delete'), ...makingMethods]);
  }
  return paths;
}

interface Writing {
  readonly dialect: Dialect;
  readonly names: TypeNames;
}

function pathItem(
  endpoint: Endpoint,
  methods: readonly Method[],
  writing: Writing,
): JsonObject | undefined {
  const served = methods.filter(({ verb }) => endpoint.verbs.includes(verb));
  if (served.length === 0) return undefined;
  const operations = served.map((method) => [method.method, operation(endpoint, method, writing)]);
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter({ name, in: 'path', required: true }, writing.dialect),
  );
  return {
    ...(Object.fromEntries(operations) as JsonObject),
    ...(inPath.length > 0 && { parameters: inPath }),
  };
}

function operation(endpoint: Endpoint, method: Method, writing: Writing): JsonObject {
  const { kind } = endpoint;
  const { dialect } = writing;
  const answered =
    endpoint.listKind !== undefined && method.verb === 'list'
      ? { ...kind, kind: endpoint.listKind }
      : kind;
  const parameters = method.parameters.map((name) => parameter({ name, in: 'query' }, dialect));
  const body = method.hasBody ? requestBody(endpoint, method, writing) : {};
  const { parameters: bodyParameters = [], ...rest } = body as {
    readonly parameters?: readonly JsonObject[];
  };
  return {
    operationId: `${method.action}${endpoint.path.replaceAll(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(dialect.version === 2 && { produces: ['application/json'] }),
    ...(parameters.length + bodyParameters.length > 0 && {
      parameters: [...parameters, ...bodyParameters],
    }),
    ...rest,
    responses: { '200': response(answered, writing), '401': { description: 'Unauthorized' } },
    'x-kubernetes-action': method.action,
    'x-kubernetes-group-version-kind': { ...kind },
  };
}

const booleans = new Set(['allowWatchBookmarks', 'force', 'sendInitialEvents', 'watch']);
const integers = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);

function parameter(
  facts: { readonly name: string; readonly in: string; readonly required?: boolean },
  dialect: Dialect,
): JsonObject {
  const type = booleans.has(facts.name)
    ? 'boolean'
    : integers.has(facts.name)
      ? 'integer'
      : 'string';
  const schema = { type, uniqueItems: true };
  return dialect.version === 3 ? { ...facts, schema } : { ...facts, ...schema };
}

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

const patchName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

/** Version 2 has the body among the parameters. */
function requestBody(endpoint: Endpoint, method: Method, writing: Writing): JsonObject {
  const isPatch = method.verb === 'patch';
  const name = isPatch ? patchName : writing.names(endpoint.kind);
  const schema = name === undefined ? {} : { $ref: `${writing.dialect.types}${name}` };
  // Custom resources know no strategic merge; clients learn it here.
  const media = isPatch ? patchTypes.slice(0, endpoint.custom ? 3 : 4) : ['*/*'];
  if (writing.dialect.version === 2) {
    return { consumes: media, parameters: [{ name: 'body', in: 'body', required: true, schema }] };
  }
  const content = Object.fromEntries(media.map((type) => [type, { schema }]));
  return { requestBody: { content, required: true } };
}

function response(kind: GroupVersionKind, writing: Writing): JsonObject {
  const name = writing.names(kind);
  if (name === undefined) return { description: 'OK' };
  const schema = { $ref: `${writing.dialect.types}${name}` };
  if (writing.dialect.version === 2) return { description: 'OK', schema };
  return { description: 'OK', content: { 'application/json': { schema } } };
}
