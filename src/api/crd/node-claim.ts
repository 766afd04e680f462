// NodeClaim, karpenter.sh/v1: one node, from the wish for it until its machine is gone.
import { KARPENTER_GROUP } from '../labels.ts';
import { lenientConditions } from './condition.ts';
import { type Definition, rootSchema } from './definition.ts';
import { durationOrNeverPattern, durationPattern } from './duration.ts';
import { nodeClassReference } from './node-class-reference.ts';
import { nodeClaimRequirements } from './requirement.ts';
import { resources } from './resources.ts';
import { object, optional, string } from './schema.ts';
import { startupTaints, taints } from './taint.ts';

export const nodeClaimSpec = object(
  {
    nodeClassRef: nodeClassReference,
    requirements: nodeClaimRequirements,
    taints: optional(taints),
    startupTaints: optional(startupTaints),
    resources: optional(
      object(
        {
          requests: optional(
            resources({
              description: 'The sum of what the pods and daemons that asked for the node need.',
            }),
          ),
        },
        { description: 'What must fit on the node.' },
      ),
    ),
    expireAfter: string({
      description:
        'How long the node may live before it is drained and replaced; Never for no end.',
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
  {
    description: 'What node is wanted. Never changes.',
    rules: [{ rule: 'self == oldSelf', message: 'spec is immutable' }],
  },
);

export const nodeClaimStatus = object(
  {
    nodeName: optional(string({ description: 'Name of the Node object.' })),
    providerID: optional(
      string({ description: "The machine's id; links the claim with its Node." }),
    ),
    imageID: optional(string({ description: 'The image that the machine runs.' })),
    capacity: optional(resources({ description: 'What the machine has in all, estimated.' })),
    allocatable: optional(
      resources({ description: 'What is left for pods on the machine, estimated.' }),
    ),
    lastPodEventTime: optional(
      string({
        description: 'When a pod last came to the node or left it.',
        format: 'date-time',
      }),
    ),
    conditions: optional(lenientConditions),
  },
  { description: 'What has become of the wish.' },
);

export const nodeClaimDefinition: Definition = {
  group: KARPENTER_GROUP,
  kind: 'NodeClaim',
  plural: 'nodeclaims',
  singular: 'nodeclaim',
  scope: 'Cluster',
  categories: ['karpenter', 'nap'],
  shortNames: [],
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      columns: [
        {
          name: 'Type',
          type: 'string',
          jsonPath: '.metadata.labels.node\\.kubernetes\\.io/instance-type',
        },
        {
          name: 'Capacity',
          type: 'string',
          jsonPath: '.metadata.labels.karpenter\\.sh/capacity-type',
        },
        {
          name: 'Zone',
          type: 'string',
          jsonPath: '.metadata.labels.topology\\.kubernetes\\.io/zone',
        },
        { name: 'Node', type: 'string', jsonPath: '.status.nodeName' },
        {
          name: 'Ready',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        {
          name: 'NodePool',
          type: 'string',
          jsonPath: '.metadata.labels.karpenter\\.sh/nodepool',
          priority: 1,
        },
        { name: 'NodeClass', type: 'string', jsonPath: '.spec.nodeClassRef.name', priority: 1 },
        {
          name: 'Drifted',
          type: 'string',
          jsonPath: '.status.conditions[?(@.type=="Drifted")].status',
          priority: 1,
        },
      ],
      openApi: rootSchema({
        description: 'One node that is wanted, being made, running or going away.',
        spec: nodeClaimSpec,
        status: nodeClaimStatus,
        specRequired: true,
      }),
    },
  ],
};
