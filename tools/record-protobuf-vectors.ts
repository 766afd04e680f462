// Asks a real API server for the same objects in JSON and in its binary encoding. In: KUBE_BIN, a directory with etcd and
// kube-apiserver. Out: test/vectors/protobuf: one file per kind with both answers to a list, a watch, and a refusal, which
// the tests read without a server.
import { mkdir, writeFile } from 'node:fs/promises';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/log.ts';
import type { KubeObject } from '../src/api/meta.ts';
import { namespaces, pods, resourceType, type ResourceType } from '../src/api/resource-type.ts';
import { KubeClient } from '../src/kube/client/client.ts';
import type { KubeTransport } from '../src/kube/client/transport.ts';
import { UndiciTransport } from '../src/kube/client/undici-transport.ts';
import { loadKubeAccess } from '../src/kube/config/config.ts';
import { systemHost } from '../src/kube/config/host.ts';
import { startRealApiServer } from '../test/support/real-api-server.ts';
import { richObjects } from '../test/support/rich-objects.ts';

const directory = 'test/vectors/protobuf';
const encodings = { json: 'application/json', binary: 'application/vnd.kubernetes.protobuf' };
const namespace = 'rich';

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error('KUBE_BIN is not set: it must name a directory with etcd and kube-apiserver');
  process.exit(2);
}
const server = await startRealApiServer(bin);
try {
  const { kubeconfig } = server;
  const access = await loadKubeAccess({ host: systemHost, clock: systemClock, kubeconfig });
  const transport = new UndiciTransport({ access });
  const client = new KubeClient({ transport, clock: systemClock, log: silentLogger });
  await mkdir(directory, { recursive: true });
  await record(client, transport);
  await transport.close();
} finally {
  await server.stop();
}

async function record(client: KubeClient, transport: KubeTransport): Promise<void> {
  const { gitVersion } = await client.serverVersion();
  const source = `kube-apiserver ${gitVersion}, asked by tools/record-protobuf-vectors.ts`;
  const write = (name: string, content: object): Promise<void> =>
    writeFile(`${directory}/${name}.json`, `${JSON.stringify({ source, ...content }, null, 2)}\n`);
  await create(client);
  const kinds = new Set(richObjects(namespace, 'a').map(({ type }) => type));
  for (const type of kinds) {
    const { group, version, kind, plural } = type;
    const { json, binary } = await list(client, type);
    await write(plural, {
      type: { group, version, kind, plural },
      json: JSON.parse(json.toString('utf8')) as object,
      binary: binary.toString('base64'),
    });
  }
  await write('watch', {
    json: (await watchBytes(client, encodings.json)).toString('utf8').trimEnd().split('\n'),
    binary: (await watchBytes(client, encodings.binary)).toString('base64'),
  });
  await write('refusal', {
    json: JSON.parse((await refusal(transport, encodings.json)).toString('utf8')) as object,
    binary: (await refusal(transport, encodings.binary)).toString('base64'),
  });
}

async function create(client: KubeClient): Promise<void> {
  await client.create(namespaces, { metadata: { name: namespace } });
  const accounts = resourceType<KubeObject>({ kind: 'ServiceAccount', plural: 'serviceaccounts' });
  await client.create(accounts, { metadata: { name: 'default', namespace } });
  for (const { type, object, status } of richObjects(namespace, 'a')) {
    const { metadata } = await client.create(type, object);
    if (status === undefined) continue;
    const patch = { type: 'merge', body: { status } } as const;
    await client.patch(type, metadata, patch, { subresource: 'status' });
  }
}

/** Of what was made here: a server has objects of its own, too. */
async function list(
  client: KubeClient,
  type: ResourceType,
): Promise<{ json: Buffer; binary: Buffer }> {
  const fieldSelector =
    type.kind === 'Namespace' ? 'metadata.name=rich-a' : 'metadata.namespace!=kube-system';
  const options = type.namespaced || type.kind === 'Namespace' ? { fieldSelector } : {};
  const [json, binary] = await Promise.all(
    Object.values(encodings).map((accept) => client.listAnswer(type, { ...options, accept })),
  );
  if (json === undefined || binary === undefined) throw new Error('the server did not answer');
  return { json: json.bytes, binary: binary.bytes };
}

/** A streaming list of pods, then a bookmark; the server ends it after a second. */
async function watchBytes(client: KubeClient, accept: string): Promise<Buffer> {
  const options = { namespace, accept, sendInitialEvents: true, timeoutSeconds: 1 };
  const response = await client.openWatch(pods, options);
  return response.bytes();
}

/** Of a version that the server has not reached: with causes, and when to come again. */
async function refusal(transport: KubeTransport, accept: string): Promise<Buffer> {
  const query = 'resourceVersion=999999999&resourceVersionMatch=NotOlderThan';
  const path = `/api/v1/pods?${query}`;
  const response = await transport.send({ method: 'GET', path, headers: { accept } });
  return response.bytes();
}
