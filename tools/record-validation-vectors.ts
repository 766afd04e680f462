// Asks a real API server what it says to the objects in test/support/validation-cases.ts. In: KUBE_BIN, a directory with etcd
// and kube-apiserver. Out: test/vectors/validation.json: the status, and the message or the spec as it would be stored.
// Nothing is stored but the service account that pods need.
import { writeFile } from 'node:fs/promises';
import { RealApiClient } from '../test/support/real-api-client.ts';
import { startRealApiServer } from '../test/support/real-api-server.ts';
import { validationCases } from '../test/support/validation-cases.ts';

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error('KUBE_BIN is not set: it must name a directory with etcd and kube-apiserver');
  process.exit(2);
}

interface Answered {
  readonly message?: string;
  readonly spec?: unknown;
  readonly webhooks?: unknown;
}

const server = await startRealApiServer(bin);
const client = new RealApiClient(server);
try {
  const account = { metadata: { name: 'default' } };
  await client.json('POST', '/api/v1/namespaces/default/serviceaccounts', account);
  const { gitVersion } = await client.json<{ gitVersion: string }>('GET', '/version');
  const answers: object[] = [];
  for (const { name, path, object } of validationCases) {
    const body = JSON.stringify(object);
    const { code, text } = await client.send({ method: 'POST', path: `${path}?dryRun=All`, body });
    const { message, spec, webhooks } = JSON.parse(text) as Answered;
    answers.push({ name, code, ...(code === 201 ? { stored: spec ?? webhooks } : { message }) });
  }
  const source = `kube-apiserver ${gitVersion}, asked by tools/record-validation-vectors.ts`;
  const file = JSON.stringify({ source, answers }, null, 2);
  await writeFile('test/vectors/validation.json', `${file}\n`);
  console.log(`${answers.length} answers recorded`);
} finally {
  client.close();
  await server.stop();
}
