// `spec.linuxOSConfig` of an AKSNodeClass: kernel settings that AKS allows, each with its range.
import { sizePattern } from './kubelet.ts';
import type { ValidationRule } from './open-api.ts';
import { boolean, integer, object, optional, string } from './schema.ts';

function sysctl(kernelName: string, minimum: number, maximum: number) {
  return optional(
    integer({
      description: `The kernel's ${kernelName}.`,
      format: 'int32',
      minimum,
      maximum,
    }),
  );
}

function ascending(lower: string, upper: string): ValidationRule {
  return {
    rule: `has(self.${lower}) && has(self.${upper}) ? self.${lower} <= self.${upper} : true`,
    message: `${lower} must be <= ${upper}`,
  };
}

const portRange = 'netIPv4IPLocalPortRange';
const firstPort = `int(self.${portRange}.split(' ')[0])`;
const lastPort = `int(self.${portRange}.split(' ')[1])`;

// 128 MiB: the most that AKS allows for a socket buffer.
const socketBufferMax = 134_217_728;

const sysctls = object(
  {
    fsAioMaxNr: sysctl('fs.aio-max-nr', 65_536, 6_553_500),
    fsFileMax: sysctl('fs.file-max', 8192, 12_000_500),
    fsInotifyMaxUserWatches: sysctl('fs.inotify.max_user_watches', 781_250, 2_097_152),
    fsNrOpen: sysctl('fs.nr_open', 8192, 20_000_500),
    kernelThreadsMax: sysctl('kernel.threads-max', 20, 513_785),
    netCoreNetdevMaxBacklog: sysctl('net.core.netdev_max_backlog', 1000, 3_240_000),
    netCoreOptmemMax: sysctl('net.core.optmem_max', 20_480, 4_194_304),
    netCoreRmemDefault: sysctl('net.core.rmem_default', 212_992, socketBufferMax),
    netCoreRmemMax: sysctl('net.core.rmem_max', 212_992, socketBufferMax),
    netCoreSomaxconn: sysctl('net.core.somaxconn', 4096, 3_240_000),
    netCoreWmemDefault: sysctl('net.core.wmem_default', 212_992, socketBufferMax),
    netCoreWmemMax: sysctl('net.core.wmem_max', 212_992, socketBufferMax),
    netIPv4IPLocalPortRange: optional(
      string({
        description:
          "The kernel's net.ipv4.ip_local_port_range: first port (1024 to 60999), a space, last port (32768 to 65535).",
        pattern: '^\\d+ \\d+$',
      }),
    ),
    netIPv4NeighDefaultGcThresh1: sysctl('net.ipv4.neigh.default.gc_thresh1', 128, 80_000),
    netIPv4NeighDefaultGcThresh2: sysctl('net.ipv4.neigh.default.gc_thresh2', 512, 90_000),
    netIPv4NeighDefaultGcThresh3: sysctl('net.ipv4.neigh.default.gc_thresh3', 1024, 100_000),
    netIPv4TCPFinTimeout: sysctl('net.ipv4.tcp_fin_timeout', 5, 120),
    netIPv4TCPKeepaliveProbes: sysctl('net.ipv4.tcp_keepalive_probes', 1, 15),
    netIPv4TCPKeepaliveTime: sysctl('net.ipv4.tcp_keepalive_time', 30, 432_000),
    netIPv4TCPMaxSynBacklog: sysctl('net.ipv4.tcp_max_syn_backlog', 128, 3_240_000),
    netIPv4TCPMaxTwBuckets: sysctl('net.ipv4.tcp_max_tw_buckets', 8000, 1_440_000),
    netIPv4TCPTwReuse: optional(boolean({ description: "The kernel's net.ipv4.tcp_tw_reuse." })),
    netIPv4TCPKeepaliveIntvl: sysctl('net.ipv4.tcp_keepalive_intvl', 10, 90),
    netNetfilterNfConntrackBuckets: sysctl('net.netfilter.nf_conntrack_buckets', 65_536, 524_288),
    netNetfilterNfConntrackMax: sysctl('net.netfilter.nf_conntrack_max', 131_072, 2_097_152),
    vmMaxMapCount: sysctl('vm.max_map_count', 65_530, 262_144),
    vmSwappiness: sysctl('vm.swappiness', 0, 100),
    vmVfsCachePressure: sysctl('vm.vfs_cache_pressure', 0, 100),
  },
  {
    description: 'Kernel parameters of the nodes.',
    rules: [
      ascending('netCoreRmemDefault', 'netCoreRmemMax'),
      ascending('netCoreWmemDefault', 'netCoreWmemMax'),
      ascending('netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh2'),
      ascending('netIPv4NeighDefaultGcThresh2', 'netIPv4NeighDefaultGcThresh3'),
      {
        rule: `!has(self.${portRange}) || (${firstPort} >= 1024 && ${firstPort} <= 60999)`,
        message: `${portRange} first port must be in [1024, 60999]`,
      },
      {
        rule: `!has(self.${portRange}) || (${lastPort} >= 32768 && ${lastPort} <= 65535)`,
        message: `${portRange} last port must be in [32768, 65535]`,
      },
      {
        rule: `!has(self.${portRange}) || ${firstPort} <= ${lastPort}`,
        message: `${portRange} first port must be <= last port`,
      },
    ],
  },
);

export const linuxOsConfig = object(
  {
    swapFileSize: optional(
      string({
        description:
          'Size of a swap file on every node, such as 2Gi. Needs kubelet.failSwapOn to be false.',
        pattern: sizePattern,
      }),
    ),
    sysctls: optional(sysctls),
    transparentHugePageDefrag: optional(
      string({
        description: "The kernel's transparent_hugepage/defrag.",
        enum: ['always', 'defer', 'defer+madvise', 'madvise', 'never'],
      }),
    ),
    transparentHugePageEnabled: optional(
      string({
        description: "The kernel's transparent_hugepage/enabled.",
        enum: ['always', 'madvise', 'never'],
      }),
    ),
  },
  { description: 'Kernel settings of the nodes.' },
);
