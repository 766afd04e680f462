// AKSNodeClass, karpenter.azure.com: how machines look on Azure. Two served versions with one schema;
// v1alpha2 is deprecated and only there for objects and manifests that still name it.
import { AZURE_GROUP } from '../labels.ts';
import { untypedListConditions } from './condition.ts';
import { type Definition, type DefinitionVersion, rootSchema } from './definition.ts';
import { kubelet } from './kubelet.ts';
import { linuxOsConfig } from './linux-os.ts';
import { localDns } from './local-dns.ts';
import type { ValidationRule } from './open-api.ts';
import { array, boolean, integer, map, object, optional, string } from './schema.ts';

const trustedLaunchField = (name: 'vtpm' | 'secureBoot') =>
  `(has(self.security.trustedLaunch.${name}) && self.security.trustedLaunch.${name})`;

const trustedLaunchOn = `has(self.security) && has(self.security.trustedLaunch) && (${trustedLaunchField('vtpm')} || ${trustedLaunchField('secureBoot')})`;

const fipsOn = "has(self.fipsMode) && self.fipsMode == 'FIPS'";

// Defaulting comes before these rules, so imageFamily is always there.
const specRules: readonly ValidationRule[] = [
  {
    rule: `${fipsOn} ? (has(self.imageFamily) && self.imageFamily != 'Ubuntu2404') : true`,
    message: 'FIPS is not yet supported for Ubuntu2404',
  },
  {
    rule: `${fipsOn} ? (has(self.imageFamily) && (self.imageFamily != 'Ubuntu2204' || (${trustedLaunchOn}))) : true`,
    message: 'TrustedLaunch is required for FIPS support with Ubuntu2204',
  },
  {
    rule: `${fipsOn} && ${trustedLaunchOn} ? (!has(self.imageFamily) || self.imageFamily == 'Ubuntu' || self.imageFamily == 'Ubuntu2204') : true`,
    message: 'TrustedLaunch with FIPSMode FIPS is only supported for Ubuntu and Ubuntu2204',
  },
  {
    rule: '!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSize) || (has(self.kubelet) && has(self.kubelet.failSwapOn) && self.kubelet.failSwapOn == false)',
    message: 'kubelet.failSwapOn must be set to false when linuxOSConfig.swapFileSize is specified',
  },
];

const tags = map(string(), {
  description: 'Tags for the Azure resources of a node. Changed in place, without replacing nodes.',
  rules: [
    {
      rule: 'self.all(k, size(k) <= 512)',
      message: 'tags keys must be less than 512 characters',
    },
    {
      rule: "self.all(k, !k.matches('[<>%&?]'))",
      message: "tags keys must not contain '<', '>', '%', '&', or '?'",
    },
    {
      rule: "self.all(k, !k.contains('\\\\'))",
      message: "tags keys must not contain '\\'",
    },
    {
      rule: 'self.all(k, size(self[k]) <= 256)',
      message: 'tags values must be less than 256 characters',
    },
  ],
});

const security = object(
  {
    encryptionAtHost: optional(
      boolean({ description: "Encrypts disks and caches on the machine's host." }),
    ),
    trustedLaunch: optional(
      object(
        {
          secureBoot: optional(boolean({ description: 'Boots signed code only.' })),
          vtpm: optional(boolean({ description: 'Gives the machine a virtual TPM.' })),
        },
        { description: 'Trusted Launch of the machine; on when either of the two is.' },
      ),
    ),
  },
  { description: 'Protection of the machines.' },
);

export const aksNodeClassSpec = object(
  {
    vnetSubnetID: optional(
      string({
        description:
          'Resource id of the subnet for the nodes; the one of the operator when absent.',
        pattern:
          '(?i)^\\/subscriptions\\/[^\\/]+\\/resourceGroups\\/[a-zA-Z0-9_\\-().]{0,89}[a-zA-Z0-9_\\-()]\\/providers\\/Microsoft\\.Network\\/virtualNetworks\\/[^\\/]+\\/subnets\\/[^\\/]+$',
      }),
    ),
    osDiskSizeGB: integer({
      description: 'Size of the OS disk in GB.',
      default: 128,
      format: 'int32',
      minimum: 30,
      maximum: 2048,
    }),
    imageFamily: string({
      description:
        'Operating system of the nodes. Ubuntu stands for the release that suits the Kubernetes version.',
      default: 'Ubuntu',
      enum: ['Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'],
    }),
    fipsMode: optional(
      string({
        description: 'Whether images with FIPS-validated cryptography are used.',
        enum: ['FIPS', 'Disabled'],
      }),
    ),
    tags: optional(tags),
    maxPods: optional(
      integer({
        description:
          'How many pods fit on a node. When absent the network plugin decides: 30 for Azure CNI on node subnets, 250 for Azure CNI overlay and for no plugin, else 110.',
        format: 'int32',
        minimum: 10,
        maximum: 250,
      }),
    ),
    kubelet: optional(kubelet),
    security: optional(security),
    localDNS: optional(localDns),
    gpu: optional(
      object(
        {
          mode: string({
            description:
              'Driver has AKS install the driver and only offers sizes for which it can; None leaves the driver to others and offers all GPU sizes.',
            default: 'Driver',
            enum: ['Driver', 'None'],
          }),
        },
        { description: 'Settings of nodes with GPUs.' },
      ),
    ),
    artifactStreaming: optional(
      object(
        {
          enabled: optional(
            boolean({
              description:
                'Starts containers before their images are fully downloaded. amd64 only; off when absent.',
            }),
          ),
        },
        { description: 'Streaming of container images from the registry.' },
      ),
    ),
    linuxOSConfig: optional(linuxOsConfig),
  },
  { description: 'How the machines of the nodes look.', rules: specRules },
);

export const aksNodeClassStatus = object(
  {
    images: optional(
      array(
        object({
          id: string({ description: 'Resource id of the image version.' }),
          requirements: array(
            object({
              key: string({ description: 'Label key.' }),
              operator: string({ description: 'How the label relates to the values.' }),
              values: optional(array(string(), { description: 'Values.', listType: 'atomic' })),
            }),
            { description: 'Which instance types the image runs on.' },
          ),
        }),
        { description: 'Images for new nodes; the first that fits an instance type is taken.' },
      ),
    ),
    kubernetesVersion: optional(
      string({ description: 'Kubernetes version of new nodes, without a leading v.' }),
    ),
    localDNSState: optional(
      string({
        description: 'Whether new nodes get the DNS cache.',
        enum: ['Enabled', 'Disabled'],
      }),
    ),
    conditions: optional(untypedListConditions),
  },
  { description: 'What the controllers found out for the class.' },
);

const version = {
  served: true,
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Ready')].status",
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'ImageFamily', type: 'string', jsonPath: '.spec.imageFamily', priority: 1 },
  ],
  openApi: rootSchema({
    description: 'What machines of nodes look like on Azure: image, disk, network and settings.',
    spec: aksNodeClassSpec,
    status: aksNodeClassStatus,
    specRequired: false,
  }),
} as const satisfies Partial<DefinitionVersion>;

export const aksNodeClassDefinition: Definition = {
  group: AZURE_GROUP,
  kind: 'AKSNodeClass',
  plural: 'aksnodeclasses',
  singular: 'aksnodeclass',
  scope: 'Cluster',
  categories: ['karpenter', 'nap'],
  shortNames: ['aksnc', 'aksncs'],
  versions: [
    {
      ...version,
      name: 'v1alpha2',
      storage: false,
      deprecationWarning: 'use v1beta1.AKSNodeClass instead',
    },
    { ...version, name: 'v1beta1', storage: true },
  ],
};
