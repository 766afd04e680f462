// The wire to Azure, the only file that knows its HTTP pipeline. In: one request. Out: the answer to exactly that request:
// waiting, repeating, tokens and meaning are the business of others. Throws when no whole answer came.
import {
  createDefaultHttpClient,
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  decompressResponsePolicy,
  proxyPolicy,
  tlsPolicy,
} from '@azure/core-rest-pipeline';

export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export interface WireRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Transport = (request: WireRequest) => Promise<WireAnswer>;

export interface TransportOptions {
  /** PEM; absent: the authorities that Node trusts. */
  readonly certificateAuthority?: string | undefined;
  /** Plain HTTP is for the node bootstrapping service, which has no other. */
  readonly allowPlainHttp?: boolean;
}

/** Proxies are taken from HTTPS_PROXY and NO_PROXY, as all of Azure's clients do. */
export function pipelineTransport(options: TransportOptions = {}): Transport {
  const { certificateAuthority: ca, allowPlainHttp: allowInsecureConnection = false } = options;
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(proxyPolicy());
  pipeline.addPolicy(decompressResponsePolicy());
  if (ca !== undefined) pipeline.addPolicy(tlsPolicy({ ca }));
  const client = createDefaultHttpClient();
  return async ({ method, url, headers, body, signal }) => {
    const answer = await pipeline.sendRequest(
      client,
      createPipelineRequest({
        method,
        url,
        headers: createHttpHeaders(headers),
        abortSignal: signal,
        allowInsecureConnection,
        ...(body !== undefined && { body }),
      }),
    );
    return {
      status: answer.status,
      headers: answer.headers.toJSON(),
      text: answer.bodyAsText ?? '',
    };
  };
}
