// The port between the Kubernetes client and whatever carries its requests: sockets (undici-transport.ts),
// or an API server in the same process. One request in, one answer out; the body may be a stream without end.
//  1. `send` resolves when the head of the answer is there, whatever its status; it rejects only when no
//     answer came (connection refused, TLS, aborted).
//  2. The body must be read to its end or cancelled, or a connection stays taken.
//  3. Aborting the signal ends the request at once, also in the middle of a body.

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path with query, beginning with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A stream that may last for hours: not counted against the pool of short requests, no read timeout. */
  readonly longRunning?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body. */
  bytes(): Promise<Buffer>;
  /** Gives up the rest of the body and frees the connection. */
  cancel(): void;
}

export interface KubeTransport {
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Frees all connections. Requests under way are aborted. */
  close(): Promise<void>;
}
