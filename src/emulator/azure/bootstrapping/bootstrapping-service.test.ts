import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kube/json.ts';
import { ask, owner, type TestAzure } from '../azure-fixture.ts';
import { azureWithCluster, clusterId } from '../containerservice/container-service-fixture.ts';
import { reservedCpuMillis, reservedMemoryMib } from './reserved.ts';

const path = `${clusterId.replace('managedClusters', 'managedclusters')}/nodeBootstrapping`;

function profile(changes: JsonObject = {}): JsonObject {
  return {
    name: '',
    architecture: 'x64',
    osType: 2,
    osSku: 1,
    vmSize: 'Standard_D2s_v3',
    distro: 'aks-ubuntu-containerd-22.04-gen2',
    orchestratorVersion: '1.35.4',
    vnetSubnetID:
      '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n',
    vnetCidrs: [],
    storageProfile: 'ManagedDisks',
    customNodeLabels: { 'karpenter.sh/nodepool': 'default', weird: 'a"b$c`d\\e' },
    nodeTaints: ['dedicated=gpu:NoSchedule'],
    nodeInitializationTaints: ['karpenter.sh/unregistered:NoExecute'],
    mode: 2,
    maxPods: 250,
    securityProfile: { sshAccess: 0 },
    enableFIPS: false,
    artifactStreamingProfile: { enabled: false },
    customKubeletConfig: {},
    ...changes,
  };
}

async function bootstrap(
  azure: TestAzure,
  body: string,
  changes: {
    readonly target?: string;
    readonly authorization?: string;
    readonly method?: string;
  } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { target = path, method = 'GET' } = changes;
  const authorization = changes.authorization ?? `Bearer ${azure.tokenOf(owner)}`;
  let text = '';
  const { status } = await ask(
    async (request) => {
      const reply = await azure.azure.bootstrappingHandler(request);
      text = reply.body as string;
      return { ...reply, body: '{}' };
    },
    { method, target, headers: { authorization }, body },
  );
  return { status, text };
}

const values = (changes?: JsonObject): string =>
  JSON.stringify({
    provisionProfile: profile(changes),
    provisionHelperValues: { skuCPU: 2, skuMemory: 8 },
  });

describe('the bootstrapping service', () => {
  test('answers with custom data and a script that have a gap for the token', async () => {
    const azure = await azureWithCluster();
    const { status, text } = await bootstrap(azure, values());
    const answer = JSON.parse(text) as { readonly cse: string; readonly customData: string };
    const script = Buffer.from(answer.customData, 'base64').toString();
    expect([status, Object.keys(answer)]).toEqual([200, ['cse', 'customData']]);
    expect(script).toContain('token: "{{.TokenID}}.{{.TokenSecret}}"');
    expect(script).toContain('server: https://127.0.0.1:6443');
    for (const part of [
      'TLS_BOOTSTRAP_TOKEN="{{.TokenID}}.{{.TokenSecret}}"',
      'KUBERNETES_VERSION="1.35.4"',
      '--max-pods=250',
      '--kube-reserved=cpu=100m,memory=2048Mi',
      '--register-with-taints=dedicated=gpu:NoSchedule,karpenter.sh/unregistered:NoExecute',
      'SUBNET="n" VIRTUAL_NETWORK="v"',
      String.raw`weird=a\"b\$c\`d\\e`,
    ]) {
      expect(answer.cse).toContain(part);
    }
  });

  test.each([
    [{ osType: 1 }, 'osType 1'],
    [{ osSku: 3 }, 'osSku 3'],
    [{ vmSize: 'Standard_X' }, 'Standard_X'],
    [{ architecture: 'Arm64' }, 'Arm64'],
    [{ orchestratorVersion: '1.20.0' }, '1.20.0'],
    [{ distro: '' }, 'distro'],
    [{ surprise: true }, 'surprise'],
  ])('refuses %j in plain text', async (changes, word) => {
    const azure = await azureWithCluster();
    const { status, text } = await bootstrap(azure, values(changes));
    expect([status, text]).toEqual([400, expect.stringContaining(word)]);
  });

  test('wants a token, a cluster, a body and the right method', async () => {
    const azure = await azureWithCluster();
    const statuses = [
      await bootstrap(azure, values(), { authorization: '' }),
      await bootstrap(azure, values(), { authorization: 'Bearer nonsense' }),
      await bootstrap(azure, values(), { target: path.replace('/prod/', '/other/') }),
      await bootstrap(azure, values(), { target: '/elsewhere' }),
      await bootstrap(azure, 'no json'),
      await bootstrap(azure, '{}'),
      await bootstrap(azure, values(), { method: 'POST' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 404, 404, 400, 400, 405]);
  });

  test('answers only who may read the cluster', async () => {
    const azure = await azureWithCluster();
    const stranger = {
      objectId: '00000000-0000-4000-8000-000000000002',
      clientId: '00000000-0000-4000-8000-0000000000a2',
      displayName: 'stranger',
      kind: 'Application',
    } as const;
    azure.azure.env.directory.put(stranger);
    const authorization = `Bearer ${azure.tokenOf(stranger)}`;
    expect((await bootstrap(azure, values(), { authorization })).status).toBe(403);
  });
});

test.each([
  [1, 60],
  [2, 100],
  [3, 120],
  [64, 740],
  [96, 1060],
])('of %i cores %i millicores are kept for Kubernetes', (vCpus, millis) => {
  expect(reservedCpuMillis(vCpus)).toBe(millis);
});

test.each([
  [30, 8, 650],
  [250, 8, 2048],
  [110, 64, 2250],
])('for %i pods on %i GiB %i MiB are kept', (maxPods, memoryGib, mebibytes) => {
  expect(reservedMemoryMib({ maxPods, memoryGib })).toBe(mebibytes);
});
