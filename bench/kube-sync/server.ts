// The API server of the sync benchmark, in a process of its own: serves pods as a list, in pages or streamed,
// and on a watch sends the changes as fast as they are read. Prints its address as JSON and runs until killed.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { podJson } from './pod-sample.ts';

const podCount = Number(process.argv[2]);
const eventCount = Number(process.argv[3]);

const pods = Array.from({ length: podCount }, (_, index) => podJson(index, index + 1));
const listVersion = podCount;
const initialEnd = event(
  'BOOKMARK',
  JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      resourceVersion: String(listVersion),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    },
  }),
);
const initial = inChunks([...pods.map((pod) => event('ADDED', pod)), initialEnd]);
const changes = inChunks(
  Array.from({ length: eventCount }, (_, i) =>
    event('MODIFIED', podJson(i % podCount, listVersion + 1 + i)),
  ),
);
const whole = page(0, podCount);

function event(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

/** Made beforehand and in large writes, so that the server is never what is measured. */
function inChunks(lines: readonly string[]): Buffer[] {
  const size = 200;
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, i) =>
    Buffer.from(lines.slice(i * size, (i + 1) * size).join('')),
  );
}

function page(offset: number, limit: number): Buffer {
  const next = offset + limit < podCount ? `,"continue":"${offset + limit}"` : '';
  const metadata = `{"resourceVersion":"${listVersion}"${next}}`;
  const items = pods.slice(offset, offset + limit).join(',');
  return Buffer.from(
    `{"kind":"PodList","apiVersion":"v1","metadata":${metadata},"items":[${items}]}\n`,
  );
}

async function send(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await once(response, 'drain');
  }
}

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  response.writeHead(200, { 'content-type': 'application/json' });
  if (query.get('watch') === null) {
    const limit = Number(query.get('limit') ?? podCount);
    response.end(limit === podCount ? whole : page(Number(query.get('continue') ?? 0), limit));
    return;
  }
  send(response, query.get('sendInitialEvents') === 'true' ? initial : [])
    .then(() => send(response, changes))
    .catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
