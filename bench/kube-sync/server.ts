// The API server of the sync benchmark, in a process of its own: serves pods as a list, in pages or streamed, and on a
// watch sends the changes as fast as they are read. The same objects in JSON, or in Kubernetes' binary encoding to who
// asks for that first, ordered by name as a real server has them. Prints its address as JSON and runs until killed.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import {
  encodeFrame,
  encodeItem,
  encodeList,
  encodeObject,
} from '../../test/support/protobuf-encoder.ts';
import { samplePod } from './pod-sample.ts';

const podCount = Number(process.argv[2]);
const eventCount = Number(process.argv[3]);
const listVersion = String(podCount);

interface Encoding {
  readonly contentType: string;
  event(type: string, object: Readonly<Record<string, unknown>>): Buffer;
  page(items: readonly Readonly<Record<string, unknown>>[], metadata: Page): Buffer;
}

interface Page extends Record<string, unknown> {
  readonly resourceVersion: string;
  readonly continue?: string;
}

const list = { kind: 'PodList', apiVersion: 'v1' };

const json: Encoding = {
  contentType: 'application/json',
  event: (type, object) => Buffer.from(`${JSON.stringify({ type, object })}\n`),
  page: (items, metadata) => Buffer.from(`${JSON.stringify({ ...list, metadata, items })}\n`),
};

const protobuf: Encoding = {
  contentType: 'application/vnd.kubernetes.protobuf',
  event: (type, object) => encodeFrame(type, encodeObject(object)),
  page: (items, metadata) => encodeList({ ...list, metadata, items: items.map(encodeItem) }),
};

/** Everything is made beforehand and sent in large writes, so that the server is never what is measured. */
class Answers {
  readonly #encoding: Encoding;
  readonly #pages = new Map<string, Buffer>();
  readonly initial: readonly Buffer[];
  readonly changes: readonly Buffer[];

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    const added = pods.map((pod) => encoding.event('ADDED', pod));
    this.initial = inChunks([...added, encoding.event('BOOKMARK', initialEnd)]);
    this.changes = inChunks(
      Array.from({ length: eventCount }, (_, i) =>
        encoding.event('MODIFIED', samplePod(i % podCount, podCount + 1 + i)),
      ),
    );
    this.page(0, podCount);
  }

  get contentType(): string {
    return this.#encoding.contentType;
  }

  page(offset: number, limit: number): Buffer {
    const key = `${offset} ${limit}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const next = offset + limit < podCount ? { continue: String(offset + limit) } : {};
    const items = pods.slice(offset, offset + limit);
    const made = this.#encoding.page(items, { resourceVersion: listVersion, ...next });
    this.#pages.set(key, made);
    return made;
  }
}

function inChunks(events: readonly Buffer[]): Buffer[] {
  const size = 200;
  return Array.from({ length: Math.ceil(events.length / size) }, (_, i) =>
    Buffer.concat(events.slice(i * size, (i + 1) * size)),
  );
}

const pods = Array.from({ length: podCount }, (_, index) => samplePod(index, index + 1))
  .map((pod) => ({ pod, key: keyOf(pod.metadata) }))
  .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  .map(({ pod }) => pod);
const initialEnd = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    resourceVersion: listVersion,
    creationTimestamp: null,
    annotations: { 'k8s.io/initial-events-end': 'true' },
  },
  spec: { containers: null },
  status: {},
};

function keyOf(metadata: object): string {
  const { namespace, name } = metadata as { namespace: string; name: string };
  return `${namespace}/${name}`;
}

const inJson = new Answers(json);
const inProtobuf = new Answers(protobuf);

async function send(response: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await once(response, 'drain');
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const binary = request.headers.accept?.startsWith(protobuf.contentType) ?? false;
  const answers = binary ? inProtobuf : inJson;
  const watches = query.get('watch') !== null;
  const contentType = watches ? `${answers.contentType};stream=watch` : answers.contentType;
  response.writeHead(200, { 'content-type': contentType });
  if (!watches) {
    const limit = Number(query.get('limit') ?? podCount);
    response.end(answers.page(Number(query.get('continue') ?? 0), limit));
    return;
  }
  send(response, query.get('sendInitialEvents') === 'true' ? answers.initial : [])
    .then(() => send(response, answers.changes))
    .catch(() => response.destroy());
}

const server = createServer(answer);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
