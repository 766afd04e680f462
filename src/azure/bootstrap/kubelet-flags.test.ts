import { describe, expect, test } from 'vitest';
import type { KubeletConfiguration } from '../../api/aks-node-class.ts';
import { noOverhead } from '../../model/instance-type.ts';
import { kubeletFlags, type KubeletInputs } from './kubelet-flags.ts';
import { testPlan } from './test-node.ts';

const defaults: KubeletConfiguration = {
  cpuManagerPolicy: 'none',
  cpuCFSQuota: true,
  cpuCFSQuotaPeriod: '100ms',
  topologyManagerPolicy: 'none',
  containerLogMaxSize: '50Mi',
  containerLogMaxFiles: 5,
};

function flagsOf(inputs: Partial<KubeletInputs> = {}): Record<string, string> {
  const text = kubeletFlags({
    kubernetesVersion: '1.33.0',
    taints: [],
    maxPods: 250,
    clusterDns: '10.0.0.10',
    overhead: testPlan().instanceType.overhead,
    kubelet: undefined,
    ...inputs,
  });
  return Object.fromEntries(
    text.split(' ').map((flag) => {
      const equals = flag.indexOf('=');
      return [flag.slice(0, equals), flag.slice(equals + 1)];
    }),
  );
}

describe('the flags of a kubelet', () => {
  test('are these, on 1.33 with nothing set', () => {
    expect(flagsOf()).toEqual({
      '--address': '0.0.0.0',
      '--anonymous-auth': 'false',
      '--authentication-token-webhook': 'true',
      '--authorization-mode': 'Webhook',
      '--cgroups-per-qos': 'true',
      '--client-ca-file': '/etc/kubernetes/certs/ca.crt',
      '--cloud-config': '/etc/kubernetes/azure.json',
      '--cloud-provider': 'external',
      '--cluster-dns': '10.0.0.10',
      '--cluster-domain': 'cluster.local',
      '--enforce-node-allocatable': 'pods',
      '--event-qps': '0',
      '--eviction-hard': 'memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%',
      '--image-credential-provider-bin-dir': '/var/lib/kubelet/credential-provider',
      '--image-credential-provider-config': '/var/lib/kubelet/credential-provider-config.yaml',
      '--image-gc-high-threshold': '85',
      '--image-gc-low-threshold': '80',
      '--kube-reserved': 'cpu=140m,memory=2662Mi',
      '--kubeconfig': '/var/lib/kubelet/kubeconfig',
      '--max-pods': '250',
      '--node-status-update-frequency': '10s',
      '--pod-infra-container-image': 'mcr.microsoft.com/oss/kubernetes/pause:3.6',
      '--pod-manifest-path': '/etc/kubernetes/manifests',
      '--pod-max-pids': '-1',
      '--protect-kernel-defaults': 'true',
      '--read-only-port': '0',
      '--resolv-conf': '/run/systemd/resolve/resolv.conf',
      '--rotate-certificates': 'true',
      '--streaming-connection-idle-timeout': '4h',
      '--system-reserved': 'cpu=0,memory=0',
      '--tls-cert-file': '/etc/kubernetes/certs/kubeletserver.crt',
      '--tls-cipher-suites':
        'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_128_GCM_SHA256',
      '--tls-private-key-file': '/etc/kubernetes/certs/kubeletserver.key',
    });
  });

  test('are sorted by name, and the same for the same node', () => {
    const names = Object.keys(flagsOf());
    expect(names).toEqual(names.toSorted());
  });

  const versioned = [
    '--keep-terminated-pod-volumes',
    '--cloud-config',
    '--pod-infra-container-image',
    '--image-credential-provider-config',
    '--image-credential-provider-bin-dir',
    '--azure-container-registry-config',
    '--feature-gates',
  ];

  test.each([
    [
      '1.29.5',
      [
        '--keep-terminated-pod-volumes',
        '--cloud-config',
        '--pod-infra-container-image',
        '--azure-container-registry-config',
        '--feature-gates',
      ],
    ],
    [
      '1.30.0',
      [
        '--keep-terminated-pod-volumes',
        '--cloud-config',
        '--pod-infra-container-image',
        '--image-credential-provider-config',
        '--image-credential-provider-bin-dir',
      ],
    ],
    [
      '1.31.0',
      [
        '--cloud-config',
        '--pod-infra-container-image',
        '--image-credential-provider-config',
        '--image-credential-provider-bin-dir',
      ],
    ],
    [
      '1.34.0',
      [
        '--pod-infra-container-image',
        '--image-credential-provider-config',
        '--image-credential-provider-bin-dir',
      ],
    ],
    ['1.35.0', ['--image-credential-provider-config', '--image-credential-provider-bin-dir']],
  ])('on %s are those that it knows', (kubernetesVersion, names) => {
    const flags = flagsOf({ kubernetesVersion });
    expect(versioned.filter((name) => name in flags)).toEqual(names);
  });

  test('have old kubelets log in to registries by themselves', () => {
    const flags = flagsOf({ kubernetesVersion: '1.29.0' });
    expect([flags['--feature-gates'], flags['--azure-container-registry-config']]).toEqual([
      'DisableKubeletCloudCredentialProviders=false',
      '/etc/kubernetes/azure.json',
    ]);
  });

  test('name the taints to register with', () => {
    const taints = ['team=a:NoSchedule', 'karpenter.sh/unregistered:NoExecute'];
    expect(flagsOf({ taints })['--register-with-taints']).toBe(taints.join());
  });

  test('say 0 pods when there are to be none', () => {
    expect(flagsOf({ maxPods: 0 })['--max-pods']).toBe('0');
  });

  test('keep the usual floor of memory when the type has none, and reserve nothing', () => {
    const flags = flagsOf({ overhead: noOverhead });
    expect([
      flags['--eviction-hard'],
      flags['--kube-reserved'],
      flags['--system-reserved'],
    ]).toEqual([
      'memory.available<750Mi,nodefs.available<10%,nodefs.inodesFree<5%',
      undefined,
      undefined,
    ]);
  });

  test('carry every setting of the class', () => {
    const kubelet: Required<KubeletConfiguration> = {
      cpuManagerPolicy: 'static',
      cpuCFSQuota: false,
      cpuCFSQuotaPeriod: '50ms',
      imageGCHighThresholdPercent: 42,
      imageGCLowThresholdPercent: 24,
      topologyManagerPolicy: 'best-effort',
      allowedUnsafeSysctls: ['net.core.somaxconn', 'kernel.msg*'],
      containerLogMaxSize: '42Mi',
      containerLogMaxFiles: 13,
      podPidsLimit: 99,
      failSwapOn: false,
    };
    expect(flagsOf({ kubelet })).toMatchObject({
      '--cpu-manager-policy': 'static',
      '--cpu-cfs-quota': 'false',
      '--cpu-cfs-quota-period': '50ms',
      '--feature-gates': 'CustomCPUCFSQuotaPeriod=true',
      '--image-gc-high-threshold': '42',
      '--image-gc-low-threshold': '24',
      '--topology-manager-policy': 'best-effort',
      '--allowed-unsafe-sysctls': 'net.core.somaxconn,kernel.msg*',
      '--container-log-max-size': '42Mi',
      '--container-log-max-files': '13',
      '--pod-max-pids': '99',
      '--fail-swap-on': 'false',
    });
  });

  test('leave the usual quota period alone: naming it would need a feature gate', () => {
    const flags = flagsOf({ kubelet: defaults });
    expect(['--cpu-cfs-quota-period', '--feature-gates'].filter((name) => name in flags)).toEqual(
      [],
    );
  });

  test('join feature gates where two are needed', () => {
    const kubelet = { ...defaults, cpuCFSQuotaPeriod: '0.2s' };
    expect(flagsOf({ kubelet, kubernetesVersion: '1.29.0' })).toMatchObject({
      '--cpu-cfs-quota-period': '200ms',
      '--feature-gates':
        'CustomCPUCFSQuotaPeriod=true,DisableKubeletCloudCredentialProviders=false',
    });
  });

  test('leave as they are what the class leaves open', () => {
    expect(flagsOf({ kubelet: defaults })).toMatchObject({
      '--image-gc-high-threshold': '85',
      '--image-gc-low-threshold': '80',
      '--pod-max-pids': '-1',
    });
    expect(flagsOf({ kubelet: defaults })['--allowed-unsafe-sysctls']).toBeUndefined();
  });
});
