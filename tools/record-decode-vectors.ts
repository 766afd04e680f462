// Asks a real API server what it makes of the bodies in test/support/decode-cases.ts. In: KUBE_BIN, a directory with etcd
// and kube-apiserver. Out: test/vectors/decode.json: status, message, causes and warnings, and of an accepted body the
// part that bodies here are about. Nothing is stored on the server but the one object that patches need.
import { writeFile } from 'node:fs/promises';
import { sleep, systemClock } from '../src/base/clock.ts';
import { type DecodeCase, decodeCases, patchCases } from '../test/support/decode-cases.ts';
import { nodePoolManifest } from '../test/support/patch-scenarios.ts';
import { type RealAnswer, RealApiClient } from '../test/support/real-api-client.ts';
import { startRealApiServer } from '../test/support/real-api-server.ts';

const collections: Readonly<Record<DecodeCase['kind'], string>> = {
  ConfigMap: '/api/v1/namespaces/default/configmaps',
  Secret: '/api/v1/namespaces/default/secrets',
  Pod: '/api/v1/namespaces/default/pods',
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  Lease: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  NodePool: '/apis/karpenter.sh/v1/nodepools',
};

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error('KUBE_BIN is not set: it must name a directory with etcd and kube-apiserver');
  process.exit(2);
}

const server = await startRealApiServer(bin);
const client = new RealApiClient(server);
try {
  await client.json('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  });
  await client.json(
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    nodePoolManifest,
  );
  await client.json('POST', collections.ConfigMap, { metadata: { name: 'a' }, data: { a: '1' } });
  while ((await client.send({ method: 'GET', path: collections.NodePool })).code !== 200) {
    await sleep(systemClock, 100);
  }
  const { gitVersion } = await client.json<{ gitVersion: string }>('GET', '/version');
  const live = await client.json<unknown>('GET', `${collections.ConfigMap}/a`);
  const posted = await askAll(decodeCases, 'POST');
  const patched = await askAll(patchCases, 'PATCH');
  const source = `kube-apiserver ${gitVersion}, asked by tools/record-decode-vectors.ts`;
  const file = { source, live, posted, patched };
  await writeFile('test/vectors/decode.json', `${JSON.stringify(file, null, 2)}\n`);
  console.log(`${posted.length + patched.length} answers recorded`);
} finally {
  client.close();
  await server.stop();
}

async function askAll(cases: readonly DecodeCase[], method: 'POST' | 'PATCH'): Promise<object[]> {
  const answers: object[] = [];
  for (const one of cases) {
    const object = method === 'PATCH' ? '/a' : '';
    const query = `?dryRun=All&fieldManager=tester&fieldValidation=${one.validation}`;
    const answer = await client.send({
      method,
      path: `${collections[one.kind]}${object}${query}`,
      body: one.body,
      headers: { 'content-type': one.contentType },
    });
    answers.push({ ...one, answer: recorded(answer) });
  }
  return answers;
}

interface Answered {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: unknown };
  readonly data?: unknown;
  readonly metadata?: { readonly labels?: unknown; readonly finalizers?: unknown };
}

function recorded({ code, headers, text }: RealAnswer): object {
  const body = JSON.parse(text) as Answered;
  const warnings = [headers['warning'] ?? []].flat().join(', ');
  if (code >= 400)
    return { code, message: body.message, reason: body.reason, causes: body.details?.causes };
  const { data, metadata } = body;
  return {
    code,
    ...(warnings !== '' && {
      warnings: [...warnings.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(
        ([, quoted]) => JSON.parse(quoted ?? '""') as string,
      ),
    }),
    data,
    labels: metadata?.labels,
    finalizers: metadata?.finalizers,
  };
}
