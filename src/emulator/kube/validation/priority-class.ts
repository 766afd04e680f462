// PriorityClasses: users' values stay below those of the system, and a value once given stays.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported } from '../field-error.ts';
import { at, countAt, numberAt, stringAt, withDefaults } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';

/** The highest value that is not the system's. */
const highestUserValue = 1_000_000_000;

export const systemPriorities: Readonly<
  Record<string, { readonly value: number; readonly description: string }>
> = {
  'system-cluster-critical': {
    value: 2_000_000_000,
    description: 'For what the cluster needs to work, but not on any one node.',
  },
  'system-node-critical': {
    value: 2_000_001_000,
    description: 'For what a node needs to work: nothing ranks higher.',
  },
};

function classErrors(object: ApiObject): readonly FieldError[] {
  const { name } = object.metadata;
  const errors: FieldError[] = [];
  const value = countAt(object, 'value');
  const known = systemPriorities[name];
  if (name.startsWith('system-') && known === undefined) {
    errors.push(
      forbidden(
        'metadata.name',
        `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
      ),
    );
  }
  if (known === undefined && value > highestUserValue) {
    errors.push(
      forbidden('value', `maximum allowed value of a user defined priority is ${highestUserValue}`),
    );
  }
  const policy = stringAt(object, 'preemptionPolicy');
  if (policy !== 'Never' && policy !== 'PreemptLowerPriority') {
    errors.push(notSupported('preemptionPolicy', policy ?? '', ['PreemptLowerPriority', 'Never']));
  }
  return errors;
}

export const priorityClassStrategy: Strategy = {
  generation: 'all-but-status',
  defaults: (object) =>
    withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority', value: 0 }),
  validate: classErrors,
  validateUpdate: (object, before) => {
    const errors: FieldError[] = [];
    if (numberAt(object, 'value') !== numberAt(before, 'value')) {
      errors.push(forbidden('value', 'may not be changed in an update.'));
    }
    if (at(object, 'preemptionPolicy') !== at(before, 'preemptionPolicy')) {
      errors.push(
        invalid('preemptionPolicy', at(object, 'preemptionPolicy') ?? null, 'field is immutable'),
      );
    }
    return errors;
  },
};
