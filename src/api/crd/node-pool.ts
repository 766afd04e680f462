// NodePool, karpenter.sh/v1: what nodes may be made, how many, and how they may be disrupted.
import { KARPENTER_GROUP } from '../labels.ts';
import { conditions } from './condition.ts';
import { type Definition, rootSchema } from './definition.ts';
import { durationOrNeverPattern, durationPattern } from './duration.ts';
import { pinnedNodeClassReference } from './node-class-reference.ts';
import { labelValuePattern } from './qualified-name.ts';
import { nodePoolRequirements } from './requirement.ts';
import { resources } from './resources.ts';
import { restrictedLabelRules } from './restricted-labels.ts';
import { array, integer, listed, map, object, optional, string } from './schema.ts';
import { startupTaints, taints } from './taint.ts';

const budget = object({
  nodes: listed(
    string({
      description:
        'How many nodes of the pool may be on their way out at once: a number or a percentage.',
      default: '10%',
      pattern: '^((100|[0-9]{1,2})%|[0-9]+)$',
    }),
  ),
  reasons: optional(
    array(string({ enum: ['Underutilized', 'Empty', 'Drifted'] }), {
      description: 'Which reasons for disruption the budget limits; all when absent.',
      listType: 'set',
      maxItems: 50,
    }),
  ),
  schedule: optional(
    string({
      description:
        'When the budget becomes active: five cron fields or a shorthand such as @daily, in UTC. Always active when absent.',
      pattern:
        '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
    }),
  ),
  duration: optional(
    string({
      description:
        'How long the budget stays active after each start, in hours and minutes. Goes with schedule.',
      // Serialized Go durations end in `0s`.
      pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
    }),
  ),
});

const disruption = object(
  {
    consolidateAfter: string({
      description:
        'How long a node must see no pod come or go before consolidation may take it; Never turns consolidation off. Ignored when replicas is set.',
      pattern: durationOrNeverPattern,
    }),
    consolidationPolicy: string({
      description:
        'Which nodes consolidation may take: only empty ones, also those whose pods fit elsewhere for less money, or the latter weighed against the disruption it causes. Ignored when replicas is set.',
      default: 'WhenEmptyOrUnderutilized',
      enum: ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'],
    }),
    budgets: array(budget, {
      description: 'Limits on simultaneous disruption; the strictest active one counts.',
      default: [{ nodes: '10%' }],
      listType: 'atomic',
      maxItems: 50,
      rules: [
        {
          rule: 'self.all(x, has(x.schedule) == has(x.duration))',
          message: "'schedule' must be set with 'duration'",
        },
      ],
    }),
  },
  {
    description: 'When and how fast nodes of the pool may be replaced or removed.',
    default: { consolidateAfter: '0s' },
  },
);

const templateMetadata = object(
  {
    labels: optional(
      map(string({ maxLength: 63, pattern: labelValuePattern }), {
        description: 'Labels for the nodes.',
        mapType: 'atomic',
        maxProperties: 100,
        rules: restrictedLabelRules,
      }),
    ),
    annotations: optional(
      map(string(), { description: 'Annotations for the nodes.', mapType: 'granular' }),
    ),
  },
  { description: 'Labels and annotations of every node of the pool.' },
);

const templateSpec = object(
  {
    nodeClassRef: pinnedNodeClassReference,
    requirements: nodePoolRequirements,
    taints: optional(taints),
    startupTaints: optional(startupTaints),
    expireAfter: string({
      description: 'How long a node may live before it is drained and replaced; Never for no end.',
      default: '720h',
      pattern: durationOrNeverPattern,
    }),
    terminationGracePeriod: optional(
      string({
        description:
          'How long draining may take. When the time is up the remaining pods are deleted, whatever their disruption budgets, annotations and grace periods say. Without it draining waits for ever.',
        pattern: durationPattern,
      }),
    ),
  },
  { description: 'What every node of the pool has in common.' },
);

const template = object(
  { metadata: optional(templateMetadata), spec: templateSpec },
  { description: 'The mould of the NodeClaims that the pool makes.' },
);

export const nodePoolSpec = object(
  {
    template,
    disruption,
    limits: optional(
      resources({
        description:
          'Upper bounds on what all nodes of the pool add up to. A bound that is passed stops new nodes and removes none. `nodes` counts nodes, and is the only key allowed when replicas is set.',
      }),
    ),
    weight: optional(
      integer({
        description:
          'Pools with a higher weight are tried first; absent counts as 0. Not allowed when replicas is set.',
        format: 'int32',
        minimum: 1,
        maximum: 100,
      }),
    ),
    replicas: optional(
      integer({
        description:
          'Alpha. Makes the pool static: it keeps this many nodes whether pods need them or not.',
        format: 'int64',
        minimum: 0,
      }),
    ),
  },
  {
    description: 'What nodes the pool makes, how many, and how they may be disrupted.',
    rules: [
      {
        rule: 'has(self.replicas) == has(oldSelf.replicas)',
        message:
          'Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes',
      },
      {
        rule: "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))",
        message: "only 'limits.nodes' is supported on static NodePools",
      },
      {
        rule: '!has(self.replicas) || !has(self.weight)',
        message: "'weight' is not supported on static NodePools",
      },
    ],
  },
);

export const nodePoolStatus = object(
  {
    resources: optional(resources({ description: 'What the nodes of the pool add up to.' })),
    nodes: integer({
      description: 'How many nodes the pool has.',
      default: 0,
      format: 'int64',
    }),
    nodeClassObservedGeneration: optional(
      integer({
        description:
          'Generation of the NodeClass that the condition NodeRegistrationHealthy speaks of.',
        format: 'int64',
      }),
    ),
    conditions: optional(conditions),
  },
  { description: 'What the controllers know about the pool.' },
);

export const nodePoolDefinition: Definition = {
  group: KARPENTER_GROUP,
  kind: 'NodePool',
  plural: 'nodepools',
  singular: 'nodepool',
  scope: 'Cluster',
  categories: ['karpenter', 'nap'],
  shortNames: [],
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      columns: [
        { name: 'NodeClass', type: 'string', jsonPath: '.spec.template.spec.nodeClassRef.name' },
        { name: 'Nodes', type: 'string', jsonPath: '.status.nodes' },
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
        { name: 'CPU', type: 'string', jsonPath: '.status.resources.cpu', priority: 1 },
        { name: 'Memory', type: 'string', jsonPath: '.status.resources.memory', priority: 1 },
      ],
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
      openApi: rootSchema({
        description: 'A kind of node that may be added to the cluster when pods need it.',
        spec: nodePoolSpec,
        status: nodePoolStatus,
        specRequired: true,
      }),
    },
  ],
};
