// The reference from a NodePool or NodeClaim to the cloud's own configuration object.
import type { ValidationRule } from './open-api.ts';
import { object, string } from './schema.ts';

const fields = {
  group: string({
    description: 'API group of the referenced object.',
    pattern: '^[^/]*$',
    rules: [{ rule: "self != ''", message: 'group may not be empty' }],
  }),
  kind: string({
    description: 'Kind of the referenced object.',
    rules: [{ rule: "self != ''", message: 'kind may not be empty' }],
  }),
  name: string({
    description: 'Name of the referenced object.',
    rules: [{ rule: "self != ''", message: 'name may not be empty' }],
  }),
} as const;

const description = 'The object that says how machines look in this cloud.';

export const nodeClassReference = object(fields, { description });

const immutable: readonly ValidationRule[] = [
  { rule: 'self.group == oldSelf.group', message: 'nodeClassRef.group is immutable' },
  { rule: 'self.kind == oldSelf.kind', message: 'nodeClassRef.kind is immutable' },
];

/** On a NodePool another NodeClass may be chosen, but only of the same kind. */
export const pinnedNodeClassReference = object(fields, { description, rules: immutable });
