// NodeOverlay, karpenter.sh/v1alpha1: what a user knows better than the cloud about prices and resources.
import { KARPENTER_GROUP } from '../labels.ts';
import { conditions } from './condition.ts';
import { type Definition, rootSchema } from './definition.ts';
import { nodeOverlayRequirements } from './requirement.ts';
import { resources } from './resources.ts';
import { integer, object, optional, string } from './schema.ts';

export const nodeOverlaySpec = object(
  {
    requirements: nodeOverlayRequirements,
    price: optional(
      string({
        description: 'The price per hour of matching offerings, instead of the catalogued one.',
        pattern: '^\\d+(\\.\\d+)?$',
      }),
    ),
    priceAdjustment: optional(
      string({
        description:
          'What to add to the price of matching offerings: a signed amount or a signed percentage, such as -0.05 or +10%.',
        pattern:
          '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$',
      }),
    ),
    capacity: optional(
      resources({
        description:
          'Extended resources that matching nodes have besides the catalogued ones; the standard ones cannot be changed.',
        rules: [
          {
            rule: "self.all(x, !(x in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
            message: 'invalid resource restricted',
          },
        ],
      }),
    ),
    weight: optional(
      integer({
        description:
          'Where overlays contradict each other the one with the higher weight wins; absent counts as 0. Equal weights are merged in alphabetical order.',
        format: 'int32',
        minimum: 1,
        maximum: 10_000,
      }),
    ),
  },
  {
    description: 'Which instance types are meant, and what is different about them.',
    rules: [
      {
        rule: '!has(self.price) || !has(self.priceAdjustment)',
        message: "cannot set both 'price' and 'priceAdjustment'",
      },
    ],
  },
);

export const nodeOverlayStatus = object(
  { conditions: optional(conditions) },
  { description: 'Whether the overlay is in use.' },
);

export const nodeOverlayDefinition: Definition = {
  group: KARPENTER_GROUP,
  kind: 'NodeOverlay',
  plural: 'nodeoverlays',
  singular: 'nodeoverlay',
  scope: 'Cluster',
  categories: ['karpenter'],
  shortNames: ['overlays'],
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      columns: [
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
      ],
      openApi: rootSchema({
        description: 'A correction of prices or resources of instance types, for scheduling.',
        spec: nodeOverlaySpec,
        status: nodeOverlayStatus,
        specRequired: true,
      }),
    },
  ],
};
