// A scripted API server, a client that reaches it without sockets, and virtual time: the setting of most
// tests of the client side.
import { VirtualClock } from '../../src/base/virtual-clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { silentLogger, type LogFields, type Logger } from '../../src/base/log.ts';
import { KubeClient, type KubeClientOptions } from '../../src/kube/client/client.ts';
import { InProcessTransport } from '../../src/kube/client/in-process-transport.ts';
import type { Pod } from '../../src/api/core.ts';
import { ApiServer } from './api-server.ts';

export interface ScriptedCluster {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly transport: InProcessTransport;
  readonly client: KubeClient;
  readonly random: ReturnType<typeof seededRandom>;
  readonly log: Logger;
  /** Messages at level error, with what was thrown. */
  readonly errors: string[];
}

export function scriptedCluster(options: Partial<KubeClientOptions> = {}): ScriptedCluster {
  const clock = new VirtualClock();
  const server = new ApiServer();
  const transport = new InProcessTransport(server.handler);
  const errors: string[] = [];
  const log: Logger = {
    ...silentLogger,
    error: (message: string, fields: LogFields = {}) => {
      const { error } = fields;
      errors.push(error instanceof Error ? `${message}: ${error.message}` : message);
    },
  };
  const client = new KubeClient({ transport, clock, log, ...options });
  return { clock, server, transport, client, random: seededRandom(1), log, errors };
}

export function podNamed(name: string, more: Partial<Pod['metadata']> = {}): Pod {
  return { metadata: { name, namespace: 'default', ...more }, spec: { containers: [] } };
}

/** Runs virtual time until the promise settles. */
export async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let done = false;
  const watched = promise.finally(() => (done = true));
  watched.catch(() => undefined);
  await clock.runUntil(() => done, { what: 'promise settled' });
  return watched;
}
