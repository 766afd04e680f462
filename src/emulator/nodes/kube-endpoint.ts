// The Kubernetes APIs that machines can reach. In: the name and the authority that a payload gives. Out: the API behind that name, or
// the words in which a kubelet would complain. A payload with a wrong name or a foreign authority reaches nobody.
import type { HttpHandler } from '../../base/http-server.ts';

export interface KubeEndpoint {
  /** Host, with a port where it is not 443. */
  readonly apiServer: string;
  /** PEM of the authority that vouches for it. */
  readonly authorityPem: string;
  readonly handler: HttpHandler;
  /** Of the cloud's own agent, which may initialize nodes. */
  readonly cloudToken: string;
}

export type Reached =
  | { readonly ok: true; readonly endpoint: KubeEndpoint }
  | { readonly ok: false; readonly reason: string };

export function reach(
  endpoints: readonly KubeEndpoint[],
  asked: { readonly apiServer: string; readonly certificateAuthority: string },
): Reached {
  const wanted = withPort(asked.apiServer);
  const endpoint = endpoints.find(({ apiServer }) => withPort(apiServer) === wanted);
  if (endpoint === undefined) {
    return { ok: false, reason: `dial tcp: lookup ${asked.apiServer}: no such host` };
  }
  return bare(asked.certificateAuthority).includes(bare(endpoint.authorityPem))
    ? { ok: true, endpoint }
    : { ok: false, reason: 'x509: certificate signed by unknown authority' };
}

function withPort(address: string): string {
  const lower = address.toLowerCase();
  return /:\d+$/.test(lower) ? lower : `${lower}:443`;
}

/** A bundle may hold several certificates, and break its lines as it likes. */
function bare(pem: string): string {
  return pem.replaceAll(/\s+/g, '');
}
