// The key that signs service account tokens, and JSON web tokens made with it. In: claims. Out: compact tokens, and
// claims of those that this key has signed.
// Times are not looked at here: a token that verifies may have expired.
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { CodedError } from '../../../../base/errors.ts';
import type { JsonObject } from '../../json.ts';

/** Verified tokens are remembered: a controller sends the same one thousands of times. */
const rememberedTokens = 1024;

export class TokenKey {
  readonly keyId: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #verified = new Map<string, JsonObject>();

  /** P-256 or RSA. A new P-256 key when none is given: an RSA key takes longer to make than the whole server. */
  constructor(privateKey?: KeyObject) {
    this.#privateKey = privateKey ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    this.#publicKey = createPublicKey(this.#privateKey);
    this.algorithm = algorithmOf(this.#privateKey);
    const der = this.#publicKey.export({ format: 'der', type: 'spki' });
    this.keyId = createHash('sha256').update(der).digest('base64url');
  }

  sign(claims: JsonObject): string {
    const content = `${encode({ alg: this.algorithm, kid: this.keyId })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), {
      key: this.#privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${content}.${signature.toString('base64url')}`;
  }

  /** The claims of a token that this key has signed. */
  verify(token: string): JsonObject | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const [header = '', payload = '', signature = ''] = token.split('.');
    if (decode(header)?.['alg'] !== this.algorithm) return undefined;
    const isGenuine = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: this.#publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    const claims = isGenuine ? decode(payload) : undefined;
    if (claims !== undefined) {
      if (this.#verified.size >= rememberedTokens) this.#verified.clear();
      this.#verified.set(token, claims);
    }
    return claims;
  }

  /** The public half, for those who verify tokens themselves. */
  toWebKey(): JsonWebKey & { readonly kid: string } {
    const key = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', ...key, kid: this.keyId, alg: this.algorithm };
  }
}

/** What a token claims, believed or not; undefined for a text that is no token. */
export function unverifiedClaims(token: string): JsonObject | undefined {
  const parts = token.split('.');
  return parts.length === 3 ? decode(parts[1] ?? '') : undefined;
}

function algorithmOf(key: KeyObject): 'ES256' | 'RS256' {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  throw new CodedError('UnsupportedKey', 'service account keys must be RSA or P-256', {
    fields: { type: key.asymmetricKeyType, curve: key.asymmetricKeyDetails?.namedCurve },
  });
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
