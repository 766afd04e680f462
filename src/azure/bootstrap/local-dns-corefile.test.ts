import { describe, expect, test } from 'vitest';
import type { LocalDnsZoneOverride } from '../../api/aks-node-class.ts';
import { localDnsCorefile } from './local-dns-corefile.ts';

const override: LocalDnsZoneOverride = {
  zone: '.',
  queryLogging: 'Error',
  protocol: 'PreferUDP',
  forwardDestination: 'VnetDNS',
  forwardPolicy: 'Sequential',
  maxConcurrent: 1000,
  cacheDuration: '1h',
  serveStaleDuration: '30m',
  serveStale: 'Immediate',
};

interface Block {
  readonly [directive: string]: Block;
}

/** Directive → what is in its braces. */
function parse(corefile: string): Block {
  const root: Record<string, Block> = {};
  const stack = [root];
  for (const line of corefile.split('\n').map((text) => text.trim())) {
    if (line === '}') stack.pop();
    else if (line !== '') {
      const block: Record<string, Block> = {};
      stack.at(-1)![line.replace(/ \{$/, '')] = block;
      if (line.endsWith(' {')) stack.push(block);
    }
  }
  expect(stack.length).toBe(1);
  return root;
}

function servers(parts: {
  vnet?: readonly LocalDnsZoneOverride[];
  kube?: readonly LocalDnsZoneOverride[];
}) {
  const { vnet = [], kube = [] } = parts;
  return parse(
    localDnsCorefile(
      { mode: 'Required', vnetDNSOverrides: vnet, kubeDNSOverrides: kube },
      '10.0.0.10',
    ),
  );
}

describe('the DNS cache of a node', () => {
  test('answers for its health on both addresses', () => {
    expect(servers({})).toEqual({
      'health-check.localdns.local:53': { 'bind 169.254.10.10 169.254.10.11': {}, whoami: {} },
    });
  });

  test('answers the node itself as the overrides for it say', () => {
    expect(servers({ vnet: [override] })['.:53']).toEqual({
      errors: {},
      'bind 169.254.10.10': {},
      'forward . 168.63.129.16': { 'policy sequential': {}, 'max_concurrent 1000': {} },
      'ready 169.254.10.10:8181': {},
      'cache 3600': {
        'success 9984': {},
        'denial 9984': {},
        'serve_stale 1800s immediate': {},
        'servfail 0': {},
      },
      loop: {},
      'nsid localdns': {},
      'prometheus :9253': {},
      'template ANY ANY internal.cloudapp.net': {
        [String.raw`match "^(?:[^.]+\.){4,}internal\.cloudapp\.net\.$"`]: {},
        'rcode NXDOMAIN': {},
        fallthrough: {},
      },
      'template ANY ANY reddog.microsoft.com': { 'rcode NXDOMAIN': {} },
    });
  });

  test('answers pods as the overrides for them say', () => {
    const kube = [
      {
        ...override,
        zone: 'example.com',
        queryLogging: 'Log',
        protocol: 'ForceTCP',
        forwardDestination: 'ClusterCoreDNS',
        forwardPolicy: 'RoundRobin',
        serveStale: 'Disable',
      } as const,
    ];
    expect(servers({ kube })['example.com:53']).toEqual({
      log: {},
      'bind 169.254.10.11': {},
      'forward . 10.0.0.10': { force_tcp: {}, 'policy round_robin': {}, 'max_concurrent 1000': {} },
      'ready 169.254.10.11:8181': {},
      'cache 3600': { 'success 9984': {}, 'denial 9984': {}, 'servfail 0': {} },
      loop: {},
      'nsid localdns-pod': {},
      'prometheus :9253': {},
    });
  });

  test("sends the cluster's own zone to the cluster, also for the node itself", () => {
    const vnet = [
      { ...override, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' } as const,
    ];
    expect(Object.keys(servers({ vnet })['cluster.local:53'] ?? {})).toContain(
      'forward . 10.0.0.10',
    );
  });

  test.each([
    ['Random', 'Verify', 'policy random', 'serve_stale 1800s verify'],
    ['Sequential', 'Immediate', 'policy sequential', 'serve_stale 1800s immediate'],
  ] as const)('knows %s and %s', (forwardPolicy, serveStale, policy, stale) => {
    const corefile = localDnsCorefile(
      {
        mode: 'Required',
        vnetDNSOverrides: [{ ...override, forwardPolicy, serveStale }],
        kubeDNSOverrides: [],
      },
      '10.0.0.10',
    );
    expect([corefile.includes(policy), corefile.includes(stale)]).toEqual([true, true]);
  });
});
