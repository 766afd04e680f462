// StorageClasses and VolumeAttachments.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import { at, sameJson, textAt, withDefaults } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { qualifiedNameErrors } from './names.ts';

function classErrors(object: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const provisioner = textAt(object, 'provisioner');
  if (provisioner === '') errors.push(required('provisioner', provisioner));
  else
    errors.push(
      ...qualifiedNameErrors(provisioner.toLowerCase()).map((error) =>
        invalid('provisioner', provisioner, error),
      ),
    );
  const policy = textAt(object, 'reclaimPolicy');
  if (policy !== 'Delete' && policy !== 'Retain') {
    errors.push(notSupported('reclaimPolicy', policy, ['Delete', 'Retain']));
  }
  const mode = textAt(object, 'volumeBindingMode');
  if (mode !== 'Immediate' && mode !== 'WaitForFirstConsumer') {
    errors.push(notSupported('volumeBindingMode', mode, ['Immediate', 'WaitForFirstConsumer']));
  }
  return errors;
}

export const storageClassStrategy: Strategy = {
  returnsDeleted: true,
  defaults: (object) =>
    withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: classErrors,
  validateUpdate: (object, before) => {
    const errors: FieldError[] = [];
    for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
      if (sameJson(object[field], before[field])) continue;
      errors.push(
        field === 'volumeBindingMode'
          ? invalid(field, at(object, field) ?? null, 'field is immutable')
          : forbidden(field, `updates to ${field} are forbidden.`),
      );
    }
    return [...errors, ...classErrors(object)];
  },
};

export const volumeAttachmentStrategy: Strategy = {
  returnsDeleted: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: (object) => ({ ...object, status: { attached: false } }),
  prepareForUpdate: withStatusOf,
  validateUpdate: (object, before) =>
    sameJson(object['spec'], before['spec'])
      ? []
      : [invalid('spec', object['spec'] ?? null, 'field is immutable')],
};
