// What webhooks and admission policies are about: rules and conditions. In: parts of their objects. Out: field errors, in the
// server's words and order. Expressions are kept as they are: nobody here evaluates them.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notSupported, required } from '../field-error.ts';
import { listAt, objectsAt, scalarText, stringAt, textAt, type JsonObject } from '../json.ts';
import { qualifiedNameErrors } from './names.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

export function ruleErrors(rule: JsonObject, field: string): readonly FieldError[] {
  const scope = stringAt(rule, 'scope');
  return [
    ...listErrors(rule, 'operations', { field, others: 'operations' }),
    ...listAt(rule, 'operations')
      .map(scalarText)
      .flatMap((operation, index) =>
        operations.includes(operation)
          ? []
          : [notSupported(`${field}.operations[${index}]`, operation, operations)],
      ),
    ...listErrors(rule, 'apiGroups', { field, others: 'API groups' }),
    ...listErrors(rule, 'apiVersions', { field, others: 'API versions' }),
    ...resourceErrors(listAt(rule, 'resources').map(scalarText), `${field}.resources`),
    ...(scope === undefined || scopes.includes(scope)
      ? []
      : [notSupported(`${field}.scope`, scope, scopes)]),
  ];
}

function listErrors(
  rule: JsonObject,
  name: string,
  { field, others }: { readonly field: string; readonly others: string },
): readonly FieldError[] {
  const values = listAt(rule, name);
  if (values.length === 0) return [required(`${field}.${name}`)];
  if (values.length === 1 || !values.includes('*')) return [];
  const detail = `if '*' is present, must not specify other ${others}`;
  return [invalid(`${field}.${name}`, values, detail)];
}

function resourceErrors(resources: readonly string[], field: string): readonly FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const whole = resources.filter((resource) => !resource.includes('/'));
  const parts = resources.filter((resource) => resource.includes('/'));
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (whole.length > 1 && whole.includes('*')) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(field, resources, detail));
  }
  for (const part of parts.filter((part) => part.endsWith('/*') && part !== '*/*')) {
    const parent = part.slice(0, -2);
    const isDouble = parts.some((other) => other !== part && other.startsWith(`${parent}/`));
    const detail = `if '${part}' is present, must not specify ${parent}/*`;
    if (isDouble) errors.push(invalid(field, resources, detail));
  }
  return errors;
}

export function conditionErrors(owner: JsonObject, field: string): readonly FieldError[] {
  const conditions = objectsAt(owner, 'matchConditions');
  const names = conditions.map((condition) => textAt(condition, 'name'));
  return conditions.flatMap((condition, index) => {
    const below = `${field}[${index}]`;
    const name = names[index] ?? '';
    const isTaken = name !== '' && names.indexOf(name) < index;
    return [
      ...(textAt(condition, 'expression') === '' ? [required(`${below}.expression`)] : []),
      ...(name === ''
        ? [required(`${below}.name`)]
        : qualifiedNameErrors(name).map((rule) => invalid(`${below}.name`, name, rule))),
      ...(isTaken ? [duplicate(`${below}.name`, name)] : []),
    ];
  });
}
