// Tokens for what runs on Azure itself, without a secret: the endpoint of a VM's metadata service, and the one that
// App Service style hosts give by environment variable. In: the identities of the machine that asks. Out: a handler
// for plain HTTP. One handler belongs to one machine, because in Azure the address alone decides whom one is talking
// to.
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { Principal } from './directory.ts';
import { managedLifetimeSeconds, type TokenIssuer } from './token-issuer.ts';

export interface MachineIdentity {
  readonly tokens: TokenIssuer;
  /** The identities assigned now, the default one first. */
  readonly principals: () => readonly Principal[];
}

const imdsVersions = new Set([
  '2018-02-01',
  '2019-08-01',
  '2019-08-15',
  '2020-06-01',
  '2021-02-01',
]);

/** `GET /metadata/identity/oauth2/token` with the header `Metadata: true`. */
export function createMetadataHandler(machine: MachineIdentity): HttpHandler {
  return (request) => {
    if (request.path !== '/metadata/identity/oauth2/token') return failure(404, 'not_found', '');
    if (request.headers['metadata']?.toLowerCase() !== 'true') {
      return failure(400, 'bad_request_102', 'Required metadata header not specified');
    }
    const version = request.query.get('api-version');
    if (version === null || !imdsVersions.has(version)) {
      return failure(400, 'invalid_request', 'Required query variable api-version is missing');
    }
    return tokenReply(machine, request);
  };
}

/** What IDENTITY_ENDPOINT names; the header carries IDENTITY_HEADER. */
export function createIdentityEndpoint(machine: MachineIdentity, secret: string): HttpHandler {
  return (request) => {
    if (request.headers['x-identity-header'] !== secret) {
      return failure(401, 'unauthorized_client', 'Invalid value for X-IDENTITY-HEADER.');
    }
    return tokenReply(machine, request);
  };
}

function tokenReply(machine: MachineIdentity, { query }: HttpRequest): HttpReply {
  const resource = query.get('resource');
  if (resource === null) {
    return failure(400, 'invalid_request', 'Required query variable resource is missing');
  }
  const principal = choose(machine.principals(), query);
  if (principal === undefined) return failure(400, 'invalid_request', 'Identity not found');
  const issued = machine.tokens.issue(principal, resource, {
    lifetimeSeconds: managedLifetimeSeconds,
  });
  return json(200, {
    access_token: issued.token,
    client_id: principal.clientId,
    expires_in: String(issued.expiresInSeconds),
    expires_on: String(issued.expiresOnSeconds),
    ext_expires_in: String(issued.expiresInSeconds),
    not_before: String(issued.notBeforeSeconds),
    resource,
    token_type: 'Bearer',
  });
}

function choose(principals: readonly Principal[], query: URLSearchParams): Principal | undefined {
  const clientId = query.get('client_id');
  const objectId = query.get('object_id') ?? query.get('principal_id');
  const resourceId = query.get('msi_res_id') ?? query.get('mi_res_id');
  if (clientId !== null) return principals.find((one) => isSame(one.clientId, clientId));
  if (objectId !== null) return principals.find((one) => isSame(one.objectId, objectId));
  if (resourceId !== null) {
    return principals.find((one) => isSame(one.resourceId ?? '', resourceId));
  }
  return principals[0];
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function failure(status: number, error: string, description: string): HttpReply {
  return json(status, { error, error_description: description });
}

function json(status: number, body: object): HttpReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(body) };
}
