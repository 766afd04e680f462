// The flags of a kubelet. In: version, taints, the class's settings, and what the machine keeps for itself. Out: the
// text for the image's scripts, flags sorted by name, so that equal nodes get equal payloads.
// Flags that a version of the kubelet no longer knows are left out: it refuses to start with them.
import type { KubeletConfiguration } from '../../api/aks-node-class.ts';
import type { Overhead } from '../../model/instance-type.ts';
import { formatDuration, parseDuration } from '../../model/duration.ts';
import {
  formatAmount,
  resourceName,
  type Resources,
  toResourceList,
} from '../../model/resources.ts';
import { hasCredentialProvider } from './downloads.ts';
import { minorOf } from './kubernetes-minor.ts';

export interface KubeletInputs {
  readonly kubernetesVersion: string;
  readonly taints: readonly string[];
  readonly maxPods: number;
  readonly clusterDns: string;
  readonly overhead: Overhead;
  readonly kubelet: KubeletConfiguration | undefined;
}

type Flags = Readonly<Record<string, string>>;

/** Goes to the sandbox of every pod. */
export const pauseImage = 'mcr.microsoft.com/oss/kubernetes/pause:3.6';

const cipherSuites = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
];

const baseFlags: Flags = {
  address: '0.0.0.0',
  'anonymous-auth': 'false',
  'authentication-token-webhook': 'true',
  'authorization-mode': 'Webhook',
  'cgroups-per-qos': 'true',
  'client-ca-file': '/etc/kubernetes/certs/ca.crt',
  'cloud-provider': 'external',
  'cluster-domain': 'cluster.local',
  'enforce-node-allocatable': 'pods',
  'event-qps': '0',
  'image-gc-high-threshold': '85',
  'image-gc-low-threshold': '80',
  kubeconfig: '/var/lib/kubelet/kubeconfig',
  'node-status-update-frequency': '10s',
  'pod-manifest-path': '/etc/kubernetes/manifests',
  'pod-max-pids': '-1',
  'protect-kernel-defaults': 'true',
  'read-only-port': '0',
  'resolv-conf': '/run/systemd/resolve/resolv.conf',
  'rotate-certificates': 'true',
  'streaming-connection-idle-timeout': '4h',
  'tls-cert-file': '/etc/kubernetes/certs/kubeletserver.crt',
  'tls-cipher-suites': cipherSuites.join(),
  'tls-private-key-file': '/etc/kubernetes/certs/kubeletserver.key',
};

/** The kubelet's own: what is given in its place needs a feature gate. */
const defaultQuotaPeriodNanoseconds = 100_000_000n;

type FlagOf = (kubelet: KubeletConfiguration) => boolean | number | string | undefined;

const classFlags: Readonly<Record<string, FlagOf>> = {
  'cpu-manager-policy': ({ cpuManagerPolicy }) => cpuManagerPolicy,
  'cpu-cfs-quota': ({ cpuCFSQuota }) => cpuCFSQuota,
  'cpu-cfs-quota-period': customQuotaPeriod,
  'image-gc-high-threshold': ({ imageGCHighThresholdPercent }) => imageGCHighThresholdPercent,
  'image-gc-low-threshold': ({ imageGCLowThresholdPercent }) => imageGCLowThresholdPercent,
  'topology-manager-policy': ({ topologyManagerPolicy }) => topologyManagerPolicy,
  'allowed-unsafe-sysctls': ({ allowedUnsafeSysctls = [] }) => allowedUnsafeSysctls.join(),
  'container-log-max-size': ({ containerLogMaxSize }) => containerLogMaxSize,
  'container-log-max-files': ({ containerLogMaxFiles }) => containerLogMaxFiles,
  'pod-max-pids': ({ podPidsLimit }) => podPidsLimit,
  'fail-swap-on': ({ failSwapOn }) => failSwapOn,
};

export function kubeletFlags(inputs: KubeletInputs): string {
  const flags = {
    ...baseFlags,
    ...versionFlags(inputs),
    'max-pods': String(inputs.maxPods),
    'cluster-dns': inputs.clusterDns,
    ...reservationFlags(inputs.overhead),
    ...settingsOf(inputs.kubelet),
    'register-with-taints': inputs.taints.join(),
  };
  return Object.entries(flags)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `--${name}=${value}`)
    .join(' ');
}

function versionFlags({ kubernetesVersion, kubelet }: KubeletInputs): Flags {
  const minor = minorOf(kubernetesVersion);
  const external = hasCredentialProvider(kubernetesVersion);
  const gates = [
    ...(kubelet !== undefined && customQuotaPeriod(kubelet) !== undefined
      ? ['CustomCPUCFSQuotaPeriod=true']
      : []),
    ...(external ? [] : ['DisableKubeletCloudCredentialProviders=false']),
  ];
  return {
    ...(minor < 31 && { 'keep-terminated-pod-volumes': 'false' }),
    ...(minor < 34 && { 'cloud-config': '/etc/kubernetes/azure.json' }),
    ...(minor < 35 && { 'pod-infra-container-image': pauseImage }),
    ...(external
      ? {
          'image-credential-provider-config': '/var/lib/kubelet/credential-provider-config.yaml',
          'image-credential-provider-bin-dir': '/var/lib/kubelet/credential-provider',
        }
      : { 'azure-container-registry-config': '/etc/kubernetes/azure.json' }),
    'feature-gates': gates.join(),
  };
}

/** What instance types were reckoned with; disks are guarded beside memory, which the original forgets. */
function reservationFlags({ kubeReserved, systemReserved, evictionThreshold }: Overhead): Flags {
  const memory = evictionThreshold.get(resourceName.memory);
  const memoryFloor = memory === undefined ? '750Mi' : formatAmount(resourceName.memory, memory);
  return {
    'kube-reserved': listOf(kubeReserved),
    'system-reserved': listOf(systemReserved),
    'eviction-hard': `memory.available<${memoryFloor},nodefs.available<10%,nodefs.inodesFree<5%`,
  };
}

function listOf(resources: Resources): string {
  return Object.entries(toResourceList(resources))
    .map(([name, amount]) => `${name}=${amount}`)
    .join();
}

/** What the class leaves open stays as it is. */
function settingsOf(kubelet: KubeletConfiguration | undefined): Flags {
  if (kubelet === undefined) return {};
  const settings: Record<string, string> = {};
  for (const [name, flagOf] of Object.entries(classFlags)) {
    const value = flagOf(kubelet) ?? '';
    if (value !== '') settings[name] = String(value);
  }
  return settings;
}

function customQuotaPeriod({ cpuCFSQuotaPeriod }: KubeletConfiguration): string | undefined {
  const nanoseconds = parseDuration(cpuCFSQuotaPeriod);
  const isCustom = nanoseconds !== 0n && nanoseconds !== defaultQuotaPeriodNanoseconds;
  return isCustom ? formatDuration(nanoseconds) : undefined;
}
