// The sysctl file of a node. In: what the class sets. Out: one `name=value` a line: what AKS sets on every node, with
// the class's values in place of or beside it.
import type { SysctlConfiguration } from '../../api/aks-node-class.ts';
import { type SysctlField, sysctlNames } from './sysctl-names.ts';

const aksDefaults: readonly (readonly [string, number])[] = [
  // A pod that lost its peer should notice within seconds, not a quarter of an hour.
  ['net.ipv4.tcp_retries2', 8],
  ['net.core.message_burst', 80],
  ['net.core.message_cost', 40],
  ['net.core.somaxconn', 16_384],
  ['net.ipv4.tcp_max_syn_backlog', 16_384],
  ['net.ipv4.neigh.default.gc_thresh1', 4096],
  ['net.ipv4.neigh.default.gc_thresh2', 8192],
  ['net.ipv4.neigh.default.gc_thresh3', 16_384],
];

/** Azure's agent on the node listens here; a range of local ports that covers it must leave it out. */
const agentPort = 65_330;

export function sysctlConfig(sysctls: SysctlConfiguration | undefined): string {
  const settings = new Map<string, number | string>(aksDefaults);
  for (const [field, { kernel }] of Object.entries(sysctlNames)) {
    const value = sysctls?.[field as SysctlField];
    if (value !== undefined)
      settings.set(kernel, typeof value === 'boolean' ? Number(value) : value);
  }
  const lastLocalPort = Number(sysctls?.netIPv4IPLocalPortRange?.split(' ')[1] ?? 0);
  if (lastLocalPort > agentPort) settings.set('net.ipv4.ip_local_reserved_ports', agentPort);
  return [...settings].map(([name, value]) => `${name}=${value}\n`).join('');
}
