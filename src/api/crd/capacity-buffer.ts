// CapacityBuffer, autoscaling.x-k8s.io/v1beta1: spare room that is kept ready. The kind is shared with
// Cluster Autoscaler, so nothing about its schema may be ours alone.
import { conditions } from './condition.ts';
import { type Definition, rootSchema } from './definition.ts';
import { resources } from './resources.ts';
import { integer, object, optional, string } from './schema.ts';

const podTemplateReference = {
  name: string({ description: 'Name of the PodTemplate.', minLength: 1 }),
} as const;

export const capacityBufferSpec = object(
  {
    provisioningStrategy: string({
      description:
        'How the room is kept. With the default, nodes are made for placeholder pods that are never really started.',
      default: 'buffer.x-k8s.io/active-capacity',
    }),
    podTemplateRef: optional(
      object(podTemplateReference, {
        description:
          'A PodTemplate of the same namespace that says how large one piece of the buffer is. Excludes scalableRef.',
      }),
    ),
    scalableRef: optional(
      object(
        {
          apiGroup: optional(
            string({ description: 'API group of the workload; empty for the core group.' }),
          ),
          kind: string({ description: 'Kind of the workload.', minLength: 1 }),
          name: string({ description: 'Name of the workload.', minLength: 1 }),
        },
        {
          description:
            'A workload of the same namespace whose pods say how large one piece of the buffer is. Excludes podTemplateRef.',
        },
      ),
    ),
    replicas: optional(
      integer({
        description:
          'How many pieces to keep. Together with percentage the larger of the two counts.',
        format: 'int32',
        minimum: 0,
      }),
    ),
    percentage: optional(
      integer({
        description:
          "How many pieces to keep, as a share of scalableRef's replicas, rounded up and at least 1.",
        format: 'int32',
        minimum: 0,
      }),
    ),
    limits: optional(
      resources({
        description:
          'What the buffer may request in all. Alone, without replicas and percentage, as many pieces are kept as fit.',
      }),
    ),
  },
  {
    description: 'How much room to keep, and of what shape.',
    rules: [
      {
        rule: '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
        message: 'If podTemplateRef is set, replicas or limits must also be set',
      },
      {
        rule: '!(has(self.podTemplateRef) && has(self.scalableRef))',
        message: 'You must define either PodTemplateRef or ScalableRef, but not both',
      },
    ],
  },
);

export const capacityBufferStatus = object(
  {
    podTemplateRef: optional(
      object(podTemplateReference, { description: 'The PodTemplate in use.' }),
    ),
    podTemplateGeneration: optional(
      integer({ description: 'Generation of the PodTemplate in use.', format: 'int64' }),
    ),
    replicas: optional(integer({ description: 'How many pieces are kept.', format: 'int32' })),
    provisioningStrategy: optional(string({ description: 'The strategy in use.' })),
    conditions: optional(conditions),
  },
  { description: 'What the buffer amounts to.' },
);

export const capacityBufferDefinition: Definition = {
  group: 'autoscaling.x-k8s.io',
  kind: 'CapacityBuffer',
  plural: 'capacitybuffers',
  singular: 'capacitybuffer',
  scope: 'Namespaced',
  categories: ['autoscaling'],
  shortNames: ['cb'],
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: true,
      columns: [
        {
          name: 'Strategy',
          type: 'string',
          jsonPath: '.spec.provisioningStrategy',
          description: 'How the room is kept.',
        },
        {
          name: 'PodTemplate',
          type: 'string',
          jsonPath: '.status.podTemplateRef.name',
          description: 'The PodTemplate in use.',
        },
        {
          name: 'Replicas',
          type: 'integer',
          jsonPath: '.status.replicas',
          description: 'How many pieces are kept.',
        },
        {
          name: 'ConditionsType',
          type: 'string',
          jsonPath: '.status.conditions[*].type',
          description: 'The types of all conditions.',
        },
        {
          name: 'ConditionsStatus',
          type: 'string',
          jsonPath: '.status.conditions[*].status',
          description: 'The statuses of all conditions.',
        },
        {
          name: 'ConditionsReason',
          type: 'string',
          jsonPath: '.status.conditions[*].reason',
          description: 'The reasons of all conditions.',
        },
        {
          name: 'Age',
          type: 'date',
          jsonPath: '.metadata.creationTimestamp',
          description: 'How old the buffer is.',
        },
      ],
      openApi: rootSchema({
        description: 'Spare capacity that is kept ready for pods to come.',
        spec: capacityBufferSpec,
        status: capacityBufferStatus,
        specRequired: true,
      }),
    },
  ],
};
