// The counts in the status of a deployment. In: the deployment. Out: complaints about counts that cannot be.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import { countAt } from '../json.ts';
import type { ApiObject } from '../object.ts';

const counts = [
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
];

/** Counts of a status are not negative, and those of a part not above that of the whole. */
export function replicaCountErrors(object: ApiObject): readonly FieldError[] {
  const all = countAt(object, 'status', 'replicas');
  const negative = ['replicas', ...counts].flatMap((name) => {
    const value = countAt(object, 'status', name);
    if (value >= 0) return [];
    return [invalid(`status.${name}`, value, 'must be greater than or equal to 0')];
  });
  const excessive = ['updatedReplicas', 'readyReplicas', 'availableReplicas'].flatMap((name) => {
    const value = countAt(object, 'status', name);
    if (value <= all) return [];
    return [invalid(`status.${name}`, value, 'cannot be greater than status.replicas')];
  });
  return [...negative, ...excessive];
}
