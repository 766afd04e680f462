// What the API server takes and refuses of an AKSNodeClass. The words in `errors` are those of a kube-apiserver
// 1.35 that was given the same objects and our manifest.
import { describe, expect, test } from 'vitest';
import type { Json } from '../meta.ts';
import { aksNodeClassDefinition } from './aks-node-class.ts';
import { storageVersion } from './definition.ts';
import { errorLines } from './validation/field-error.ts';
import { compileVersion } from './validation/validate.ts';

interface Row {
  readonly title: string;
  readonly object: Json;
  readonly errors: readonly string[];
}

const compiled = compileVersion(storageVersion(aksNodeClassDefinition));

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function nodeClass(spec: object): Json {
  return {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: JSON.parse(JSON.stringify(spec)) as Json,
  };
}

/** Nests a value: `wrap('kubelet.failSwapOn', true)` is `{ kubelet: { failSwapOn: true } }`. */
function wrap(path: string, value: unknown): object {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

function accepts(path: string, ...values: readonly unknown[]): readonly Row[] {
  return values.map((value) => ({
    title: `${path} ${JSON.stringify(value)}`,
    object: nodeClass(wrap(path, value)),
    errors: [],
  }));
}

function outside(path: string, minimum: number, maximum: number): readonly Row[] {
  const field = `spec.${path}`;
  return [
    {
      title: `${path} below ${minimum}`,
      object: nodeClass(wrap(path, minimum - 1)),
      errors: [
        `${field}: Invalid value: ${minimum - 1}: ${field} in body should be greater than or equal to ${minimum}`,
      ],
    },
    {
      title: `${path} above ${maximum}`,
      object: nodeClass(wrap(path, maximum + 1)),
      errors: [
        `${field}: Invalid value: ${maximum + 1}: ${field} in body should be less than or equal to ${maximum}`,
      ],
    },
  ];
}

function between(path: string, minimum: number, maximum: number): readonly Row[] {
  return [...accepts(path, minimum, maximum), ...outside(path, minimum, maximum)];
}

function oneOf(path: string, ...values: readonly string[]): readonly Row[] {
  const supported = values.map((value) => JSON.stringify(value)).join(', ');
  const refused = [
    'Other',
    values[0]?.toUpperCase() === values[0] ? 'x' : values[0]?.toUpperCase(),
  ];
  return [
    ...accepts(path, ...values),
    ...refused.map((value) => ({
      title: `${path} ${value}`,
      object: nodeClass(wrap(path, value)),
      errors: [
        `spec.${path}: Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`,
        skipped,
      ],
    })),
  ];
}

function mismatches(path: string, pattern: string, ...values: readonly string[]): readonly Row[] {
  return values.map((value) => ({
    title: `${path} ${JSON.stringify(value)}`,
    object: nodeClass(wrap(path, value)),
    errors: [
      `spec.${path}: Invalid value: ${JSON.stringify(value)}: spec.${path} in body should match '${pattern}'`,
    ],
  }));
}

const subnet =
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/n';
const group = (name: string) => subnet.replace('/rg/', `/${name}/`);
const subnetPattern =
  '(?i)^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Network\\/virtualNetworks\\/[^\\/]+\\/subnets\\/[^\\/]+$';
const sizePattern = '^\\d+(E|P|T|G|M|K|Ei|Pi|Ti|Gi|Mi|Ki)$';

const plain: readonly Row[] = [
  { title: 'an empty spec', object: nodeClass({}), errors: [] },
  {
    title: 'no spec',
    object: {
      apiVersion: 'karpenter.azure.com/v1beta1',
      kind: 'AKSNodeClass',
      metadata: { name: 'default' },
    },
    errors: [],
  },
  ...accepts(
    'vnetSubnetID',
    subnet,
    subnet.toUpperCase(),
    group('a-b_(c).d'),
    group('r'.repeat(90)),
  ),
  ...mismatches(
    'vnetSubnetID',
    subnetPattern,
    '',
    'subnet',
    `${subnet}/x`,
    group('ends-with.'),
    group('r'.repeat(91)),
    group('sp ace'),
    subnet.replace('/subnets/n', ''),
    subnet.replace('Microsoft.Network', 'MicrosoftXNetwork'),
  ),
  ...between('osDiskSizeGB', 30, 2048),
  ...between('maxPods', 10, 250),
  ...oneOf('imageFamily', 'Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'),
  ...oneOf('gpu.mode', 'Driver', 'None'),
  ...accepts('artifactStreaming.enabled', true, false),
  ...accepts('security.encryptionAtHost', true, false),
  ...accepts('security.trustedLaunch', {}, { vtpm: true }, { secureBoot: true, vtpm: false }),
];

const fips = (imageFamily: string | undefined, trustedLaunch?: object) =>
  nodeClass({
    fipsMode: 'FIPS',
    ...(imageFamily && { imageFamily }),
    ...(trustedLaunch && { security: { trustedLaunch } }),
  });

const noFips2404 = 'spec: Invalid value: FIPS is not yet supported for Ubuntu2404';
const needsTrust =
  'spec: Invalid value: TrustedLaunch is required for FIPS support with Ubuntu2204';
const trustOnlyUbuntu =
  'spec: Invalid value: TrustedLaunch with FIPSMode FIPS is only supported for Ubuntu and Ubuntu2204';

const fipsRows: readonly Row[] = [
  { title: 'FIPS with the default image', object: fips(undefined), errors: [] },
  { title: 'FIPS on Ubuntu', object: fips('Ubuntu'), errors: [] },
  { title: 'FIPS on AzureLinux', object: fips('AzureLinux'), errors: [] },
  { title: 'FIPS on Ubuntu2404', object: fips('Ubuntu2404'), errors: [noFips2404] },
  { title: 'FIPS on Ubuntu2204', object: fips('Ubuntu2204'), errors: [needsTrust] },
  {
    title: 'FIPS on Ubuntu2204 with Trusted Launch switched off',
    object: fips('Ubuntu2204', { vtpm: false, secureBoot: false }),
    errors: [needsTrust],
  },
  {
    title: 'FIPS on Ubuntu2204 with a TPM',
    object: fips('Ubuntu2204', { vtpm: true }),
    errors: [],
  },
  {
    title: 'FIPS on Ubuntu2204 with secure boot',
    object: fips('Ubuntu2204', { secureBoot: true }),
    errors: [],
  },
  { title: 'FIPS on Ubuntu with a TPM', object: fips('Ubuntu', { vtpm: true }), errors: [] },
  {
    title: 'FIPS on AzureLinux with a TPM',
    object: fips('AzureLinux', { vtpm: true }),
    errors: [trustOnlyUbuntu],
  },
  {
    title: 'FIPS on Ubuntu2404 with secure boot',
    object: fips('Ubuntu2404', { secureBoot: true }),
    errors: [noFips2404, trustOnlyUbuntu],
  },
  {
    title: 'no FIPS on Ubuntu2404 with a TPM',
    object: nodeClass({
      fipsMode: 'Disabled',
      imageFamily: 'Ubuntu2404',
      security: { trustedLaunch: { vtpm: true } },
    }),
    errors: [],
  },
  {
    title: 'fipsMode in lower case',
    object: nodeClass({ fipsMode: 'fips' }),
    errors: [
      'spec.fipsMode: Unsupported value: "fips": supported values: "FIPS", "Disabled"',
      skipped,
    ],
  },
];

const tagRow = (title: string, tags: object, ...errors: readonly string[]): Row => ({
  title,
  object: nodeClass({ tags }),
  errors: errors.map((words) => `spec.tags: Invalid value: ${words}`),
});

const tags: readonly Row[] = [
  tagRow('tags of all lengths', { '': '', ['k'.repeat(512)]: 'v'.repeat(256), 'a b/c': '<>%&?\\' }),
  tagRow(
    'a key of 513 characters',
    { ['k'.repeat(513)]: '' },
    'tags keys must be less than 512 characters',
  ),
  tagRow(
    'a value of 257 characters',
    { k: 'v'.repeat(257) },
    'tags values must be less than 256 characters',
  ),
  ...['<', '>', '%', '&', '?'].map((character) =>
    tagRow(
      `a key with ${character}`,
      { [`a${character}b`]: '' },
      "tags keys must not contain '<', '>', '%', '&', or '?'",
    ),
  ),
  tagRow('a key with a backslash', { 'a\\b': '' }, "tags keys must not contain '\\'"),
];

const kubelet: readonly Row[] = [
  ...oneOf('kubelet.cpuManagerPolicy', 'none', 'static'),
  ...oneOf(
    'kubelet.topologyManagerPolicy',
    'restricted',
    'best-effort',
    'none',
    'single-numa-node',
  ),
  ...accepts('kubelet.cpuCFSQuota', true, false),
  ...accepts('kubelet.cpuCFSQuotaPeriod', '100ms', 'whenever'),
  ...between('kubelet.imageGCHighThresholdPercent', 0, 100),
  ...between('kubelet.imageGCLowThresholdPercent', 0, 100),
  ...accepts('kubelet', { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80 }),
  ...[80, 85].map((low) => ({
    title: `a high threshold of 80 with a low one of ${low}`,
    object: nodeClass({
      kubelet: { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: low },
    }),
    errors: [
      'spec.kubelet: Invalid value: imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
    ],
  })),
  ...accepts('kubelet.allowedUnsafeSysctls', [], ['kernel.msg*', 'net.core.somaxconn']),
  ...accepts('kubelet.containerLogMaxSize', '50Mi', '1Ki', '0E', '10G'),
  ...mismatches(
    'kubelet.containerLogMaxSize',
    sizePattern,
    '',
    '50',
    '50mi',
    '1.5Gi',
    '-1Mi',
    '50m',
  ),
  ...accepts('kubelet.containerLogMaxFiles', 2, 1_000_000),
  {
    title: 'kubelet.containerLogMaxFiles 1',
    object: nodeClass({ kubelet: { containerLogMaxFiles: 1 } }),
    errors: [
      'spec.kubelet.containerLogMaxFiles: Invalid value: 1: spec.kubelet.containerLogMaxFiles in body should be greater than or equal to 2',
    ],
  },
  ...accepts('kubelet.podPidsLimit', -1, 0, 4_194_304),
  ...accepts('kubelet.failSwapOn', true, false),
];

const swapWords =
  'spec: Invalid value: kubelet.failSwapOn must be set to false when linuxOSConfig.swapFileSize is specified';
const swap = (swapFileSize: string, kubelet?: object) =>
  nodeClass({ linuxOSConfig: { swapFileSize }, ...(kubelet && { kubelet }) });

const linux: readonly Row[] = [
  ...oneOf(
    'linuxOSConfig.transparentHugePageDefrag',
    'always',
    'defer',
    'defer+madvise',
    'madvise',
    'never',
  ),
  ...oneOf('linuxOSConfig.transparentHugePageEnabled', 'always', 'madvise', 'never'),
  { title: 'swap that kubelet allows', object: swap('2Gi', { failSwapOn: false }), errors: [] },
  {
    title: 'swap that kubelet refuses',
    object: swap('2Gi', { failSwapOn: true }),
    errors: [swapWords],
  },
  { title: 'swap that kubelet says nothing of', object: swap('2Gi', {}), errors: [swapWords] },
  { title: 'swap without kubelet', object: swap('2Gi'), errors: [swapWords] },
  {
    title: 'swap of a size that is none',
    object: swap('2GB', { failSwapOn: false }),
    errors: [
      `spec.linuxOSConfig.swapFileSize: Invalid value: "2GB": spec.linuxOSConfig.swapFileSize in body should match '${sizePattern}'`,
    ],
  },
];

const sysctlRanges: readonly (readonly [string, number, number])[] = [
  ['fsAioMaxNr', 65_536, 6_553_500],
  ['fsFileMax', 8192, 12_000_500],
  ['fsInotifyMaxUserWatches', 781_250, 2_097_152],
  ['fsNrOpen', 8192, 20_000_500],
  ['kernelThreadsMax', 20, 513_785],
  ['netCoreNetdevMaxBacklog', 1000, 3_240_000],
  ['netCoreOptmemMax', 20_480, 4_194_304],
  ['netCoreRmemDefault', 212_992, 134_217_728],
  ['netCoreRmemMax', 212_992, 134_217_728],
  ['netCoreSomaxconn', 4096, 3_240_000],
  ['netCoreWmemDefault', 212_992, 134_217_728],
  ['netCoreWmemMax', 212_992, 134_217_728],
  ['netIPv4NeighDefaultGcThresh1', 128, 80_000],
  ['netIPv4NeighDefaultGcThresh2', 512, 90_000],
  ['netIPv4NeighDefaultGcThresh3', 1024, 100_000],
  ['netIPv4TCPFinTimeout', 5, 120],
  ['netIPv4TCPKeepaliveIntvl', 10, 90],
  ['netIPv4TCPKeepaliveProbes', 1, 15],
  ['netIPv4TCPKeepaliveTime', 30, 432_000],
  ['netIPv4TCPMaxSynBacklog', 128, 3_240_000],
  ['netIPv4TCPMaxTwBuckets', 8000, 1_440_000],
  ['netNetfilterNfConntrackBuckets', 65_536, 524_288],
  ['netNetfilterNfConntrackMax', 131_072, 2_097_152],
  ['vmMaxMapCount', 65_530, 262_144],
  ['vmSwappiness', 0, 100],
  ['vmVfsCachePressure', 0, 100],
];

function sysctls(values: object, ...errors: readonly string[]): Row {
  return {
    title: JSON.stringify(values),
    object: nodeClass({ linuxOSConfig: { sysctls: values } }),
    errors: errors.map((words) => `spec.linuxOSConfig.sysctls: Invalid value: ${words}`),
  };
}

const portRange = (value: string, ...words: readonly string[]) =>
  sysctls(
    { netIPv4IPLocalPortRange: value },
    ...words.map((rule) => `netIPv4IPLocalPortRange ${rule}`),
  );

const badFirst = 'first port must be in [1024, 60999]';
const badLast = 'last port must be in [32768, 65535]';
const badOrder = 'first port must be <= last port';

const sysctlRows: readonly Row[] = [
  ...sysctlRanges.flatMap(([name, minimum, maximum]) =>
    between(`linuxOSConfig.sysctls.${name}`, minimum, maximum),
  ),
  ...accepts('linuxOSConfig.sysctls.netIPv4TCPTwReuse', true, false),
  sysctls({ netCoreRmemDefault: 300_000, netCoreRmemMax: 300_000 }),
  sysctls(
    { netCoreRmemDefault: 300_001, netCoreRmemMax: 300_000 },
    'netCoreRmemDefault must be <= netCoreRmemMax',
  ),
  sysctls({ netCoreWmemDefault: 300_000, netCoreWmemMax: 300_000 }),
  sysctls(
    { netCoreWmemDefault: 300_001, netCoreWmemMax: 300_000 },
    'netCoreWmemDefault must be <= netCoreWmemMax',
  ),
  sysctls({
    netIPv4NeighDefaultGcThresh1: 2000,
    netIPv4NeighDefaultGcThresh2: 2000,
    netIPv4NeighDefaultGcThresh3: 2000,
  }),
  sysctls(
    { netIPv4NeighDefaultGcThresh1: 2001, netIPv4NeighDefaultGcThresh2: 2000 },
    'netIPv4NeighDefaultGcThresh1 must be <= netIPv4NeighDefaultGcThresh2',
  ),
  sysctls(
    { netIPv4NeighDefaultGcThresh2: 2001, netIPv4NeighDefaultGcThresh3: 2000 },
    'netIPv4NeighDefaultGcThresh2 must be <= netIPv4NeighDefaultGcThresh3',
  ),
  portRange('1024 65535'),
  portRange('32768 32768'),
  portRange('60999 61000'),
  portRange('1023 65535', badFirst),
  portRange('61000 65535', badFirst),
  portRange('1024 32767', badLast),
  portRange('1024 65536', badLast),
  portRange('50000 40000', badOrder),
  portRange('0 0', badFirst, badLast),
  // Rules run beside a pattern that failed, and stumble.
  {
    title: 'one port',
    object: nodeClass({ linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange: '1024' } } }),
    errors: [
      'spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange: Invalid value: "1024": spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange in body should match \'^\\d+ \\d+$\'',
      ...[badLast, badOrder].map(
        (rule) =>
          `spec.linuxOSConfig.sysctls: Invalid value: "object": index out of bounds: 1 evaluating rule: netIPv4IPLocalPortRange ${rule}`,
      ),
    ],
  },
  {
    title: 'ports in words',
    object: nodeClass({ linuxOSConfig: { sysctls: { netIPv4IPLocalPortRange: 'a b' } } }),
    errors: [
      'spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange: Invalid value: "a b": spec.linuxOSConfig.sysctls.netIPv4IPLocalPortRange in body should match \'^\\d+ \\d+$\'',
      ...[badFirst, badLast, badOrder].map(
        (rule) =>
          `spec.linuxOSConfig.sysctls: Invalid value: "object": type conversion error from 'string' to 'int' evaluating rule: netIPv4IPLocalPortRange ${rule}`,
      ),
    ],
  },
];

describe.each([
  ['plain fields', plain],
  ['FIPS', fipsRows],
  ['tags', tags],
  ['kubelet', kubelet],
  ['Linux settings', linux],
  ['sysctls', sysctlRows],
])('%s', (_, rows) => {
  test.each(rows)('$title', ({ object, errors }) => {
    expect(errorLines(compiled.admit(object).errors)).toEqual(errors);
  });
});

test('an empty spec means Ubuntu on a disk of 128 GB', () => {
  expect(compiled.admit(nodeClass({})).object).toEqual(
    nodeClass({ imageFamily: 'Ubuntu', osDiskSizeGB: 128 }),
  );
});

test('kubelet and GPU settings are filled in only where they are written at all', () => {
  expect(compiled.admit(nodeClass({ kubelet: {}, gpu: {}, security: {} })).object).toMatchObject({
    spec: {
      kubelet: {
        cpuManagerPolicy: 'none',
        cpuCFSQuota: true,
        cpuCFSQuotaPeriod: '100ms',
        topologyManagerPolicy: 'none',
        containerLogMaxSize: '50Mi',
        containerLogMaxFiles: 5,
      },
      gpu: { mode: 'Driver' },
      security: {},
    },
  });
});

test('both served versions have the same schema', () => {
  const [older, newer] = aksNodeClassDefinition.versions;
  expect(older?.openApi).toEqual(newer?.openApi);
  expect(older?.deprecationWarning).toBe('use v1beta1.AKSNodeClass instead');
});
