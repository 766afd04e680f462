// The `status.conditions` list of our kinds. Three shapes exist on clusters and are kept: strict, lenient
// about reason and message (NodeClaims of old versions), and without a list type (AKSNodeClass).
import { array, integer, object, optional, string } from './schema.ts';

const fields = {
  type: string({
    description: 'Name of the condition, in CamelCase.',
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  status: string({
    description: 'True, False or Unknown.',
    enum: ['True', 'False', 'Unknown'],
  }),
  observedGeneration: optional(
    integer({
      description: 'The metadata.generation this condition was computed from.',
      format: 'int64',
      minimum: 0,
    }),
  ),
  lastTransitionTime: string({
    description: 'When the status last changed.',
    format: 'date-time',
  }),
} as const;

const message = string({
  description: 'What happened, for a person; may be empty.',
  maxLength: 32_768,
});

const reasonText = 'Why the status is what it is, as one CamelCase word.';

const strictCondition = object({
  ...fields,
  reason: string({
    description: reasonText,
    maxLength: 1024,
    minLength: 1,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  }),
  message,
});

const lenientCondition = object({
  ...fields,
  reason: optional(
    string({
      description: `${reasonText} Objects written by old versions may have none.`,
      maxLength: 1024,
      pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
    }),
  ),
  message: optional(message),
});

const description = 'What the controllers know about this object; `Ready` sums up the rest.';

export const conditions = array(strictCondition, {
  description,
  listType: 'map',
  listMapKeys: ['type'],
});

export const lenientConditions = array(lenientCondition, {
  description,
  listType: 'map',
  listMapKeys: ['type'],
});

export const untypedListConditions = array(strictCondition, { description });
