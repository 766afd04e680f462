// Each sysctl of a node class under its two other names: the kernel's, and the one of AKS's APIs. The type holds the
// table complete. The odd one out, keepalive interval, is spelt that way by AKS.
import type { SysctlConfiguration } from '../../api/aks-node-class.ts';

export type SysctlField = keyof SysctlConfiguration;

interface SysctlNames {
  readonly kernel: string;
  readonly wire: string;
}

export const sysctlNames: Readonly<Record<SysctlField, SysctlNames>> = {
  fsAioMaxNr: { kernel: 'fs.aio-max-nr', wire: 'fsAioMaxNr' },
  fsFileMax: { kernel: 'fs.file-max', wire: 'fsFileMax' },
  fsInotifyMaxUserWatches: {
    kernel: 'fs.inotify.max_user_watches',
    wire: 'fsInotifyMaxUserWatches',
  },
  fsNrOpen: { kernel: 'fs.nr_open', wire: 'fsNrOpen' },
  kernelThreadsMax: { kernel: 'kernel.threads-max', wire: 'kernelThreadsMax' },
  netCoreNetdevMaxBacklog: {
    kernel: 'net.core.netdev_max_backlog',
    wire: 'netCoreNetdevMaxBacklog',
  },
  netCoreOptmemMax: { kernel: 'net.core.optmem_max', wire: 'netCoreOptmemMax' },
  netCoreRmemDefault: { kernel: 'net.core.rmem_default', wire: 'netCoreRmemDefault' },
  netCoreRmemMax: { kernel: 'net.core.rmem_max', wire: 'netCoreRmemMax' },
  netCoreSomaxconn: { kernel: 'net.core.somaxconn', wire: 'netCoreSomaxconn' },
  netCoreWmemDefault: { kernel: 'net.core.wmem_default', wire: 'netCoreWmemDefault' },
  netCoreWmemMax: { kernel: 'net.core.wmem_max', wire: 'netCoreWmemMax' },
  netIPv4IPLocalPortRange: {
    kernel: 'net.ipv4.ip_local_port_range',
    wire: 'netIpv4IpLocalPortRange',
  },
  netIPv4NeighDefaultGcThresh1: {
    kernel: 'net.ipv4.neigh.default.gc_thresh1',
    wire: 'netIpv4NeighDefaultGcThresh1',
  },
  netIPv4NeighDefaultGcThresh2: {
    kernel: 'net.ipv4.neigh.default.gc_thresh2',
    wire: 'netIpv4NeighDefaultGcThresh2',
  },
  netIPv4NeighDefaultGcThresh3: {
    kernel: 'net.ipv4.neigh.default.gc_thresh3',
    wire: 'netIpv4NeighDefaultGcThresh3',
  },
  netIPv4TCPFinTimeout: { kernel: 'net.ipv4.tcp_fin_timeout', wire: 'netIpv4TcpFinTimeout' },
  netIPv4TCPKeepaliveProbes: {
    kernel: 'net.ipv4.tcp_keepalive_probes',
    wire: 'netIpv4TcpKeepaliveProbes',
  },
  netIPv4TCPKeepaliveTime: {
    kernel: 'net.ipv4.tcp_keepalive_time',
    wire: 'netIpv4TcpKeepaliveTime',
  },
  netIPv4TCPMaxSynBacklog: {
    kernel: 'net.ipv4.tcp_max_syn_backlog',
    wire: 'netIpv4TcpMaxSynBacklog',
  },
  netIPv4TCPMaxTwBuckets: { kernel: 'net.ipv4.tcp_max_tw_buckets', wire: 'netIpv4TcpMaxTwBuckets' },
  netIPv4TCPTwReuse: { kernel: 'net.ipv4.tcp_tw_reuse', wire: 'netIpv4TcpTwReuse' },
  netIPv4TCPKeepaliveIntvl: {
    kernel: 'net.ipv4.tcp_keepalive_intvl',
    wire: 'netIpv4TcpkeepaliveIntvl',
  },
  netNetfilterNfConntrackBuckets: {
    kernel: 'net.netfilter.nf_conntrack_buckets',
    wire: 'netNetfilterNfConntrackBuckets',
  },
  netNetfilterNfConntrackMax: {
    kernel: 'net.netfilter.nf_conntrack_max',
    wire: 'netNetfilterNfConntrackMax',
  },
  vmMaxMapCount: { kernel: 'vm.max_map_count', wire: 'vmMaxMapCount' },
  vmSwappiness: { kernel: 'vm.swappiness', wire: 'vmSwappiness' },
  vmVfsCachePressure: { kernel: 'vm.vfs_cache_pressure', wire: 'vmVfsCachePressure' },
};
