// Tokens for the galleries of AKS's own tenant, from a server that AKS runs beside us. In: its address. Out: a credential like
// any other, so that its tokens are kept and renewed like any other's.
import { CodedError } from '../../base/errors.ts';
import type { Transport } from '../arm/transport.ts';
import type { AccessToken, Credential } from './token-cache.ts';

export function galleryCredential(server: {
  readonly url: string;
  readonly transport: Transport;
  /** The server answers nobody else. */
  readonly userAgent: string;
}): Credential {
  return {
    getToken: async (scope, { abortSignal: signal }) => {
      const url = new URL(server.url);
      url.searchParams.set('scope', scope);
      const headers = { 'user-agent': server.userAgent };
      const answer = await server.transport({ method: 'GET', url: url.href, headers, signal });
      const token = answer.status === 200 ? readToken(answer.text) : undefined;
      if (token !== undefined) return token;
      throw new CodedError('GalleryTokenRefused', 'no token for the image galleries', {
        fields: { server: url.origin, status: answer.status },
      });
    },
  };
}

/** The server writes its fields with capital letters; others would not. */
function readToken(text: string): AccessToken | undefined {
  const fields = new Map(
    Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const token = fields.get('token');
  const expiresMs = Date.parse(String(fields.get('expireson')));
  if (typeof token !== 'string' || token === '' || Number.isNaN(expiresMs)) return undefined;
  const refreshMs = Date.parse(String(fields.get('refreshon')));
  // A Go server that has no such time writes the year 1.
  const hasRefresh = !Number.isNaN(refreshMs) && refreshMs > 0;
  return {
    token,
    expiresOnTimestamp: expiresMs,
    ...(hasRefresh && { refreshAfterTimestamp: refreshMs }),
  };
}
