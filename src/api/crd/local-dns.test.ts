// What the API server takes and refuses of an AKSNodeClass's localDNS. The words in `errors` are those of a
// kube-apiserver 1.35 that was given the same objects and our manifest.
import { describe, expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { aksNodeClassDefinition } from './aks-node-class.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { compileVersion } from './validation/validate.ts';

const compiled = compileVersion(storageVersion(aksNodeClassDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

type List = 'vnetDNSOverrides' | 'kubeDNSOverrides';

function zone(name: string, changes: object = {}): object {
  return {
    zone: name,
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardDestination: name.endsWith('cluster.local') ? 'ClusterCoreDNS' : 'VnetDNS',
    forwardPolicy: 'Sequential',
    maxConcurrent: 1000,
    cacheDuration: '1h',
    serveStaleDuration: '30m',
    serveStale: 'Immediate',
    ...changes,
  };
}

const required = [zone('.'), zone('cluster.local')];

function nodeClass(changes: object): Json {
  const whole = {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: {
      localDNS: {
        mode: 'Required',
        vnetDNSOverrides: required,
        kubeDNSOverrides: required,
        ...changes,
      },
    },
  };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

const zonePattern =
  '^(\\.|[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*\\.?)$';

const enums: readonly (readonly [string, readonly string[]])[] = [
  ['queryLogging', ['Error', 'Log']],
  ['protocol', ['PreferUDP', 'ForceTCP']],
  ['forwardPolicy', ['Sequential', 'RoundRobin', 'Random']],
  ['serveStale', ['Verify', 'Immediate', 'Disable']],
];

function inList(list: List) {
  const path = `spec.localDNS.${list}`;
  const withThird = (name: string, changes?: object) =>
    nodeClass({ [list]: [...required, zone(name, changes)] });
  const third = `${path}[2]`;
  return [
    {
      title: 'no zones',
      object: nodeClass({ [list]: [] }),
      errors: [`${path}: Invalid value: must contain required zones '.' and 'cluster.local'`],
    },
    {
      title: 'only the root',
      object: nodeClass({ [list]: [zone('.')] }),
      errors: [`${path}: Invalid value: must contain required zones '.' and 'cluster.local'`],
    },
    {
      title: 'a zone twice',
      object: withThird('.'),
      errors: [`${third}: Duplicate value: {"zone":"."}`],
    },
    ...['example.com', 'example.com.', 'a_b-c.example', 'x', `${'a'.repeat(63)}.com`].map(
      (name) => ({
        title: `the zone ${name}`,
        object: withThird(name),
        errors: [],
      }),
    ),
    ...['-a.com', 'a..b', 'a.com..', 'a b', `${'a'.repeat(64)}.com`].map((name) => ({
      title: `the zone ${name}`,
      object: withThird(name),
      errors: [
        `${third}.zone: Invalid value: ${JSON.stringify(name)}: ${third}.zone in body should match '${zonePattern}'`,
      ],
    })),
    {
      title: 'the zone without a name',
      object: withThird(''),
      errors: [
        `${third}.zone: Invalid value: "": ${third}.zone in body should be at least 1 chars long`,
      ],
    },
    {
      title: 'a zone that is too long',
      object: withThird('a.'.repeat(128)),
      errors: [`${third}.zone: Too long: may not be more than 254 bytes`, skipped],
    },
    ...enums.flatMap(([field, values]) => [
      ...values.map((value) => ({
        title: `${field} ${value}`,
        object: withThird('example.com', { [field]: value }),
        errors: [],
      })),
      {
        title: `${field} of another kind`,
        object: withThird('example.com', { [field]: 'Other' }),
        errors: [
          `${third}.${field}: Unsupported value: "Other": supported values: ${values.map((value) => JSON.stringify(value)).join(', ')}`,
          skipped,
        ],
      },
    ]),
    ...['cacheDuration', 'serveStaleDuration'].flatMap((field) => [
      {
        title: `${field} 1h30m5s`,
        object: withThird('example.com', { [field]: '1h30m5s' }),
        errors: [],
      },
      ...['', '-1h', '100ms', 'Never'].map((value) => ({
        title: `${field} ${JSON.stringify(value)}`,
        object: withThird('example.com', { [field]: value }),
        errors: [
          `${third}.${field}: Invalid value: ${JSON.stringify(value)}: ${third}.${field} in body should match '^([0-9]+(s|m|h))+$'`,
        ],
      })),
    ]),
    {
      title: 'a negative maxConcurrent',
      object: withThird('example.com', { maxConcurrent: -1 }),
      errors: [
        `${third}.maxConcurrent: Invalid value: -1: ${third}.maxConcurrent in body should be greater than or equal to 0`,
      ],
    },
    {
      title: 'a cluster zone that is forwarded to the virtual network',
      object: withThird('sub.cluster.local', { forwardDestination: 'VnetDNS' }),
      errors: [`${third}: Invalid value: 'cluster.local' cannot be forwarded to VnetDNS`],
    },
    {
      title: 'verified stale answers over TCP',
      object: withThird('example.com', { serveStale: 'Verify', protocol: 'ForceTCP' }),
      errors: [`${third}: Invalid value: serveStale Verify cannot be used with protocol ForceTCP`],
    },
    {
      title: 'a zone with nothing but a name',
      object: nodeClass({ [list]: [...required, { zone: 'example.com' }] }),
      errors: [
        ...[
          'queryLogging',
          'protocol',
          'forwardDestination',
          'forwardPolicy',
          'maxConcurrent',
          'cacheDuration',
          'serveStaleDuration',
          'serveStale',
        ].map((field) => `${third}.${field}: Required value`),
        skipped,
      ],
    },
    {
      title: 'a hundred zones',
      object: nodeClass({
        [list]: [
          ...required,
          ...Array.from({ length: 98 }, (_, index) => zone(`z${index}.example`)),
        ],
      }),
      errors: [],
    },
    {
      title: 'a hundred and one zones',
      object: nodeClass({
        [list]: [
          ...required,
          ...Array.from({ length: 99 }, (_, index) => zone(`z${index}.example`)),
        ],
      }),
      errors: [`${path}: Too many: 101: must have at most 100 items`, skipped],
    },
  ];
}

const toCluster = { forwardDestination: 'ClusterCoreDNS' };

const forwarding = [
  {
    title: 'vnetDNSOverrides with the root forwarded to the cluster',
    object: nodeClass({ vnetDNSOverrides: [zone('.', toCluster), zone('cluster.local')] }),
    errors: [
      "spec.localDNS.vnetDNSOverrides: Invalid value: root zone '.' cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides",
    ],
  },
  {
    title: 'vnetDNSOverrides with an external zone forwarded to the cluster',
    object: nodeClass({ vnetDNSOverrides: [...required, zone('example.com', toCluster)] }),
    errors: [
      'spec.localDNS.vnetDNSOverrides: Invalid value: external domains cannot be forwarded to ClusterCoreDNS from vnetDNSOverrides',
    ],
  },
  {
    title: 'kubeDNSOverrides with the root and an external zone forwarded to the cluster',
    object: nodeClass({
      kubeDNSOverrides: [
        zone('.', toCluster),
        zone('cluster.local'),
        zone('example.com', toCluster),
      ],
    }),
    errors: [],
  },
];

const modes = [
  ...['Preferred', 'Required', 'Disabled'].map((mode) => ({
    title: `mode ${mode}`,
    object: nodeClass({ mode }),
    errors: [],
  })),
  {
    title: 'a mode of another kind',
    object: nodeClass({ mode: 'required' }),
    errors: [
      'spec.localDNS.mode: Unsupported value: "required": supported values: "Preferred", "Required", "Disabled"',
      skipped,
    ],
  },
  {
    title: 'a mode alone',
    object: nodeClass({ vnetDNSOverrides: undefined, kubeDNSOverrides: undefined }),
    errors: [
      'spec.localDNS.vnetDNSOverrides: Required value',
      'spec.localDNS.kubeDNSOverrides: Required value',
      skipped,
    ],
  },
];

describe.each([
  ['vnetDNSOverrides', inList('vnetDNSOverrides')],
  ['kubeDNSOverrides', inList('kubeDNSOverrides')],
  ['forwarding', forwarding],
  ['mode', modes],
])('%s', (_, rows) => {
  test.each(rows)('$title', ({ object, errors }) => {
    expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
  });
});
