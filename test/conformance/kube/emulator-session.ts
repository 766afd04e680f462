// A session with an emulated cluster, in process and without sockets. In: the cluster. Out: the same requests and answers
// as over a connection, paths included: they reach the server as they were written.
import type { Json } from '../../../src/api/meta.ts';
import type { HttpReply } from '../../../src/base/http-server.ts';
import type { KubeCluster } from '../../../src/emulator/kube/cluster.ts';
import { incoming, outgoing, type KubeSession, type Request } from './session.ts';

export function emulatorSession(
  cluster: Pick<KubeCluster, 'handler' | 'administratorToken'>,
): KubeSession {
  const call = async (
    method: string,
    target: string,
    request: Request,
    signal: AbortSignal,
  ): Promise<HttpReply> => {
    const [path = '', ...query] = target.split('?');
    const { bytes, headers } = outgoing(request, cluster.administratorToken);
    return cluster.handler({
      method,
      path,
      query: new URLSearchParams(query.join('?')),
      headers,
      signal,
      body: () => Promise.resolve(bytes),
    });
  };
  return {
    async send(method, path, request = {}) {
      const reply = await call(method, path, request, new AbortController().signal);
      const text = typeof reply.body === 'string' ? reply.body : '';
      return incoming(reply.status, reply.headers ?? {}, text);
    },
    // Nothing happens by itself while the loops stand still.
    pause: () => Promise.resolve(),
    async *watch(path, signal) {
      const reply = await call('GET', path, {}, signal);
      for await (const chunk of reply.body as AsyncIterable<string>) {
        for (const line of chunk.split('\n')) if (line !== '') yield JSON.parse(line) as Json;
      }
    },
  };
}
