// The official credentials against the emulated directory, and a client whose answer was lost on the way.
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { generateKeyPairSync, sign } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceManagementClient } from '@azure/arm-resources';
import {
  ClientAssertionCredential,
  ClientCertificateCredential,
  ManagedIdentityCredential,
  WorkloadIdentityCredential,
  type TokenCredential,
} from '@azure/identity';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { HttpServer } from '../../../src/base/http-server.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { systemRandom } from '../../../src/base/random.ts';
import type { Principal } from '../../../src/emulator/azure/entra/directory.ts';
import { decodeToken } from '../../../src/emulator/azure/entra/jwt.ts';
import { createIdentityEndpoint } from '../../../src/emulator/azure/entra/managed-identity.ts';
import type { AzureServer } from '../../../src/emulator/azure/server.ts';
import { CertificateAuthority } from '../../../src/emulator/certificates.ts';
import { clientsOf, location, startTestAzure, subscriptionId } from './sdk.ts';

const issuer = 'https://cluster.example/';
const subject = 'system:serviceaccount:kube-system:karpenter-sa';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
let server: AzureServer;
let folder: string;
let certificatePath: string;

const workload: Principal = {
  objectId: '00000000-0000-4000-8000-000000000002',
  clientId: '00000000-0000-4000-8000-0000000000a2',
  displayName: 'karpenter',
  kind: 'ManagedIdentity',
  federated: [{ name: 'k', issuer, subject, audiences: ['api://AzureADTokenExchange'] }],
};

beforeAll(async () => {
  server = await startTestAzure({
    issuerKeys: (name) => (name === issuer ? [publicKey.export({ format: 'jwk' })] : undefined),
  });
  folder = await mkdtemp(join(tmpdir(), 'azure-identity-'));
  const authority = await CertificateAuthority.create({
    commonName: 'x',
    clock: systemClock,
    random: systemRandom(),
  });
  const certificate = await authority.sign(rsa.publicKey.export({ format: 'der', type: 'spki' }), {
    subject: { commonName: 'app' },
    usages: ['digitalSignature'],
    purposes: [],
    notBeforeMs: systemClock.now(),
    notAfterMs: systemClock.now() + 3_600_000,
  });
  certificatePath = join(folder, 'app.pem');
  const key = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' });
  await writeFile(certificatePath, `${key as string}${certificate}`);
  server.env.directory.put({ ...workload, certificates: [certificate] });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function assertion(): string {
  const nowSeconds = Math.floor(systemClock.now() / 1000);
  const claims = {
    iss: issuer,
    sub: subject,
    aud: 'api://AzureADTokenExchange',
    exp: nowSeconds + 600,
  };
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${signed}.${signature.toString('base64url')}`;
}

const options = () => ({
  authorityHost: server.entraUrl,
  disableInstanceDiscovery: true,
  tlsOptions: { ca: server.ca },
});

async function principalOf(credential: TokenCredential): Promise<unknown> {
  const token = await credential.getToken(`${server.armUrl}/.default`);
  return decodeToken(token?.token ?? '')?.claims['oid'];
}

test('workload identity logs in with the token of a service account', async () => {
  const tokenFilePath = join(folder, 'token');
  await writeFile(tokenFilePath, assertion());
  const { clientId } = workload;
  const tenantId = server.tenantId;
  const file = new WorkloadIdentityCredential({ ...options(), tenantId, clientId, tokenFilePath });
  const direct = new ClientAssertionCredential(
    tenantId,
    clientId,
    () => Promise.resolve(assertion()),
    options(),
  );
  expect([await principalOf(file), await principalOf(direct)]).toEqual([
    workload.objectId,
    workload.objectId,
  ]);
});

test('a certificate is proof enough', async () => {
  const credential = new ClientCertificateCredential(
    server.tenantId,
    workload.clientId,
    { certificatePath },
    options(),
  );
  expect(await principalOf(credential)).toBe(workload.objectId);
});

test('a managed identity gets its token from the endpoint of its environment', async () => {
  const handler = createIdentityEndpoint(
    { tokens: server.tokens, principals: () => [workload] },
    's3cret',
  );
  const endpoint = await HttpServer.listen({ handler, log: silentLogger });
  vi.stubEnv('IDENTITY_ENDPOINT', `${endpoint.url}/token`);
  vi.stubEnv('IDENTITY_HEADER', 's3cret');
  try {
    const credential = new ManagedIdentityCredential({ clientId: workload.clientId });
    expect(await principalOf(credential)).toBe(workload.objectId);
  } finally {
    await endpoint.close();
  }
});

test('a client whose answer was lost finds its work done', async () => {
  const { credential, options: clientOptions } = clientsOf(server);
  const client = new ResourceManagementClient(credential, subscriptionId, clientOptions);
  server.env.faults.add({
    operation: '*/resourceGroups/write',
    count: 1,
    effect: { kind: 'lose-response' },
  });
  await expect(client.resourceGroups.createOrUpdate('lost', { location })).rejects.toThrow(
    /aborted/,
  );
  const found = await client.resourceGroups.get('lost');
  expect(found.name).toBe('lost');
});
