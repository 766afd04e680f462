// `spec.localDNS` of an AKSNodeClass: a DNS cache on every node.
import { durationPattern } from './duration.ts';
import type { ValidationRule } from './open-api.ts';
import { array, integer, object, string } from './schema.ts';

const zoneOverride = object(
  {
    zone: string({
      description: 'The zone that the override is for; a single dot is the root.',
      minLength: 1,
      maxLength: 254,
      pattern:
        '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$',
    }),
    queryLogging: string({
      description: 'Whether all queries are logged, or only failed ones.',
      enum: ['Error', 'Log'],
    }),
    protocol: string({
      description: 'Protocol towards the upstream server.',
      enum: ['PreferUDP', 'ForceTCP'],
    }),
    forwardDestination: string({
      description: "Where queries go: the cluster's own DNS or that of the virtual network.",
      enum: ['ClusterCoreDNS', 'VnetDNS'],
    }),
    forwardPolicy: string({
      description: 'How an upstream server is chosen.',
      enum: ['Sequential', 'RoundRobin', 'Random'],
    }),
    maxConcurrent: integer({
      description: 'How many queries may be under way at once.',
      format: 'int32',
      minimum: 0,
    }),
    cacheDuration: string({
      description: 'How long an answer is kept.',
      pattern: durationPattern,
    }),
    serveStaleDuration: string({
      description: 'How long after that an old answer may still be given.',
      pattern: durationPattern,
    }),
    serveStale: string({
      description:
        'Whether an old answer is given at once, only after asking upstream in vain, or never.',
      enum: ['Verify', 'Immediate', 'Disable'],
    }),
  },
  {
    rules: [
      {
        rule: "!(self.zone.endsWith('cluster.local') && self.forwardDestination == 'VnetDNS')",
        message: "'cluster.local' cannot be forwarded to VnetDNS",
      },
      {
        rule: "!(self.serveStale == 'Verify' && self.protocol == 'ForceTCP')",
        message: 'serveStale Verify cannot be used with protocol ForceTCP',
      },
    ],
  },
);

const requiredZones: ValidationRule = {
  rule: "['.', 'cluster.local'].all(z, self.exists(x, x.zone == z))",
  message: "must contain required zones '.' and 'cluster.local'",
};

function overrides(description: string, rules: readonly ValidationRule[]) {
  return array(zoneOverride, {
    description,
    listType: 'map',
    listMapKeys: ['zone'],
    maxItems: 100,
    rules,
  });
}

export const localDns = object(
  {
    mode: string({
      description:
        'Required puts the cache on every node, Disabled on none, Preferred where the cluster is known to cope with it.',
      enum: ['Preferred', 'Required', 'Disabled'],
    }),
    vnetDNSOverrides: overrides(
      'For queries of the node itself and of pods with dnsPolicy Default.',
      [
        requiredZones,
        {
          rule: "!self.exists(x, x.zone == '.' && x.forwardDestination == 'ClusterCoreDNS')",
          message: "root zone '.' cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides",
        },
        {
          rule: "!self.exists(x, x.zone != '.' && !x.zone.endsWith('cluster.local') && x.forwardDestination == 'ClusterCoreDNS')",
          message: 'external domains cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides',
        },
      ],
    ),
    kubeDNSOverrides: overrides('For queries of pods with dnsPolicy ClusterFirst.', [
      requiredZones,
    ]),
  },
  { description: 'A DNS cache on every node.' },
);
