// What others need to verify service account tokens themselves, as workload identity does. In: issuer and key.
// Out: the two documents by their paths. Who may read them is the authorizer's to say.
import type { HttpReply } from '../../../../base/http-server.ts';
import type { TokenKey } from './token-key.ts';

export const openIdPaths = {
  configuration: '/.well-known/openid-configuration',
  keys: '/openid/v1/jwks',
} as const;

export function openIdDocuments(options: {
  readonly issuer: string;
  readonly key: TokenKey;
  /** Where the keys are served, as seen by those who verify. */
  readonly keysUri: string;
}): ReadonlyMap<string, HttpReply> {
  const configuration = {
    issuer: options.issuer,
    jwks_uri: options.keysUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [options.key.algorithm],
  };
  const keys = { keys: [options.key.toWebKey()] };
  return new Map([
    [openIdPaths.configuration, document(configuration, 'application/json')],
    [openIdPaths.keys, document(keys, 'application/jwk-set+json')],
  ]);
}

function document(content: object, type: string): HttpReply {
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=3600' };
  return { status: 200, headers, body: JSON.stringify(content) };
}
