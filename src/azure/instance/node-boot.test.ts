import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { Transport } from '../arm/transport.ts';
import { testCluster, testPlan } from '../bootstrap/test-node.ts';
import { scriptlessBoot, serviceBoot } from './node-boot.ts';

const { signal } = new AbortController();
const gap = '{{.TokenID}}.{{.TokenSecret}}';
const asBase64 = (text: string) => Buffer.from(text).toString('base64');

function bootWith(transport: Transport, server = 'bootstrap.local:8080') {
  const clock = new VirtualClock();
  const tokens = { token: () => Promise.resolve('arm-token'), forget: () => undefined };
  const boot = serviceBoot({ server, transport, tokens, clock });
  return { clock, boot: () => boot(testCluster(), testPlan(), signal) };
}

const answering =
  (status: number, body: unknown): Transport =>
  () =>
    Promise.resolve({ status, headers: {}, text: JSON.stringify(body) });

describe('a node boots', () => {
  test('from custom data alone where its image knows the rest', async () => {
    const boot = await scriptlessBoot(testCluster(), testPlan(), signal);
    expect(boot.command).toBeUndefined();
    expect(Buffer.from(boot.customData, 'base64').toString()).toContain('provision_start.sh');
  });

  test('not at all in a cloud that its image does not know', async () => {
    const cluster = testCluster({ cloud: 'AzureStackCloud' });
    await expect(scriptlessBoot(cluster, testPlan(), signal)).rejects.toMatchObject({
      code: 'BootstrapRefused',
    });
  });

  test('as the service says, with the token filled in', async () => {
    const asked: string[] = [];
    const { boot } = bootWith((request) => {
      const { method, url, headers, body = '' } = request;
      asked.push(`${method} ${url} ${headers['authorization']} ${body.slice(0, 19)}`);
      const customData = asBase64(`token ${gap}`);
      return answering(200, { customData, cse: `run ${gap}` })(request);
    });
    expect(await boot()).toEqual({
      customData: asBase64('token abcdef.0123456789abcdef'),
      command: 'run abcdef.0123456789abcdef',
    });
    expect(asked).toEqual([
      'GET http://bootstrap.local:8080/subscriptions/sub-1/resourceGroups/cluster-group/providers/Microsoft.ContainerService/managedclusters/cluster-1/nodeBootstrapping Bearer arm-token {"provisionProfile"',
    ]);
  });

  test('from a server whose address names its scheme', async () => {
    const urls: string[] = [];
    const { boot } = bootWith((request) => {
      urls.push(request.url);
      return answering(200, { customData: asBase64('x'), cse: 'y' })(request);
    }, 'https://bootstrap.local');
    await boot();
    expect(urls[0]).toMatch(/^https:\/\/bootstrap\.local\/subscriptions\//);
  });

  test.each([
    ['is refused', answering(500, 'no')],
    ['comes without a script', answering(200, { customData: asBase64('x') })],
    ['comes without custom data', answering(200, { cse: 'y' })],
  ])('not when the answer %s', async (_, transport) => {
    await expect(bootWith(transport).boot()).rejects.toMatchObject({ code: 'BootstrapRefused' });
  });

  test('not when the answer takes longer than half a minute', async () => {
    const { clock, boot } = bootWith(() => new Promise<never>(() => undefined));
    const waiting = expect(boot()).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    await clock.advance(30_000);
    await waiting;
  });
});
