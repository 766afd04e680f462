// Requirement lists: which nodes a NodePool may make, a NodeClaim must be, or a NodeOverlay speaks of.
import type { ValidationRule } from './open-api.ts';
import { labelValuePattern, qualifiedNamePattern } from './qualified-name.ts';
import { restrictedKeyRules, restrictedNodePoolKeyRules } from './restricted-labels.ts';
import { array, integer, object, optional, string } from './schema.ts';

function key(rules: readonly ValidationRule[]) {
  return string({
    description: 'Label key.',
    maxLength: 316,
    pattern: qualifiedNamePattern,
    rules,
  });
}

const operator = string({
  description: 'How the label relates to the values.',
  enum: ['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
});

const values = optional(
  array(string(), {
    description:
      'Values for In and NotIn; one whole number for Gt, Lt, Gte and Lte; none for Exists and DoesNotExist.',
    listType: 'atomic',
    inert: { maxLength: 63, pattern: labelValuePattern },
  }),
);

const minValues = optional(
  integer({
    description:
      'Alpha. How many different values must stay possible, so that a launch keeps its choice.',
    minimum: 1,
    maximum: 50,
  }),
);

function valuesFor(name: 'In' | 'NotIn'): ValidationRule {
  return {
    rule: `self.all(x, x.operator == '${name}' ? x.values.size() != 0 : true)`,
    message: `requirements with operator '${name}' must have a value defined`,
  };
}

// The two messages differ by a comma, and users may have grown to know either.
function wholeNumber(operators: string): ValidationRule {
  return {
    rule: "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt' || x.operator == 'Gte' || x.operator == 'Lte') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
    message: `requirements operator ${operators} must have a single positive integer value`,
  };
}

const withMinValuesRules: readonly ValidationRule[] = [
  valuesFor('In'),
  wholeNumber("'Gt', 'Lt', 'Gte', or 'Lte'"),
  {
    rule: "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
    message:
      "requirements with 'minValues' must have at least that many values specified in the 'values' field",
  },
];

export const nodePoolRequirements = array(
  object({ key: key(restrictedNodePoolKeyRules), operator, values, minValues }),
  {
    description: 'Labels that nodes of this pool may have; pods narrow them down further.',
    listType: 'atomic',
    maxItems: 100,
    rules: withMinValuesRules,
  },
);

export const nodeClaimRequirements = array(
  object({ key: key(restrictedKeyRules), operator, values, minValues }),
  {
    description: 'Labels that the node must have.',
    listType: 'atomic',
    maxItems: 100,
    rules: withMinValuesRules,
  },
);

export const nodeOverlayRequirements = array(
  object({ key: key(restrictedKeyRules), operator, values }),
  {
    description: 'Which instance types and offerings the overlay speaks of.',
    listType: 'atomic',
    maxItems: 100,
    rules: [valuesFor('NotIn'), valuesFor('In'), wholeNumber("'Gt', 'Lt', 'Gte' or 'Lte'")],
  },
);
