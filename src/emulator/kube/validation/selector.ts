// Label selectors inside objects. In: a LabelSelector. Out: complaints in the server's words, and whether it is empty.
import type { Json } from '../../../api/meta.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, required } from '../field-error.ts';
import { listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { labelValueErrors, qualifiedNameErrors } from './names.ts';
import { labelErrors } from './object-meta.ts';

const operators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

export function selectorErrors(selector: Json | undefined, field: string): readonly FieldError[] {
  const labels = objectAt(selector, 'matchLabels') as Record<string, string> | undefined;
  const expressions = objectsAt(selector, 'matchExpressions').flatMap((expression, index) => {
    const path = `${field}.matchExpressions[${index}]`;
    const operator = textAt(expression, 'operator');
    const values = listAt(expression, 'values');
    const key = textAt(expression, 'key');
    const errors: FieldError[] = [];
    if (!operators.has(operator)) {
      errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
    } else if (operator.endsWith('In') && values.length === 0) {
      errors.push(
        required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      );
    } else if (!operator.endsWith('In') && values.length > 0) {
      errors.push(
        forbidden(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
    }
    errors.push(...qualifiedNameErrors(key).map((error) => invalid(`${path}.key`, key, error)));
    for (const [position, value] of values.entries()) {
      if (typeof value !== 'string') continue;
      errors.push(
        ...labelValueErrors(value).map((error) =>
          invalid(`${path}.values[${position}]`, value, error),
        ),
      );
    }
    return errors;
  });
  return [...labelErrors(labels, `${field}.matchLabels`), ...expressions];
}

export function isEmptySelector(selector: Json | undefined): boolean {
  const labels = Object.keys(objectAt(selector, 'matchLabels') ?? {}).length;
  return labels + objectsAt(selector, 'matchExpressions').length === 0;
}
