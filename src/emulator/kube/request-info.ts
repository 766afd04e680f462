// What a request is about, read from its method, path and query as the real server reads them. In: the bare
// request. Out: a resource with a verb, or a path that is no resource.

export interface ResourceRequest {
  readonly isResource: true;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource, as in `…/proxy/a/b`. */
  readonly rest: readonly string[];
  readonly path: string;
  /** As sent with a list, a watch or a deletion of many; empty everywhere else. */
  readonly fieldSelector: string;
}

export interface PathRequest {
  readonly isResource: false;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export type RequestInfo = ResourceRequest | PathRequest;

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const selectingVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** Below a namespace these are parts of the namespace itself. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

export function requestInfo(request: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}): RequestInfo {
  const { method, path } = request;
  const address = addressOf(decodedParts(path));
  if (address === undefined) return { isResource: false, verb: method.toLowerCase(), path };
  const { group, version, parts } = address;
  // The old way to ask for a watch: a path segment before the resource.
  const isLegacyWatch = parts[0] === 'watch' && parts.length > 1;
  const place = placeOf(isLegacyWatch ? parts.slice(1) : parts);
  const verb = isLegacyWatch ? 'watch' : verbOf(method, place.name, request.query);
  // The old watch has an endpoint for one object and one for many, and its selectors are not judged.
  const isSelecting = !isLegacyWatch && selectingVerbs.has(verb);
  const fieldSelector = isSelecting ? (request.query.get('fieldSelector') ?? '') : '';
  return { isResource: true, verb, group, version, ...place, path, fieldSelector };
}

interface Address {
  readonly group: string;
  readonly version: string;
  /** What follows group and version: at least a resource. */
  readonly parts: readonly string[];
}

function addressOf(all: readonly string[]): Address | undefined {
  const [root, first = '', second = ''] = all;
  if (root === 'api' && all.length > 2) return { group: '', version: first, parts: all.slice(2) };
  if (root !== 'apis' || all.length < 4) return undefined;
  return { group: first, version: second, parts: all.slice(3) };
}

/** Decoded first and split then: an encoded slash parts like any other. */
function decodedParts(path: string): readonly string[] {
  const parts = decoded(path)
    .replaceAll(/^\/+|\/+$/g, '')
    .split('/');
  return parts.length === 1 && parts[0] === '' ? [] : parts;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Bytes that are no text are looked up all the same, and not found.
    const bytes = path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
}

interface Place {
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly rest: readonly string[];
}

function placeOf(parts: readonly string[]): Place {
  const [head = '', second = '', third = ''] = parts;
  const isNamespace = head === 'namespaces';
  const isInside = isNamespace && parts.length > 2 && !namespaceSubresources.has(third);
  const place = isInside ? parts.slice(2) : parts;
  const part = (index: number): string => place[index] ?? '';
  return {
    // A namespace is in itself: that is how rules about its content reach it.
    namespace: isNamespace ? second : '',
    resource: part(0),
    name: part(1),
    subresource: part(2),
    rest: place.slice(3),
  };
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = verbs[method] ?? '';
  if (name !== '') return verb;
  if (verb === 'delete') return 'deletecollection';
  if (verb !== 'get') return verb;
  const watch = query.get('watch');
  return watch !== null && watch !== '0' && watch !== 'false' ? 'watch' : 'list';
}
