// How Entra says no: an OAuth error with an AADSTS number, worded as the real service words it. In: what was asked for.
// Out: an EntraError that the handler turns into its JSON.

export class EntraError extends Error {
  readonly status: number;
  readonly error: string;
  readonly number: number;

  constructor(parts: {
    readonly error: string;
    readonly number: number;
    readonly text: string;
    readonly status?: number;
  }) {
    super(`AADSTS${parts.number}: ${parts.text}`);
    this.name = 'EntraError';
    this.status = parts.status ?? 400;
    this.error = parts.error;
    this.number = parts.number;
  }
}

export function missingParameter(name: string): EntraError {
  return new EntraError({
    error: 'invalid_request',
    number: 900144,
    text: `The request body must contain the following parameter: '${name}'.`,
  });
}

export function tenantNotFound(tenant: string): EntraError {
  return new EntraError({
    error: 'invalid_request',
    number: 90002,
    text: `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  });
}

export function unsupportedGrant(grant: string): EntraError {
  return new EntraError({
    error: 'unsupported_grant_type',
    number: 70003,
    text: `The app requested an unsupported grant type '${grant}'.`,
  });
}

export function applicationNotFound(clientId: string, tenant: string): EntraError {
  return new EntraError({
    error: 'unauthorized_client',
    number: 700016,
    text: `Application with identifier '${clientId}' was not found in the directory '${tenant}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
  });
}

export function invalidSecret(clientId: string): EntraError {
  return new EntraError({
    error: 'invalid_client',
    number: 7000215,
    status: 401,
    text: `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${clientId}'.`,
  });
}

export function missingCredential(): EntraError {
  return new EntraError({
    error: 'invalid_client',
    number: 7000218,
    status: 401,
    text: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  });
}

export function invalidAssertion(number: number, text: string): EntraError {
  return new EntraError({ error: 'invalid_client', number, status: 401, text });
}

export function invalidScope(scope: string): EntraError {
  return new EntraError({
    error: 'invalid_scope',
    number: 1002012,
    text: `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
  });
}

export function resourceNotFound(resource: string, tenant: string): EntraError {
  return new EntraError({
    error: 'invalid_resource',
    number: 500011,
    text: `The resource principal named ${resource} was not found in the tenant named ${tenant}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.`,
  });
}
