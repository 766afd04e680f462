// Microsoft Entra as far as programs log in to it. In: HTTP requests. Out: discovery documents, keys and tokens; what
// needs a person (device code, a browser) is refused the way a tenant refuses an application that it does not have.
import type { Clock } from '../../../base/clock.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { Random } from '../../../base/random.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { provenClient, type IssuerKeys } from './client-proof.ts';
import type { Directory } from './directory.ts';
import {
  applicationNotFound,
  EntraError,
  invalidScope,
  missingParameter,
  resourceNotFound,
  tenantNotFound,
  unsupportedGrant,
} from './entra-error.ts';
import { graphReply, isGraphPath } from './graph.ts';
import type { TokenIssuer } from './token-issuer.ts';

export interface EntraOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly directory: Directory;
  readonly tokens: TokenIssuer;
  readonly issuerKeys: IssuerKeys;
  /** What links begin with when a request does not say which host it was sent to. */
  readonly url: () => string;
  /** Resources that tokens can be had for. */
  readonly isAudience: (resource: string) => boolean;
  /** Those of them that are Graph. */
  readonly isGraphAudience: (resource: string) => boolean;
}

interface Ask {
  readonly tenant: string;
  readonly baseUrl: string;
  readonly form: URLSearchParams;
}

type Endpoint = (ask: Ask, options: EntraOptions) => object;

/** By what follows the tenant. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET v2.0/.well-known/openid-configuration': configuration,
  'GET .well-known/openid-configuration': configuration,
  'GET discovery/v2.0/keys': (_, { tokens }) => ({ keys: tokens.publicKeys }),
  'GET discovery/keys': (_, { tokens }) => ({ keys: tokens.publicKeys }),
  'GET discovery/instance': instanceDiscovery,
  'POST oauth2/v2.0/token': grantToken,
  'POST oauth2/token': grantToken,
  'POST oauth2/v2.0/devicecode': refuseInteractive,
  'GET oauth2/v2.0/authorize': refuseInteractive,
};

/** Names under which a client may ask before it knows its tenant. */
const sharedTenants = new Set(['common', 'organizations']);

export function createEntraHandler(options: EntraOptions): HttpHandler {
  return async (request) => {
    try {
      return await answer(request, options);
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      return json(error.status, errorBody(error, options));
    }
  };
}

async function answer(request: HttpRequest, options: EntraOptions): Promise<HttpReply> {
  if (isGraphPath(request.path)) return await graphReply(request, options);
  const [tenant = '', ...rest] = request.path.split('/').filter((segment) => segment !== '');
  const endpoint = endpoints[`${request.method} ${rest.join('/')}`];
  if (endpoint === undefined) return json(404, { error: 'not_found' });
  if (!isTenant(tenant, options)) throw tenantNotFound(tenant);
  const { host } = request.headers;
  const baseUrl = host === undefined ? options.url() : `https://${host}`;
  const form =
    request.method === 'POST'
      ? new URLSearchParams(Buffer.from(await request.body()).toString())
      : request.query;
  return json(200, endpoint({ tenant, baseUrl, form }, options));
}

function isTenant(tenant: string, options: EntraOptions): boolean {
  return tenant.toLowerCase() === options.tokens.tenantId || sharedTenants.has(tenant);
}

function configuration({ tenant, baseUrl }: Ask, { tokens }: EntraOptions): object {
  const place = `${baseUrl}/${tenant}`;
  return {
    token_endpoint: `${place}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: [
      'client_secret_post',
      'private_key_jwt',
      'client_secret_basic',
    ],
    jwks_uri: `${place}/discovery/v2.0/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer: `${baseUrl}/${tokens.tenantId}/v2.0`,
    authorization_endpoint: `${place}/oauth2/v2.0/authorize`,
    device_authorization_endpoint: `${place}/oauth2/v2.0/devicecode`,
    tenant_region_scope: null,
    cloud_instance_name: new URL(baseUrl).host,
  };
}

function instanceDiscovery({ baseUrl, tenant }: Ask): object {
  const { host } = new URL(baseUrl);
  return {
    tenant_discovery_endpoint: `${baseUrl}/${tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}

function grantToken({ form }: Ask, options: EntraOptions): object {
  const grant = form.get('grant_type');
  if (grant === null) throw missingParameter('grant_type');
  if (grant !== 'client_credentials') throw unsupportedGrant(grant);
  const principal = provenClient(form, { ...options, tenantId: options.tokens.tenantId });
  const audience = audienceOf(form);
  if (!options.isAudience(audience)) throw resourceNotFound(audience, options.tokens.tenantId);
  const { token, ...times } = options.tokens.issue(principal, audience);
  const isVersion1 = form.has('resource');
  return {
    token_type: 'Bearer',
    expires_in: isVersion1 ? String(times.expiresInSeconds) : times.expiresInSeconds,
    ext_expires_in: isVersion1 ? String(times.expiresInSeconds) : times.expiresInSeconds,
    ...(isVersion1
      ? {
          expires_on: String(times.expiresOnSeconds),
          not_before: String(times.notBeforeSeconds),
          resource: audience,
        }
      : {}),
    access_token: token,
  };
}

/** Version 1 names a resource, version 2 a scope that is the resource with `/.default`. */
function audienceOf(form: URLSearchParams): string {
  const resource = form.get('resource');
  if (resource !== null) return resource;
  const scope = form.get('scope');
  if (scope === null) throw missingParameter('scope');
  const scopes = scope.split(' ').filter((part) => !/^(openid|profile|offline_access)$/.test(part));
  const [only, ...others] = scopes;
  if (only === undefined || others.length > 0 || !only.endsWith('/.default')) {
    throw invalidScope(scope);
  }
  return only.slice(0, -'/.default'.length);
}

function refuseInteractive({ form }: Ask, { tokens }: EntraOptions): never {
  const clientId = form.get('client_id');
  if (clientId === null) throw missingParameter('client_id');
  throw applicationNotFound(clientId, tokens.tenantId);
}

function errorBody(error: EntraError, { clock, random }: EntraOptions): object {
  const trace = randomUuid(random);
  const correlation = randomUuid(random);
  const moment = new Date(clock.now()).toISOString();
  const timestamp = `${moment.slice(0, 10)} ${moment.slice(11, 19)}Z`;
  return {
    error: error.error,
    error_description: `${error.message} Trace ID: ${trace} Correlation ID: ${correlation} Timestamp: ${timestamp}`,
    error_codes: [error.number],
    timestamp,
    trace_id: trace,
    correlation_id: correlation,
  };
}

function json(status: number, body: object): HttpReply {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  return { status, headers, body: JSON.stringify(body) };
}
