// Credentials and wire as they are in production: Azure's identity library, its HTTP pipeline, TLS, real time; only the Azure
// at the other end is ours.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { armMetrics } from '../../src/azure/arm/arm-metrics.ts';
import { imageVersionSource } from '../../src/azure/arm/images.ts';
import { Arm } from '../../src/azure/arm/send.ts';
import { skuSource } from '../../src/azure/arm/skus.ts';
import { getSubnet, getVirtualNetworkGuid } from '../../src/azure/arm/subnets.ts';
import { pipelineTransport } from '../../src/azure/arm/transport.ts';
import { credentialFrom } from '../../src/azure/identity/credential.ts';
import { TokenCache } from '../../src/azure/identity/token-cache.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { MetricsRegistry } from '../../src/base/metrics.ts';
import { systemRandom } from '../../src/base/random.ts';
import { tenantId, testImages, testSizes } from '../../src/emulator/azure/azure-fixture.ts';
import type { AzureServer } from '../../src/emulator/azure/server.ts';
import { location, owner, startTestAzure, subscriptionId } from '../conformance/azure/sdk.ts';

let server: AzureServer;

beforeAll(async () => {
  server = await startTestAzure({ sizes: testSizes, images: testImages });
});

afterAll(() => server.stop());

function armWith(secret: string, certificateAuthority: string | undefined): Arm {
  const credential = credentialFrom({
    env: {
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: owner.clientId,
      AZURE_CLIENT_SECRET: secret,
      AZURE_TOKEN_CREDENTIALS: 'EnvironmentCredential',
    },
    cloud: { authorityHost: server.entraUrl },
    certificateAuthority,
  });
  return new Arm({
    endpoint: server.armUrl,
    transport: pipelineTransport({ certificateAuthority }),
    tokens: new TokenCache({
      credential: { getToken: (scope, options) => credential.getToken(scope, options) },
      scope: `${server.armUrl}/.default`,
      clock: systemClock,
    }),
    clock: systemClock,
    random: systemRandom(),
    log: silentLogger,
    metrics: armMetrics(new MetricsRegistry()),
    userAgent: 'karpenter-aks/v0.1.0',
  });
}

describe('over TLS and with a token of the directory', () => {
  const { signal } = new AbortController();
  const region = { subscriptionId, location };

  test('sizes are read, page after page', async () => {
    const names = new Set<string | undefined>();
    for await (const page of skuSource(armWith('owner-secret', server.ca), region).list(signal)) {
      for (const { name } of page) names.add(name);
    }
    expect(names).toContain('Standard_D2s_v3');
  });

  test('versions of images are read from both kinds of gallery', async () => {
    const source = imageVersionSource(armWith('owner-secret', server.ca), region);
    const gallery = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
    const community = await source.listCommunity(
      { gallery, definition: '2204gen2containerd' },
      signal,
    );
    const shared = await source.listNodeImageVersions(signal);
    expect(community.map(({ name }) => name)).toContain('202502.09.0');
    expect(shared).toContainEqual(
      expect.objectContaining({
        os: 'AKSUbuntu',
        sku: '2204gen2containerd',
        version: '202502.09.0',
      }),
    );
  });

  test('what is not there is undefined', async () => {
    const arm = armWith('owner-secret', server.ca);
    const group = `/subscriptions/${subscriptionId}/resourceGroups/none`;
    const network = `${group}/providers/Microsoft.Network/virtualNetworks/v`;
    expect(await getSubnet(arm, `${network}/subnets/s`, signal)).toBeUndefined();
    expect(await getVirtualNetworkGuid(arm, network, signal)).toBeUndefined();
  });

  test('a server that nobody vouches for is not spoken to', async () => {
    const arm = new Arm({
      endpoint: server.armUrl,
      transport: pipelineTransport(),
      tokens: { token: () => Promise.resolve('secret'), forget: () => undefined },
      // Nothing is waited for between tries.
      clock: {
        ...systemClock,
        setTimer: (delayMs, run, label) =>
          systemClock.setTimer(label === 'azure retry' ? 0 : delayMs, run),
      },
      random: systemRandom(),
      log: silentLogger,
      metrics: armMetrics(new MetricsRegistry()),
      userAgent: 'karpenter-aks/v0.1.0',
    });
    await expect(
      arm.send({ method: 'GET', path: '/subscriptions', apiVersion: '2022-12-01', signal }),
    ).rejects.toMatchObject({
      code: 'AzureUnreachable',
      cause: { message: expect.stringMatching(/certificate/i) as string },
    });
  });
});
