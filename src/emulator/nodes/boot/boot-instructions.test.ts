import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatQuantity } from '../../../model/quantity.ts';
import { apiServer, bootScript, bootstrapToken, usualFlags } from '../node-fixture.ts';
import { readBoot, type BootReading } from './boot-instructions.ts';

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

function boot(customData: Uint8Array | string, ...commands: readonly string[]): BootReading {
  return readBoot({ customData, commands });
}

function instructionsOf(reading: BootReading) {
  if (reading.outcome !== 'boots') throw new Error(reading.reason);
  return reading.instructions;
}

const reasonOf = (reading: BootReading) =>
  reading.outcome === 'boots' ? 'boots' : `${reading.outcome}: ${reading.reason}`;

const withFlags = (flags: Readonly<Record<string, string>>) =>
  bootScript(pem, {}, { ...usualFlags, ...flags });

describe('instructions of a script', () => {
  const expected = {
    apiServer,
    certificateAuthority: pem,
    bootstrapToken,
    kubernetesVersion: '1.33.2',
    networkPlugin: 'none',
    hasGpuDriver: false,
  };

  test('are those of its variables', () => {
    const { kubelet, ...rest } = instructionsOf(boot(bootScript(pem)));
    const reserved = Object.entries(kubelet.kubeReserved).map(([name, amount]) => [
      name,
      formatQuantity(amount),
    ]);
    expect([rest, kubelet.labels, kubelet.taints, kubelet.maxPods, reserved]).toEqual([
      expected,
      { 'karpenter.sh/nodepool': 'default', 'kubernetes.azure.com/mode': 'user' },
      [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }],
      30,
      [
        ['cpu', '100m'],
        ['memory', '1843Mi'],
      ],
    ]);
  });

  test('are the same when it is compressed', () => {
    const { kubelet, ...rest } = instructionsOf(boot(gzipSync(bootScript(pem))));
    expect([rest, kubelet.maxPods]).toEqual([expected, 30]);
  });

  test('have the defaults of a kubelet where no flag says otherwise', () => {
    const { kubelet } = instructionsOf(boot(bootScript(pem, { KUBELET_FLAGS: '' })));
    expect([kubelet.maxPods, kubelet.taints, [...kubelet.evictionHard.keys()]]).toEqual([
      110,
      [],
      ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available'],
    ]);
  });

  test('name a GPU driver only when one is to be installed', () => {
    const both = { GPU_NODE: 'true', CONFIG_GPU_DRIVER_IF_NEEDED: 'true' };
    const has = (changes: Record<string, string>) =>
      instructionsOf(boot(bootScript(pem, changes))).hasGpuDriver;
    expect([has(both), has({ ...both, GPU_NODE: 'false' })]).toEqual([true, false]);
  });
});

describe('instructions of an extension', () => {
  const cloudConfig = `#cloud-config
write_files:
- path: /var/lib/kubelet/bootstrap-kubeconfig
  content: |
    users:
    - name: kubelet-bootstrap
      user:
        token: "filefi.0123456789abcdef"
`;
  const command = bootScript(pem).split('\n').slice(2).join(' ');

  test('are waited for', () => {
    expect([reasonOf(boot(cloudConfig)), reasonOf(boot(''))]).toEqual([
      'waits: waits for its custom script extension',
      'waits: waits for its custom script extension',
    ]);
  });

  test('come from its command', () => {
    const { bootstrapToken: token, kubelet } = instructionsOf(boot(cloudConfig, command));
    expect([token, kubelet.maxPods]).toEqual([bootstrapToken, 30]);
  });

  test('take the token from the file of the custom data when the command has none', () => {
    const without = command.replace(/TLS_BOOTSTRAP_TOKEN="[^"]*"/, 'TLS_BOOTSTRAP_TOKEN=""');
    expect(instructionsOf(boot(cloudConfig, without)).bootstrapToken).toBe(
      'filefi.0123456789abcdef',
    );
  });
});

describe('a machine never joins', () => {
  const broken = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('no gzip')]);

  test.each<[string, Uint8Array | string, string]>([
    [
      'when its custom data is no script',
      'hello',
      'custom data cannot be read: it begins with "hello", not with #! or #cloud-config',
    ],
    [
      'when its compression is broken',
      broken,
      'custom data cannot be read: it is compressed, and the compression is broken',
    ],
    [
      'when its cloud configuration is no YAML',
      '#cloud-config\n{',
      'custom data cannot be read: its cloud configuration is no YAML',
    ],
    [
      'without an API server',
      bootScript(pem, { API_SERVER_NAME: undefined }),
      'API_SERVER_NAME is not set',
    ],
    [
      'without a token',
      bootScript(pem, { TLS_BOOTSTRAP_TOKEN: '' }),
      'TLS_BOOTSTRAP_TOKEN is empty',
    ],
    [
      'without a version',
      bootScript(pem, { KUBERNETES_VERSION: 'latest' }),
      'KUBERNETES_VERSION latest is no version',
    ],
    [
      'with a flag that no kubelet knows',
      withFlags({ 'max-pod': '3' }),
      'kubelet: failed to parse kubelet flag: unknown flag: --max-pod',
    ],
    [
      'with a flag that its kubelet no longer knows',
      bootScript(pem, { KUBERNETES_VERSION: '1.35.0' }, { 'pod-infra-container-image': 'pause' }),
      'kubelet: failed to parse kubelet flag: unknown flag: --pod-infra-container-image',
    ],
    [
      'with labels that a kubelet may not set',
      bootScript(pem, { KUBELET_NODE_LABELS: 'a=b,kubernetes.io/role=agent,x.k8s.io/y=z' }),
      "kubelet: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [kubernetes.io/role x.k8s.io/y]",
    ],
    [
      'with a label that is none',
      bootScript(pem, { KUBELET_NODE_LABELS: 'a b=c' }),
      'kubelet: --node-labels: invalid label key "a b"',
    ],
    [
      'with a taint that is none',
      withFlags({ 'register-with-taints': 'a=b:Never' }),
      'kubelet: --register-with-taints: invalid taint spec: a=b:Never',
    ],
    [
      'with a taint twice',
      withFlags({ 'register-with-taints': 'a=b:NoExecute,a=c:NoExecute' }),
      'kubelet: --register-with-taints: duplicated taints with the same key and effect: a=c:NoExecute',
    ],
    [
      'with a number that is none',
      withFlags({ 'max-pods': 'many' }),
      'kubelet: invalid argument "many" for "--max-pods" flag',
    ],
    [
      'with an amount that is none',
      withFlags({ 'kube-reserved': 'cpu=much' }),
      'kubelet: --kube-reserved: cpu=much is not an amount of a resource',
    ],
    [
      'with a threshold that is none',
      withFlags({ 'eviction-hard': 'memory.available<some' }),
      'kubelet: --eviction-hard: memory.available<some is not a threshold',
    ],
  ])('%s', (_, customData, reason) => {
    expect(reasonOf(boot(customData))).toBe(`fails: ${reason}`);
  });

  test('but joins with a flag that only later kubelets dropped', () => {
    const script = bootScript(pem, {}, { 'pod-infra-container-image': 'pause' });
    expect(boot(script).outcome).toBe('boots');
  });
});
