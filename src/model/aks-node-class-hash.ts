// The hash of how an AKSNodeClass makes machines. In: its spec. Out: the decimal text for the annotation
// `karpenter.azure.com/aksnodeclass-hash`, under `aksNodeClassHashVersion`.
// Everything in the spec counts but tags, which are changed in place. The names are those of the original's
// types, and the order is theirs: both are part of the hash.
import type {
  AKSNodeClassSpec,
  KubeletConfiguration,
  LinuxOsConfiguration,
  LocalDns,
  LocalDnsZoneOverride,
  SysctlConfiguration,
} from '../api/aks-node-class.ts';
import { parseDuration } from './duration.ts';
import {
  booleanHash,
  durationHash,
  ifPresent,
  integerHash,
  listHash,
  nillableDurationHash,
  nonEmptyHash,
  type PartHash,
  structHash,
  textHash,
} from './structural-hash.ts';

export const aksNodeClassHashVersion = 'v3';

/** Field of a sysctl → its name in the hash, in the order that counts. */
const sysctlNames: readonly (readonly [keyof SysctlConfiguration, string])[] = [
  ['fsAioMaxNr', 'FsAioMaxNr'],
  ['fsFileMax', 'FsFileMax'],
  ['fsInotifyMaxUserWatches', 'FsInotifyMaxUserWatches'],
  ['fsNrOpen', 'FsNrOpen'],
  ['kernelThreadsMax', 'KernelThreadsMax'],
  ['netCoreNetdevMaxBacklog', 'NetCoreNetdevMaxBacklog'],
  ['netCoreOptmemMax', 'NetCoreOptmemMax'],
  ['netCoreRmemDefault', 'NetCoreRmemDefault'],
  ['netCoreRmemMax', 'NetCoreRmemMax'],
  ['netCoreSomaxconn', 'NetCoreSomaxconn'],
  ['netCoreWmemDefault', 'NetCoreWmemDefault'],
  ['netCoreWmemMax', 'NetCoreWmemMax'],
  ['netIPv4IPLocalPortRange', 'NetIPv4IPLocalPortRange'],
  ['netIPv4NeighDefaultGcThresh1', 'NetIPv4NeighDefaultGcThresh1'],
  ['netIPv4NeighDefaultGcThresh2', 'NetIPv4NeighDefaultGcThresh2'],
  ['netIPv4NeighDefaultGcThresh3', 'NetIPv4NeighDefaultGcThresh3'],
  ['netIPv4TCPFinTimeout', 'NetIPv4TCPFinTimeout'],
  ['netIPv4TCPKeepaliveProbes', 'NetIPv4TCPKeepaliveProbes'],
  ['netIPv4TCPKeepaliveTime', 'NetIPv4TCPKeepaliveTime'],
  ['netIPv4TCPMaxSynBacklog', 'NetIPv4TCPMaxSynBacklog'],
  ['netIPv4TCPMaxTwBuckets', 'NetIPv4TCPMaxTwBuckets'],
  ['netIPv4TCPTwReuse', 'NetIPv4TCPTwReuse'],
  ['netIPv4TCPKeepaliveIntvl', 'NetIPv4TCPKeepaliveIntvl'],
  ['netNetfilterNfConntrackBuckets', 'NetNetfilterNfConntrackBuckets'],
  ['netNetfilterNfConntrackMax', 'NetNetfilterNfConntrackMax'],
  ['vmMaxMapCount', 'VMMaxMapCount'],
  ['vmSwappiness', 'VMSwappiness'],
  ['vmVfsCachePressure', 'VMVfsCachePressure'],
];

/** Accepts a spec before defaulting too: what is not there does not count. */
export function aksNodeClassHash(spec: Partial<AKSNodeClassSpec> = {}): string {
  const hash = structHash('AKSNodeClassSpec', [
    ['VNETSubnetID', ifPresent(spec.vnetSubnetID, textHash)],
    ['OSDiskSizeGB', ifPresent(spec.osDiskSizeGB, int32)],
    ['ImageFamily', ifPresent(spec.imageFamily, textHash)],
    ['FIPSMode', ifPresent(spec.fipsMode, textHash)],
    ['Kubelet', ifPresent(spec.kubelet, kubeletHash)],
    ['MaxPods', ifPresent(spec.maxPods, int32)],
    ['Security', ifPresent(spec.security, securityHash)],
    ['LocalDNS', ifPresent(spec.localDNS, localDnsHash)],
    ['GPU', ifPresent(spec.gpu, gpuHash)],
    ['ArtifactStreaming', ifPresent(spec.artifactStreaming, artifactStreamingHash)],
    ['LinuxOSConfig', ifPresent(spec.linuxOSConfig, linuxHash)],
  ]);
  return hash.toString();
}

function kubeletHash(kubelet: Partial<KubeletConfiguration>): bigint {
  return structHash('KubeletConfiguration', [
    ['CPUManagerPolicy', ifPresent(kubelet.cpuManagerPolicy, textHash)],
    ['CPUCFSQuota', ifPresent(kubelet.cpuCFSQuota, booleanHash)],
    ['CPUCFSQuotaPeriod', nonZeroDurationHash(kubelet.cpuCFSQuotaPeriod)],
    ['ImageGCHighThresholdPercent', ifPresent(kubelet.imageGCHighThresholdPercent, int32)],
    ['ImageGCLowThresholdPercent', ifPresent(kubelet.imageGCLowThresholdPercent, int32)],
    ['TopologyManagerPolicy', ifPresent(kubelet.topologyManagerPolicy, textHash)],
    ['AllowedUnsafeSysctls', ifPresent(kubelet.allowedUnsafeSysctls, textsHash)],
    ['ContainerLogMaxSize', ifPresent(kubelet.containerLogMaxSize, textHash)],
    ['ContainerLogMaxFiles', ifPresent(kubelet.containerLogMaxFiles, int32)],
    ['PodPidsLimit', ifPresent(kubelet.podPidsLimit, int64)],
    ['FailSwapOn', ifPresent(kubelet.failSwapOn, booleanHash)],
  ]);
}

function securityHash(security: NonNullable<AKSNodeClassSpec['security']>): bigint {
  return structHash('Security', [
    ['EncryptionAtHost', ifPresent(security.encryptionAtHost, booleanHash)],
    [
      'TrustedLaunch',
      ifPresent(security.trustedLaunch, ({ vtpm, secureBoot }) =>
        structHash('TrustedLaunch', [
          ['VTPM', ifPresent(vtpm, booleanHash)],
          ['SecureBoot', ifPresent(secureBoot, booleanHash)],
        ]),
      ),
    ],
  ]);
}

function localDnsHash(localDns: Partial<LocalDns>): bigint {
  return structHash('LocalDNS', [
    ['Mode', nonEmptyHash(localDns.mode)],
    ['VnetDNSOverrides', ifPresent(localDns.vnetDNSOverrides, zonesHash)],
    ['KubeDNSOverrides', ifPresent(localDns.kubeDNSOverrides, zonesHash)],
  ]);
}

function zonesHash(zones: readonly Partial<LocalDnsZoneOverride>[]): bigint {
  return listHash(
    zones.map((zone) =>
      structHash('LocalDNSZoneOverride', [
        ['Zone', nonEmptyHash(zone.zone)],
        ['QueryLogging', nonEmptyHash(zone.queryLogging)],
        ['Protocol', nonEmptyHash(zone.protocol)],
        ['ForwardDestination', nonEmptyHash(zone.forwardDestination)],
        ['ForwardPolicy', nonEmptyHash(zone.forwardPolicy)],
        ['MaxConcurrent', ifPresent(zone.maxConcurrent, int32)],
        ['CacheDuration', nillableDurationHash(zone.cacheDuration)],
        ['ServeStaleDuration', nillableDurationHash(zone.serveStaleDuration)],
        ['ServeStale', nonEmptyHash(zone.serveStale)],
      ]),
    ),
  );
}

function gpuHash({ mode }: Partial<NonNullable<AKSNodeClassSpec['gpu']>>): bigint {
  return structHash('GPU', [['Mode', ifPresent(mode, textHash)]]);
}

function artifactStreamingHash({
  enabled,
}: NonNullable<AKSNodeClassSpec['artifactStreaming']>): bigint {
  return structHash('ArtifactStreaming', [['Enabled', ifPresent(enabled, booleanHash)]]);
}

function linuxHash(linux: LinuxOsConfiguration): bigint {
  return structHash('LinuxOSConfiguration', [
    ['SwapFileSize', ifPresent(linux.swapFileSize, textHash)],
    ['Sysctls', ifPresent(linux.sysctls, sysctlsHash)],
    ['TransparentHugePageDefrag', ifPresent(linux.transparentHugePageDefrag, textHash)],
    ['TransparentHugePageEnabled', ifPresent(linux.transparentHugePageEnabled, textHash)],
  ]);
}

function sysctlsHash(sysctls: SysctlConfiguration): bigint {
  return structHash(
    'SysctlConfiguration',
    sysctlNames.map(([field, name]) => [name, ifPresent(sysctls[field], scalarHash)]),
  );
}

function scalarHash(value: string | number | boolean): bigint {
  if (typeof value === 'number') return int32(value);
  return typeof value === 'string' ? textHash(value) : booleanHash(value);
}

function textsHash(texts: readonly string[]): bigint {
  return listHash(texts.map(textHash));
}

/** Kept by value in the original, so that zero is the same as absent. */
function nonZeroDurationHash(text: string | undefined): PartHash {
  return text === undefined || parseDuration(text) === 0n ? undefined : durationHash(text);
}

function int32(value: number): bigint {
  return integerHash(value, 4);
}

function int64(value: number): bigint {
  return integerHash(value, 8);
}
