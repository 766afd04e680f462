// Holds the emulated API server to the suites of this folder, in process and without sockets.
import { afterAll, beforeAll, describe } from 'vitest';
import type { Json } from '../../../src/api/meta.ts';
import type { HttpHandler, HttpReply } from '../../../src/base/http-server.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { MetricsRegistry } from '../../../src/base/metrics.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { createApiServer, type ApiServer } from '../../../src/emulator/kube/api-server.ts';
import { describeCustomResources } from './custom-resources.ts';
import { describeDefaults } from './defaults.ts';
import { describeObjects } from './objects.ts';
import { describePods } from './pods.ts';
import { describeRefusals } from './refusals.ts';
import type { Answer, KubeSession, Request } from './session.ts';

function sessionOf(handler: HttpHandler): KubeSession {
  const call = async (
    method: string,
    target: string,
    request: Request,
    signal: AbortSignal,
  ): Promise<HttpReply> => {
    const { pathname, search } = new URL(target, 'http://emulator');
    const text = request.text ?? (request.body === undefined ? '' : JSON.stringify(request.body));
    const type = request.type ?? (text === '' ? undefined : 'application/json');
    return handler({
      method,
      path: pathname,
      query: new URLSearchParams(search),
      headers: { 'user-agent': 'conformance', accept: request.accept, 'content-type': type },
      signal,
      body: () => Promise.resolve(Buffer.from(text)),
    });
  };
  return {
    async send(method, path, request = {}): Promise<Answer> {
      const reply = await call(method, path, request, new AbortController().signal);
      const text = typeof reply.body === 'string' ? reply.body : '';
      const isJson = reply.headers?.['content-type']?.startsWith('application/json') === true;
      return {
        status: reply.status,
        headers: reply.headers ?? {},
        body: isJson ? (JSON.parse(text) as Json) : text,
      };
    },
    async *watch(path, signal) {
      const reply = await call('GET', path, {}, signal);
      for await (const chunk of reply.body as AsyncIterable<string>) {
        for (const line of chunk.split('\n')) if (line !== '') yield JSON.parse(line) as Json;
      }
    },
  };
}

describe('the emulated API server', () => {
  let server: ApiServer;
  let session: KubeSession;

  beforeAll(() => {
    server = createApiServer({
      clock: new VirtualClock(),
      random: seededRandom(1),
      log: silentLogger,
      metrics: new MetricsRegistry(),
      authenticator: {
        authenticate: () => ({ username: 'administrator', groups: ['system:masters'] }),
      },
      authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    });
    server.start();
    session = sessionOf(server.handler);
  });

  afterAll(() => server.stop());

  describeRefusals(() => session);
  describeObjects(() => session);
  describeDefaults(() => session);
  describeCustomResources(() => session);
  describePods(() => session);
});
