// An HTTP server as something a manager starts and stops, and the handler that serves metrics.
// In: a handler and an address. Out: a Runnable that is ready when its port is open.
import { HttpServer, type HttpHandler, type HttpServerOptions } from '../../base/http-server.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import { aborted, type Runnable } from './runnable.ts';

export class HttpService implements Runnable {
  readonly name: string;
  readonly stage = 'service';
  readonly #options: HttpServerOptions;
  readonly #listening = Promise.withResolvers<HttpServer>();

  constructor(name: string, options: HttpServerOptions) {
    this.name = name;
    this.#options = options;
    // Who only runs the service hears of a failure there.
    this.#listening.promise.catch(() => undefined);
  }

  /** The server, once its port is open. */
  get server(): Promise<HttpServer> {
    return this.#listening.promise;
  }

  async ready(): Promise<void> {
    await this.#listening.promise;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      const server = await HttpServer.listen(this.#options);
      this.#listening.resolve(server);
      await aborted(signal);
      await server.close();
    } catch (error) {
      this.#listening.reject(error);
      throw error;
    }
  }
}

/** Serves `/metrics`. Gauges that change with time alone are brought up to date by `refresh` first. */
export function metricsHandler(options: {
  readonly registry: MetricsRegistry;
  readonly refresh?: readonly { refresh(): void }[];
}): HttpHandler {
  const { registry, refresh = [] } = options;
  return async (request) => {
    if (request.path !== '/metrics') return { status: 404, body: '404 page not found\n' };
    for (const metrics of refresh) metrics.refresh();
    return {
      status: 200,
      headers: { 'content-type': registry.contentType },
      body: await registry.text(),
    };
  };
}
