// The configuration of the DNS cache on a node. In: the overrides of a class and the address of the cluster's DNS. Out:
// a Corefile with one server per zone and listener.
//   169.254.10.10  the node itself, and pods that use its DNS: vnetDNSOverrides
//   169.254.10.11  pods that use the cluster's DNS: kubeDNSOverrides; their kubelet names this address to them
// The cluster's own zone always goes to the cluster's DNS; from the node's listener everything else goes to Azure's.
import type { LocalDns, LocalDnsZoneOverride } from '../../api/aks-node-class.ts';
import { wholeSeconds } from './local-dns-profile.ts';

export const clusterListener = '169.254.10.11';
const nodeListener = '169.254.10.10';
const azureDns = '168.63.129.16';
const cachedNames = 9984;

const policies = { Sequential: 'sequential', RoundRobin: 'round_robin', Random: 'random' } as const;

interface Listener {
  readonly address: string;
  readonly nsid: string;
  readonly clusterDns: string;
}

/** A line, or a block with lines of its own. */
type Directive = string | { readonly open: string; readonly lines: readonly Directive[] };

export function localDnsCorefile(localDns: LocalDns, clusterDns: string): string {
  const node = { address: nodeListener, nsid: 'localdns', clusterDns };
  const pods = { address: clusterListener, nsid: 'localdns-pod', clusterDns };
  const servers: readonly Directive[] = [
    {
      open: 'health-check.localdns.local:53',
      lines: [`bind ${nodeListener} ${clusterListener}`, 'whoami'],
    },
    ...localDns.vnetDNSOverrides.map((override) => server(node, override)),
    ...localDns.kubeDNSOverrides.map((override) => server(pods, override)),
  ];
  return servers.map((directive) => render(directive, '')).join('');
}

function server(listener: Listener, override: LocalDnsZoneOverride): Directive {
  return {
    open: `${override.zone}:53`,
    lines: [
      override.queryLogging === 'Log' ? 'log' : 'errors',
      `bind ${listener.address}`,
      {
        open: `forward . ${destination(listener, override)}`,
        lines: [
          ...(override.protocol === 'ForceTCP' ? ['force_tcp'] : []),
          `policy ${policies[override.forwardPolicy]}`,
          `max_concurrent ${override.maxConcurrent}`,
        ],
      },
      `ready ${listener.address}:8181`,
      {
        open: `cache ${wholeSeconds(override.cacheDuration)}`,
        lines: [
          `success ${cachedNames}`,
          `denial ${cachedNames}`,
          ...serveStale(override),
          'servfail 0',
        ],
      },
      'loop',
      `nsid ${listener.nsid}`,
      'prometheus :9253',
      ...(override.zone === '.' ? rootTemplates : []),
    ],
  };
}

function destination({ clusterDns }: Listener, override: LocalDnsZoneOverride): string {
  const isClusterZone = override.zone.endsWith('cluster.local');
  return isClusterZone || override.forwardDestination === 'ClusterCoreDNS' ? clusterDns : azureDns;
}

function serveStale({ serveStale: how, serveStaleDuration }: LocalDnsZoneOverride): string[] {
  if (how === 'Disable') return [];
  return [`serve_stale ${wholeSeconds(serveStaleDuration)}s ${how.toLowerCase()}`];
}

/** Search domains of Azure's networks turn most names into ones that cannot exist; no need to ask anybody. */
const rootTemplates: readonly Directive[] = [
  {
    open: 'template ANY ANY internal.cloudapp.net',
    lines: [
      String.raw`match "^(?:[^.]+\.){4,}internal\.cloudapp\.net\.$"`,
      'rcode NXDOMAIN',
      'fallthrough',
    ],
  },
  { open: 'template ANY ANY reddog.microsoft.com', lines: ['rcode NXDOMAIN'] },
];

function render(directive: Directive, indent: string): string {
  if (typeof directive === 'string') return `${indent}${directive}\n`;
  const lines = directive.lines.map((line) => render(line, `${indent}    `)).join('');
  return `${indent}${directive.open} {\n${lines}${indent}}\n`;
}
