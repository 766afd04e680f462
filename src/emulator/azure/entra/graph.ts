// Microsoft Graph as far as tools look principals up to give them roles. In: a filter by name or id, or a list of
// ids. Out: the service principals and users that the directory has. Everything else of Graph is not here and says
// so.
import type { HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { Json } from '../../../api/meta.ts';
import { listAt, textAt, type JsonObject } from '../../kube/json.ts';
import { looseJson } from '../arm/loose-json.ts';
import type { Directory, Principal } from './directory.ts';
import type { TokenIssuer } from './token-issuer.ts';

export interface GraphOptions {
  readonly directory: Directory;
  readonly tokens: TokenIssuer;
  readonly isGraphAudience: (audience: string) => boolean;
}

const version = '/v1.0/';

export function isGraphPath(path: string): boolean {
  return path.startsWith(version);
}

export async function graphReply(request: HttpRequest, options: GraphOptions): Promise<HttpReply> {
  if (!isLetIn(request, options)) {
    return failure(401, 'InvalidAuthenticationToken', 'Access token validation failure.');
  }
  const { directory } = options;
  if (request.method === 'POST' && request.path === `${version}directoryObjects/getByIds`) {
    const body = looseJson(Buffer.from(await request.body()).toString());
    return body === undefined
      ? failure(400, 'BadRequest', 'No JSON.')
      : byIds(directory, body.value);
  }
  return read(request, directory);
}

function isLetIn({ headers }: HttpRequest, { tokens, isGraphAudience }: GraphOptions): boolean {
  const token = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const claims = tokens.verify(token);
  return typeof claims !== 'string' && isGraphAudience(textAt(claims, 'aud'));
}

function read({ method, path, query }: HttpRequest, directory: Directory): HttpReply {
  const [collection = '', id, ...rest] = path.slice(version.length).split('/');
  const kinds = collections[collection];
  if (method !== 'GET' || kinds === undefined || rest.length > 0) {
    return failure(400, 'BadRequest', `Resource not found for the segment '${collection}'.`);
  }
  const all = directory.all().filter(({ kind }) => kinds.includes(kind));
  return id === undefined ? listed(all, query.get('$filter') ?? '') : single(all, id);
}

const collections: Readonly<Record<string, readonly Principal['kind'][]>> = {
  servicePrincipals: ['Application', 'ManagedIdentity'],
  users: ['User'],
};

/** The filters that tools send: by application id or name, by id, by display name. */
const filters: readonly (readonly [RegExp, (one: Principal, value: string) => boolean])[] = [
  [
    /^servicePrincipalNames\/any\(\s*c:\s*c eq '([^']*)'\s*\)$/i,
    (one, value) => isSame(one.clientId, value) || isSame(one.displayName, value),
  ],
  [/^appId eq '([^']*)'$/i, (one, value) => isSame(one.clientId, value)],
  [/^id eq '([^']*)'$/i, (one, value) => isSame(one.objectId, value)],
  [/^displayName eq '([^']*)'$/i, (one, value) => isSame(one.displayName, value)],
  [/^userPrincipalName eq '([^']*)'$/i, (one, value) => isSame(one.displayName, value)],
];

function listed(all: readonly Principal[], filter: string): HttpReply {
  if (filter === '') return json(200, { value: all.map((one) => shown(one)) });
  for (const [pattern, test] of filters) {
    const value = pattern.exec(filter.trim())?.[1];
    if (value === undefined) continue;
    return json(200, { value: all.filter((one) => test(one, value)).map((one) => shown(one)) });
  }
  return failure(400, 'Request_UnsupportedQuery', `Unsupported query filter: ${filter}`);
}

function single(all: readonly Principal[], id: string): HttpReply {
  const found = all.find(({ objectId }) => isSame(objectId, id));
  return found === undefined
    ? failure(
        404,
        'Request_ResourceNotFound',
        `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
      )
    : json(200, shown(found));
}

function byIds(directory: Directory, body: Json): HttpReply {
  const found = listAt(body, 'ids')
    .map((id) => (typeof id === 'string' ? directory.byObjectId(id) : undefined))
    .filter((one) => one !== undefined);
  return json(200, { value: found.map((one) => shown(one)) });
}

function shown({ objectId, clientId, displayName, kind }: Principal): JsonObject {
  if (kind === 'User') {
    const type = '#microsoft.graph.user';
    return { '@odata.type': type, id: objectId, displayName, userPrincipalName: displayName };
  }
  return {
    '@odata.type': '#microsoft.graph.servicePrincipal',
    id: objectId,
    appId: clientId,
    displayName,
    servicePrincipalType: kind,
    servicePrincipalNames: [clientId],
  };
}

function failure(status: number, code: string, message: string): HttpReply {
  return json(status, { error: { code, message } });
}

function json(status: number, body: JsonObject): HttpReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(body) };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
