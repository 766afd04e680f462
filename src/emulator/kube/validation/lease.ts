// Leases: whole seconds that are more than none, and no counting backwards.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import { numberAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';

function leaseErrors(lease: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const duration = numberAt(lease, 'spec', 'leaseDurationSeconds');
  if (duration !== undefined && duration <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  const transitions = numberAt(lease, 'spec', 'leaseTransitions');
  if (transitions !== undefined && transitions < 0) {
    errors.push(
      invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
    );
  }
  return errors;
}

export const leaseStrategy: Strategy = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate: leaseErrors,
  validateUpdate: (lease) => leaseErrors(lease),
};
