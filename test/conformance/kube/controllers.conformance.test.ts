// The same stories told to the real kube-controller-manager on a real API server. Needs KUBE_BIN, a directory with etcd,
// kube-apiserver and kube-controller-manager; without it the stories are skipped.
import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { request } from 'node:https';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sleep, systemClock } from '../../../src/base/clock.ts';
import { startRealApiServer, type RealApiServer } from '../../support/real-api-server.ts';
import { controllerStories, tell, type Answer, type ManagedCluster } from './controllers.ts';

const bin = process.env['KUBE_BIN'] ?? '';

describe.runIf(bin !== '')('the real controller manager', () => {
  let server: RealApiServer;
  let manager: ChildProcess;

  beforeAll(async () => {
    server = await startRealApiServer(bin);
    const log = await open(devNull, 'w');
    manager = spawn(
      join(bin, 'kube-controller-manager'),
      [
        `--kubeconfig=${server.kubeconfig}`,
        '--leader-elect=false',
        '--secure-port=0',
        '--kube-api-qps=300',
        '--kube-api-burst=600',
        `--flex-volume-plugin-dir=${devNull}`,
      ],
      { stdio: ['ignore', log.fd, log.fd] },
    );
    await log.close();
  }, 60_000);

  afterAll(async () => {
    manager.kill('SIGTERM');
    await server.stop();
  }, 60_000);

  test.each(Object.entries(controllerStories).map(([name, story], i) => [name, story, i] as const))(
    '%s',
    async (_, story, i) => {
      const cluster: ManagedCluster = {
        send: (method, path, body, contentType) =>
          send(server, {
            method,
            path,
            body: body === undefined ? '' : JSON.stringify(body),
            contentType,
          }),
        pause: (ms) => sleep(systemClock, ms),
      };
      await expect(tell(story, cluster, `story-${i}`)).resolves.toBeUndefined();
    },
    60_000,
  );
});

function send(
  server: RealApiServer,
  call: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly contentType: string | undefined;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      'content-type': call.contentType ?? 'application/json',
      // Node sends the body of a DELETE without its length unless told.
      'content-length': Buffer.byteLength(call.body),
    };
    const options = { method: call.method, headers, rejectUnauthorized: false };
    const sent = request(`${server.url}${call.path}`, options, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Answer['body'];
        resolve({ status: reply.statusCode ?? 0, body });
      });
    });
    sent.on('error', reject);
    sent.end(call.body);
  });
}
