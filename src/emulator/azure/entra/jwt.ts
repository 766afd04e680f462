// JSON web tokens, read and checked without a library. In: a token's text and keys. Out: its parts, and whether one
// of the keys signed it. Nothing here throws for what a client sent.
import { createPublicKey, KeyObject, verify, type JsonWebKey } from 'node:crypto';
import type { Json } from '../../../api/meta.ts';
import { isObject, stringAt, type JsonObject } from '../../kube/json.ts';

export interface DecodedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Uint8Array;
}

export function decodeToken(token: string): DecodedToken | undefined {
  const [head, body, signature, ...rest] = token.split('.');
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) {
    return undefined;
  }
  const header = parsePart(head);
  const claims = parsePart(body);
  if (header === undefined || claims === undefined) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  return { header, claims, signed: `${head}.${body}`, signature: bytes };
}

/** True if one of these keys made the signature; a key with another `kid` than the token's is not tried. */
export function isSignedBy(token: DecodedToken, keys: readonly JsonWebKey[]): boolean {
  const kid = stringAt(token.header, 'kid');
  return keys
    .filter((key) => kid === undefined || key['kid'] === undefined || key['kid'] === kid)
    .some((key) => isSignedByKey(token, key));
}

export function isSignedByKey(token: DecodedToken, key: JsonWebKey | KeyObject): boolean {
  const algorithm = stringAt(token.header, 'alg') ?? '';
  const digest = `sha${algorithm.slice(2)}`;
  const content = Buffer.from(token.signed);
  try {
    const publicKey = key instanceof KeyObject ? key : createPublicKey({ key, format: 'jwk' });
    return verifySignature(algorithm, { digest, content, publicKey }, token);
  } catch {
    return false;
  }
}

function verifySignature(
  algorithm: string,
  parts: { readonly digest: string; readonly content: Buffer; readonly publicKey: KeyObject },
  token: DecodedToken,
): boolean {
  const { digest, content, publicKey } = parts;
  const isRsa = publicKey.asymmetricKeyType === 'rsa';
  switch (algorithm.slice(0, 2)) {
    case 'RS':
      return isRsa && verify(digest, content, publicKey, token.signature);
    case 'PS':
      return isRsa && verify(digest, content, { key: publicKey, ...pss }, token.signature);
    case 'ES':
      return !isRsa && verify(digest, content, { key: publicKey, ...ecdsa }, token.signature);
    default:
      // Above all `none`, and keys that anybody has (HS256).
      return false;
  }
}

/** RSA_PKCS1_PSS_PADDING with a salt as long as the digest, which is what the standard asks for. */
const pss = { padding: 6, saltLength: -1 } as const;
const ecdsa = { dsaEncoding: 'ieee-p1363' } as const;

function parsePart(part: string): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
