// Who is asking Resource Manager. In: the Authorization header. Out: the caller, or the 401 of the real front door,
// with the challenge that tells clients where to get a token.
import { numberAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { TokenIssuer } from '../entra/token-issuer.ts';
import { decodeToken } from '../entra/jwt.ts';
import { ArmError } from '../errors.ts';
import type { Caller } from './arm-call.ts';

export interface AuthenticationOptions {
  readonly tokens: TokenIssuer;
  /** Audiences that a token for Resource Manager may have. */
  readonly audiences: readonly string[];
  /** Where tokens are to be had, for the challenge. */
  readonly authority: string;
}

export function authenticate(
  authorization: string | undefined,
  options: AuthenticationOptions,
): Caller {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw unauthorized(options, 'AuthenticationFailed', missingHeader);
  }
  const claims = options.tokens.verify(token);
  if (typeof claims === 'string') throw refusal(token, claims, options);
  const audience = textAt(claims, 'aud');
  if (!options.audiences.includes(audience)) throw wrongAudience(audience, options);
  const objectId = textAt(claims, 'oid');
  return { objectId, tenantId: textAt(claims, 'tid'), name: textAt(claims, 'appid') };
}

const missingHeader = "Authentication failed. The 'Authorization' header is missing.";

function refusal(
  token: string,
  reason: 'malformed' | 'foreign' | 'expired' | 'early',
  options: AuthenticationOptions,
): ArmError {
  const claims = decodeToken(token)?.claims;
  if (reason === 'expired' && claims !== undefined) return expired(claims, options);
  const issuer = textAt(claims, 'iss');
  // Another tenant's token is not verified here, only recognized: it gets in nowhere.
  if (reason === 'foreign' && issuer !== '' && issuer !== options.tokens.issuer) {
    return wrongTenant(issuer, options);
  }
  return unauthorized(options, 'InvalidAuthenticationToken', 'The access token is invalid.');
}

function expired(claims: JsonObject, options: AuthenticationOptions): ArmError {
  const moment = new Date((numberAt(claims, 'exp') ?? 0) * 1000).toISOString();
  return unauthorized(
    options,
    'ExpiredAuthenticationToken',
    `The access token expiry UTC time '${moment}' is earlier than current UTC time.`,
  );
}

function wrongTenant(issuer: string, options: AuthenticationOptions): ArmError {
  return unauthorized(
    options,
    'InvalidAuthenticationTokenTenant',
    `The access token is from the wrong issuer '${issuer}'. It must match the tenant '${options.tokens.issuer}' associated with this subscription. Please use the authority (URL) '${options.authority}' to get the token. Note, if the subscription is transferred to another tenant there is no impact to the services, but information about new tenant could take time to propagate (up to an hour). If you just transferred your subscription and see this error message, please try back later.`,
  );
}

function wrongAudience(audience: string, options: AuthenticationOptions): ArmError {
  const allowed = options.audiences.map((one) => `'${one}'`).join(',');
  return unauthorized(
    options,
    'InvalidAuthenticationTokenAudience',
    `The access token has been obtained for wrong audience or resource '${audience}'. It should exactly match with one of the allowed audiences ${allowed}.`,
  );
}

function unauthorized(options: AuthenticationOptions, code: string, message: string): ArmError {
  const challenge = `Bearer authorization_uri="${options.authority}", error="invalid_token", error_description="${message.replaceAll('"', "'")}"`;
  return new ArmError(401, code, message, { headers: { 'www-authenticate': challenge } });
}
