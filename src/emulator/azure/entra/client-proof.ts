// Proof that a client is who it says: a secret, an assertion signed with its certificate, or a token of an issuer
// that it trusts (workload identity). In: the form of a token request. Out: the principal, or an EntraError with
// Entra's number.
import {
  createHash,
  timingSafeEqual,
  X509Certificate,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { at, isArray, numberAt, stringAt, type JsonObject } from '../../kube/json.ts';
import type { Directory, FederatedCredential, Principal } from './directory.ts';
import {
  applicationNotFound,
  invalidAssertion,
  invalidSecret,
  missingCredential,
  missingParameter,
} from './entra-error.ts';
import { decodeToken, isSignedBy, isSignedByKey, type DecodedToken } from './jwt.ts';

/** The public keys of an issuer of federated tokens; undefined when it cannot be reached. */
export type IssuerKeys = (issuer: string) => readonly JsonWebKey[] | undefined;

export interface ProofContext {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly issuerKeys: IssuerKeys;
  readonly tenantId: string;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export function provenClient(form: URLSearchParams, context: ProofContext): Principal {
  const clientId = form.get('client_id');
  if (clientId === null) throw missingParameter('client_id');
  const principal = context.directory.byClientId(clientId);
  if (principal === undefined) throw applicationNotFound(clientId, context.tenantId);
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  if (secret !== null) return checkSecret(principal, secret);
  if (assertion === null) throw missingCredential();
  if (form.get('client_assertion_type') !== assertionType) {
    throw missingParameter('client_assertion_type');
  }
  return checkAssertion(principal, assertion, context);
}

function checkSecret(principal: Principal, secret: string): Principal {
  const isKnown = (principal.secrets ?? []).some((known) => isEqual(known, secret));
  if (!isKnown) throw invalidSecret(principal.clientId);
  return principal;
}

function checkAssertion(principal: Principal, assertion: string, context: ProofContext): Principal {
  const token = decodeToken(assertion);
  if (token === undefined) {
    throw invalidAssertion(50027, 'JWT token is invalid or malformed.');
  }
  checkTime(token.claims, context.clock);
  // An application that signs for itself is its own issuer.
  if (stringAt(token.claims, 'iss') === principal.clientId) checkCertificate(principal, token);
  else checkFederated(principal, token, context);
  return principal;
}

function checkTime(claims: JsonObject, clock: Clock): void {
  const nowSeconds = clock.now() / 1000;
  const expires = numberAt(claims, 'exp') ?? 0;
  const begins = numberAt(claims, 'nbf') ?? 0;
  if (expires > nowSeconds && begins <= nowSeconds + 300) return;
  // A claim may be any number; a date may not.
  const moment = (seconds: number): string =>
    new Date(Math.max(0, Math.min(seconds * 1000, 8.64e15))).toISOString();
  throw invalidAssertion(
    700024,
    `Client assertion is not within its valid time range. Current time: ${moment(nowSeconds)}, assertion valid from ${moment(begins)}, expiry time of assertion ${moment(expires)}.`,
  );
}

function checkCertificate(principal: Principal, token: DecodedToken): void {
  const thumbprint = thumbprintOf(token);
  const key = certificateKey(principal, thumbprint);
  if (key === undefined) {
    throw invalidAssertion(
      700027,
      `The certificate with identifier used to sign the client assertion is not registered on application. [Reason - The key was not found., Thumbprint of key used by client: '${thumbprint}'].`,
    );
  }
  if (!isSignedByKey(token, key)) {
    throw invalidAssertion(700027, 'Client assertion failed signature validation.');
  }
}

/** Clients name their certificate by SHA-1 (`x5t`) or SHA-256 (`x5t#S256`). */
function thumbprintOf({ header }: DecodedToken): string {
  const encoded = stringAt(header, 'x5t') ?? stringAt(header, 'x5t#S256') ?? '';
  return Buffer.from(encoded, 'base64url').toString('hex').toUpperCase();
}

function certificateKey(principal: Principal, thumbprint: string): KeyObject | undefined {
  const certificates = (principal.certificates ?? []).map((pem) => new X509Certificate(pem));
  return certificates.find(({ fingerprint, fingerprint256 }) =>
    [fingerprint, fingerprint256].some((one) => one.replaceAll(':', '') === thumbprint),
  )?.publicKey;
}

function checkFederated(principal: Principal, token: DecodedToken, context: ProofContext): void {
  const issuer = stringAt(token.claims, 'iss') ?? '';
  const subject = stringAt(token.claims, 'sub') ?? '';
  const trusted = principal.federated ?? [];
  const ofIssuer = trusted.filter((credential) => credential.issuer === issuer);
  if (ofIssuer.length === 0) throw noRecord(700211, 'issuer', issuer);
  const ofSubject = ofIssuer.filter((credential) => credential.subject === subject);
  if (ofSubject.length === 0) throw noRecord(700213, 'subject', subject);
  if (!ofSubject.some((credential) => hasAudience(credential, token.claims))) {
    throw noRecord(700212, 'audience', audiencesOf(token.claims).join(','));
  }
  const keys = context.issuerKeys(issuer);
  if (keys === undefined) {
    throw invalidAssertion(50166, `Request to External OIDC endpoint failed. Issuer: '${issuer}'.`);
  }
  if (!isSignedBy(token, keys)) {
    throw invalidAssertion(700027, 'Client assertion failed signature validation.');
  }
}

function noRecord(number: number, what: string, value: string): Error {
  return invalidAssertion(
    number,
    `No matching federated identity record found for presented assertion ${what} '${value}'. Check your federated identity credential Subject, Audience and Issuer against the presented assertion. https://learn.microsoft.com/entra/workload-id/workload-identity-federation`,
  );
}

function hasAudience(credential: FederatedCredential, claims: JsonObject): boolean {
  return audiencesOf(claims).some((audience) => credential.audiences.includes(audience));
}

function audiencesOf(claims: JsonObject): string[] {
  const audience = at(claims, 'aud');
  const list = isArray(audience) ? audience : [audience];
  return list.filter((item) => typeof item === 'string');
}

/** In time that does not depend on where the texts differ. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
