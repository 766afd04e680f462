// Makes tokens of service accounts: the `token` subresource. In: a TokenRequest. Out: the same with a token.
// 1. A token is never made for a pod, node or secret that does not exist, nor for a pod of another account.
// 2. A token of a pod that asks for the usual hour, for this server, lives a year and warns after the hour: clients that
//    read their token once are many.
import { toTimestamp, type Clock } from '../../../../base/clock.ts';
import { invalid } from '../../field-error.ts';
import { listAt, numberAt, objectAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { Authorizer, VirtualCreate } from '../../ports.ts';
import { badRequest, conflict, invalidObject, notFound } from '../../status-error.ts';
import { checkNodeTokenRequest } from '../admission/node-token-request.ts';
import type { ServiceAccountTokens } from '../authentication/service-account-tokens.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';
import { bindToken } from './token-binding.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const shortestSeconds = 600;
const longestSeconds = 2 ** 32;
const usualSeconds = 3600;
/** What the admission of pods writes into their token volumes; nobody else asks for just this. */
const podVolumeSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

export interface TokenRequestOptions {
  readonly tokens: ServiceAccountTokens;
  readonly objects: StoredObjects;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

export function tokenRequests(options: TokenRequestOptions): VirtualCreate {
  return ({ context, object, namespace, name }) => {
    checkPlace(object, namespace, name);
    checkNodeTokenRequest(options, { user: context.user, namespace, account: name, object });
    const account = options.objects.get(tables.serviceAccounts, keyOf(namespace, name));
    if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
    checkUid(object, account);
    return grant(options, account, object);
  };
}

function grant(options: TokenRequestOptions, account: ApiObject, asked: JsonObject): ApiObject {
  const { tokens, objects, clock } = options;
  const named = listAt(asked, 'spec', 'audiences').map(String);
  const audiences = named.length === 0 ? tokens.audiences : named;
  const seconds = numberAt(asked, 'spec', 'expirationSeconds') ?? usualSeconds;
  checkLifetime(seconds);
  const reference = objectAt(asked, 'spec', 'boundObjectRef');
  const bindings = reference === undefined ? {} : bindToken(objects, account, reference);
  const isExtended =
    bindings.pod !== undefined &&
    seconds === podVolumeSeconds &&
    audiences.every((audience) => tokens.audiences.includes(audience));
  const lifetime = isExtended
    ? { lifetimeSeconds: extendedSeconds, warnAfterSeconds: seconds }
    : { lifetimeSeconds: seconds };
  const token = tokens.issue({ account, ...bindings }, { audiences, ...lifetime });
  const nowMs = clock.now();
  const { name, namespace = '', uid = '' } = account.metadata;
  return {
    apiVersion: `${kind.group}/v1`,
    kind: kind.kind,
    metadata: { name, namespace, uid, creationTimestamp: toTimestamp(nowMs) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
    status: { token, expirationTimestamp: toTimestamp(nowMs + seconds * 1000) },
  };
}

function checkPlace(object: JsonObject, namespace: string, name: string): void {
  const ownName = stringAt(object, 'metadata', 'name') ?? '';
  const ownNamespace = stringAt(object, 'metadata', 'namespace') ?? '';
  if (ownNamespace !== '' && ownNamespace !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  if (ownName === '' || ownName === name) return;
  const rule = 'must match the service account name if specified';
  throw invalidObject(kind, name, [invalid('metadata.name', ownName, rule)]);
}

function checkUid(object: JsonObject, account: ApiObject): void {
  const wanted = stringAt(object, 'metadata', 'uid') ?? '';
  const { name, uid = '' } = account.metadata;
  if (wanted === '' || wanted === uid) return;
  throw conflict(
    { group: kind.group, resource: kind.kind },
    name,
    `the UID in the token request (${wanted}) does not match the UID of the service account (${uid})`,
  );
}

function checkLifetime(seconds: number): void {
  const refuse = (rule: string): Error =>
    invalidObject(kind, '', [invalid('spec.expirationSeconds', seconds, rule)]);
  if (seconds < shortestSeconds) throw refuse('may not specify a duration less than 10 minutes');
  if (seconds > longestSeconds) {
    throw refuse('may not specify a duration larger than 2^32 seconds');
  }
}
