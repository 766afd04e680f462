// Tokens of service accounts: made for a workload, good while what they are bound to exists. In: accounts, pods, nodes,
// secrets. Out: signed tokens, and the users that they stand for.
// 1. A token is good from nbf to exp, each with a minute of leeway, by the clock of this world.
// 2. It dies with its service account, and with the pod, secret or node that it is bound to: same name is not enough,
//    the uid counts.
import type { Clock } from '../../../../base/clock.ts';
import type { UserInfo } from '../../api.ts';
import { listAt, numberAt, objectAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { quoteAll } from '../quoted-list.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';
import { serviceAccountGroups, serviceAccountUsername } from '../user.ts';
import { unknownCredential, type Credential, type TokenAuthenticator } from './credential.ts';
import { unverifiedClaims, type TokenKey } from './token-key.ts';

export interface TokenSubject {
  readonly account: ApiObject;
  readonly pod?: ApiObject | undefined;
  readonly secret?: ApiObject | undefined;
  /** Of a pod's token, where the pod runs; a node that is gone has a name only. */
  readonly node?: { readonly name: string; readonly uid?: string | undefined } | undefined;
}

const leewayMs = 60_000;
const extraPrefix = 'authentication.kubernetes.io/';

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly issuer: string;
  /** Of the server itself: what a token is for that names nothing. */
  readonly audiences: readonly string[];
  readonly #key: TokenKey;
  readonly #objects: StoredObjects;
  readonly #clock: Clock;
  readonly #newUid: () => string;

  constructor(options: {
    readonly issuer: string;
    readonly audiences: readonly string[];
    readonly key: TokenKey;
    readonly objects: StoredObjects;
    readonly clock: Clock;
    readonly newUid: () => string;
  }) {
    this.issuer = options.issuer;
    this.audiences = options.audiences;
    this.#key = options.key;
    this.#objects = options.objects;
    this.#clock = options.clock;
    this.#newUid = options.newUid;
  }

  issue(
    subject: TokenSubject,
    options: {
      readonly audiences: readonly string[];
      readonly lifetimeSeconds: number;
      readonly warnAfterSeconds?: number;
    },
  ): string {
    const { account, pod, secret, node } = subject;
    const { name, namespace = '' } = account.metadata;
    const now = Math.floor(this.#clock.now() / 1000);
    const { warnAfterSeconds } = options;
    return this.#key.sign({
      aud: options.audiences,
      exp: now + options.lifetimeSeconds,
      iat: now,
      iss: this.issuer,
      jti: this.#newUid(),
      'kubernetes.io': {
        namespace,
        ...(node === undefined ? {} : { node: reference(node.name, node.uid) }),
        ...(pod === undefined ? {} : { pod: referenceTo(pod) }),
        ...(secret === undefined ? {} : { secret: referenceTo(secret) }),
        serviceaccount: referenceTo(account),
        ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: serviceAccountUsername(namespace, name),
    });
  }

  authenticate(token: string, wanted: readonly string[]): Credential {
    if (unverifiedClaims(token)?.['iss'] !== this.issuer) return unknownCredential;
    const claims = this.#key.verify(token);
    if (claims === undefined) return invalid('go-jose/go-jose: error in cryptographic primitive');
    const named = listAt(claims, 'aud').filter((item) => typeof item === 'string');
    const meant = named.length === 0 ? this.audiences : named;
    const audiences = meant.filter((audience) => wanted.includes(audience));
    if (audiences.length === 0) {
      const target = `is invalid for the target audiences ${quoteAll(wanted)}`;
      return invalid(`token audiences ${quoteAll(meant)} ${target}`);
    }
    const reason = this.#timeError(claims) ?? this.#bindingError(claims);
    return reason === undefined
      ? { outcome: 'valid', user: userOf(claims), audiences }
      : invalid(reason);
  }

  #timeError(claims: JsonObject): string | undefined {
    const nowMs = this.#clock.now();
    const timeMs = (name: string): number => (numberAt(claims, name) ?? 0) * 1000;
    if (nowMs + leewayMs < timeMs('nbf')) return 'service account token is not valid yet';
    if (nowMs - leewayMs > timeMs('exp')) return 'service account token has expired';
    if (nowMs + leewayMs < timeMs('iat')) return 'service account token is issued in the future';
    return undefined;
  }

  #bindingError(claims: JsonObject): string | undefined {
    const bound = objectAt(claims, 'kubernetes.io') ?? {};
    const namespace = stringAt(bound, 'namespace') ?? '';
    const accountError = this.#accountError(bound, namespace);
    if (accountError !== undefined) return accountError;
    const isOfPod = bound['pod'] !== undefined;
    return (
      this.#boundError('secret', bound, tables.secrets, namespace) ??
      this.#boundError('pod', bound, tables.pods, namespace) ??
      // A pod's token says where the pod was; it does not depend on it.
      (isOfPod ? undefined : this.#boundError('node', bound, tables.nodes, ''))
    );
  }

  #accountError(bound: JsonObject, namespace: string): string | undefined {
    const name = stringAt(bound, 'serviceaccount', 'name') ?? '';
    const uid = stringAt(bound, 'serviceaccount', 'uid') ?? '';
    const account = this.#objects.get(tables.serviceAccounts, keyOf(namespace, name));
    if (account === undefined) return `serviceaccounts ${quote(name)} not found`;
    if (account.metadata.uid !== uid) {
      return `service account UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`;
    }
    return this.#isGone(account)
      ? `service account ${namespace}/${name} has been deleted`
      : undefined;
  }

  #boundError(
    kind: 'secret' | 'pod' | 'node',
    bound: JsonObject,
    table: string,
    namespace: string,
  ): string | undefined {
    const claim = objectAt(bound, kind);
    if (claim === undefined) return undefined;
    const object = this.#objects.get(table, keyOf(namespace, stringAt(claim, 'name') ?? ''));
    if (object === undefined) return 'service account token has been invalidated';
    const uid = stringAt(claim, 'uid') ?? '';
    if (object.metadata.uid !== uid) {
      return `${kind} UID (${object.metadata.uid ?? ''}) does not match service account ${kind} ref claim (${uid})`;
    }
    return this.#isGone(object) ? 'service account token has been invalidated' : undefined;
  }

  #isGone(object: ApiObject): boolean {
    const { deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined) return false;
    return Date.parse(deletionTimestamp) < this.#clock.now() - leewayMs;
  }
}

function invalid(reason: string): Credential {
  return { outcome: 'invalid', reason };
}

function reference(name: string, uid: string | undefined): JsonObject {
  return uid === undefined ? { name } : { name, uid };
}

function referenceTo(object: ApiObject): JsonObject {
  return reference(object.metadata.name, object.metadata.uid);
}

function userOf(claims: JsonObject): UserInfo {
  const bound = objectAt(claims, 'kubernetes.io') ?? {};
  const namespace = stringAt(bound, 'namespace') ?? '';
  const extra: Record<string, readonly string[]> = {};
  const note = (key: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') extra[`${extraPrefix}${key}`] = [value];
  };
  const tokenId = stringAt(claims, 'jti');
  note('credential-id', tokenId === undefined ? undefined : `JTI=${tokenId}`);
  for (const kind of ['node', 'pod']) {
    note(`${kind}-name`, stringAt(bound, kind, 'name'));
    note(`${kind}-uid`, stringAt(bound, kind, 'uid'));
  }
  return {
    username: serviceAccountUsername(namespace, stringAt(bound, 'serviceaccount', 'name') ?? ''),
    uid: stringAt(bound, 'serviceaccount', 'uid') ?? '',
    groups: serviceAccountGroups(namespace),
    extra,
  };
}
