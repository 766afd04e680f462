// Access tokens of the tenant: made here, and checked by Resource Manager with the same key. In: a principal and an
// audience; or a token. Out: a signed token; or its claims, or why it is none.
// 1. A token is valid for its lifetime by the handed-in clock and not a second longer.
// 2. Tokens of an earlier start are refused unless the key is handed in again.
import {
  createHash,
  generateKeyPairSync,
  createPublicKey,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { LruMap } from '../../../base/lru-map.ts';
import type { Random } from '../../../base/random.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { numberAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Principal } from './directory.ts';
import { decodeToken, isSignedByKey } from './jwt.ts';

export interface AccessToken {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly expiresOnSeconds: number;
  readonly notBeforeSeconds: number;
}

/** What Entra puts into a token: an hour, plus up to half of that in reality; here always the hour. */
const lifetimeSeconds = 3600;
/** Managed identities get a day. */
export const managedLifetimeSeconds = 24 * 3600;

export class TokenIssuer {
  readonly tenantId: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #webKey: JsonWebKey;
  /** Tokens whose signature was checked: clients send one for an hour. */
  readonly #known = new LruMap<string, JsonObject>(1000);

  constructor(options: {
    readonly tenantId: string;
    readonly clock: Clock;
    readonly random: Random;
    readonly key?: KeyObject | undefined;
  }) {
    this.tenantId = options.tenantId;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#key = options.key ?? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    this.#publicKey = createPublicKey(this.#key);
    const jwk = this.#publicKey.export({ format: 'jwk' });
    const kid = createHash('sha1').update(JSON.stringify(jwk)).digest('base64url');
    this.#webKey = { ...jwk, kid, use: 'sig', alg: 'RS256', x5t: kid };
  }

  get issuer(): string {
    return `https://sts.windows.net/${this.tenantId}/`;
  }

  /** What `jwks_uri` shows. */
  get publicKeys(): readonly JsonWebKey[] {
    return [this.#webKey];
  }

  issue(
    principal: Principal,
    audience: string,
    options: { readonly lifetimeSeconds?: number; readonly claims?: JsonObject } = {},
  ): AccessToken {
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    const expiresInSeconds = options.lifetimeSeconds ?? lifetimeSeconds;
    const claims: JsonObject = {
      aud: audience,
      iss: this.issuer,
      iat: nowSeconds,
      nbf: nowSeconds,
      exp: nowSeconds + expiresInSeconds,
      appid: principal.clientId,
      idtyp: principal.kind === 'User' ? 'user' : 'app',
      idp: this.issuer,
      oid: principal.objectId,
      sub: principal.objectId,
      tid: this.tenantId,
      uti: randomUuid(this.#random),
      ver: '1.0',
      ...(principal.resourceId === undefined ? {} : { xms_mirid: principal.resourceId }),
      ...options.claims,
    };
    return {
      token: this.#sign(claims),
      expiresInSeconds,
      expiresOnSeconds: nowSeconds + expiresInSeconds,
      notBeforeSeconds: nowSeconds,
    };
  }

  /** The claims of a token of ours; a word for what is wrong with any other. */
  verify(token: string): JsonObject | 'malformed' | 'foreign' | 'expired' | 'early' {
    const claims = this.#known.get(token) ?? this.#read(token);
    if (typeof claims === 'string') return claims;
    const nowSeconds = this.#clock.now() / 1000;
    if ((numberAt(claims, 'exp') ?? 0) <= nowSeconds) return 'expired';
    // Clocks of two machines differ; Azure allows five minutes.
    if ((numberAt(claims, 'nbf') ?? 0) > nowSeconds + 300) return 'early';
    return claims;
  }

  #read(token: string): JsonObject | 'malformed' | 'foreign' {
    const decoded = decodeToken(token);
    if (decoded === undefined) return 'malformed';
    if (!isSignedByKey(decoded, this.#publicKey)) return 'foreign';
    this.#known.set(token, decoded.claims);
    return decoded.claims;
  }

  #sign(claims: JsonObject): string {
    const kid = textAt(this.#webKey as JsonObject, 'kid');
    const header = { typ: 'JWT', alg: 'RS256', x5t: kid, kid };
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), this.#key).toString('base64url')}`;
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
