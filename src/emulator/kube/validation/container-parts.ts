// Smaller parts of a container: variables from elsewhere, block devices, how it is resized and restarted. In: a container.
// Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notFoundValue, notSupported, required } from '../field-error.ts';
import { objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../json.ts';

const variableRule =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

export function envFromErrors(container: JsonObject, field: string): readonly FieldError[] {
  return objectsAt(container, 'envFrom').flatMap((source, index) => {
    const below = `${field}.envFrom[${index}]`;
    const prefix = textAt(source, 'prefix');
    const isPrintable = prefix === '' || /^[ -<>-~]+$/.test(prefix);
    const present = ['configMapRef', 'secretRef'].filter((name) => name in source);
    const none = 'must specify one of: `configMapRef` or `secretRef`';
    const both = 'may not have more than one field specified at a time';
    return [
      ...(isPrintable ? [] : [invalid(`${below}.prefix`, prefix, variableRule)]),
      ...present
        .filter((name) => textAt(objectAt(source, name), 'name') === '')
        .map((name) => required(`${below}.${name}.name`)),
      ...(present.length === 0 ? [invalid(`${field}.envFrom`, '', none)] : []),
      ...(present.length > 1 ? [invalid(`${field}.envFrom`, '', both)] : []),
    ];
  });
}

export function deviceErrors(
  container: JsonObject,
  field: string,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  return objectsAt(container, 'volumeDevices').flatMap((device, index) => {
    const below = `${field}.volumeDevices[${index}]`;
    const name = textAt(device, 'name');
    const path = textAt(device, 'devicePath');
    const isUpwards = path.split('/').includes('..');
    return [
      ...(name === '' ? [required(`${below}.name`)] : []),
      ...(name !== '' && !volumes.has(name) ? [notFoundValue(`${below}.name`, name)] : []),
      ...(path === '' ? [required(`${below}.devicePath`)] : []),
      ...(isUpwards
        ? [invalid(`${below}.devicePath`, path, "can not contain backsteps ('..')")]
        : []),
    ];
  });
}

const resizable = ['cpu', 'memory'];
const restarts = ['NotRequired', 'RestartContainer'];

export function resizeErrors(container: JsonObject, field: string): readonly FieldError[] {
  const below = `${field}.resizePolicy`;
  return objectsAt(container, 'resizePolicy').flatMap((policy) => {
    const resource = textAt(policy, 'resourceName');
    const restart = textAt(policy, 'restartPolicy');
    return [
      ...(resizable.includes(resource) ? [] : [notSupported(below, resource, resizable)]),
      ...(restarts.includes(restart) ? [] : [notSupported(below, restart, restarts)]),
    ];
  });
}

const restartPolicies = ['Always', 'Never', 'OnFailure'];

export function restartErrors(container: JsonObject, field: string): readonly FieldError[] {
  const policy = stringAt(container, 'restartPolicy');
  const hasRules = objectsAt(container, 'restartPolicyRules').length > 0;
  const missing = 'must specify restartPolicy when restart rules are used';
  if (policy === undefined) return hasRules ? [required(`${field}.restartPolicy`, missing)] : [];
  if (restartPolicies.includes(policy)) return [];
  return [notSupported(`${field}.restartPolicy`, policy, restartPolicies)];
}
