// ConfigMaps and Secrets: keys, sizes, and contents that may have been frozen.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, required, tooLong } from '../field-error.ts';
import { at, objectAt, sameJson, stringAt, textAt, withDefaults, without } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { dataKeyErrors } from './names.ts';

/** What etcd takes in one value, less some room for the rest of the object. */
const maxBytes = 1024 * 1024;

function keyErrors(object: ApiObject, field: string): readonly FieldError[] {
  return Object.keys(objectAt(object, field) ?? {}).flatMap((key) =>
    dataKeyErrors(key).map((error) => invalid(`${field}[${key}]`, key, error)),
  );
}

function sizeErrors(
  object: ApiObject,
  fields: readonly string[],
  named: string,
): readonly FieldError[] {
  let bytes = 0;
  for (const field of fields) {
    for (const value of Object.values(objectAt(object, field) ?? {})) {
      if (typeof value === 'string') bytes += value.length;
    }
  }
  return bytes > maxBytes ? [tooLong(named, maxBytes)] : [];
}

function frozenErrors(
  object: ApiObject,
  before: ApiObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (at(before, 'immutable') !== true) return [];
  const errors: FieldError[] = [];
  if (at(object, 'immutable') !== true) {
    errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
  }
  for (const field of fields) {
    if (!sameJson(object[field], before[field])) {
      errors.push(forbidden(field, 'field is immutable when `immutable` is set'));
    }
  }
  return errors;
}

function configMapErrors(object: ApiObject): readonly FieldError[] {
  const data = objectAt(object, 'data') ?? {};
  const both = Object.keys(objectAt(object, 'binaryData') ?? {}).filter((key) => key in data);
  return [
    ...keyErrors(object, 'data'),
    ...both.map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...keyErrors(object, 'binaryData'),
    ...sizeErrors(object, ['data', 'binaryData'], '[]'),
  ];
}

export const configMapStrategy: Strategy = {
  validate: configMapErrors,
  validateUpdate: (object, before) => [
    ...frozenErrors(object, before, ['data', 'binaryData']),
    ...configMapErrors(object),
  ],
};

/** Types that promise certain keys. */
const promisedKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function secretErrors(object: ApiObject): readonly FieldError[] {
  const type = textAt(object, 'type');
  const data = objectAt(object, 'data') ?? {};
  const missing = (promisedKeys[type] ?? []).filter((key) => data[key] === undefined);
  const errors = [
    ...keyErrors(object, 'data'),
    ...sizeErrors(object, ['data'], 'data'),
    ...missing.map((key) => required(`data[${key}]`)),
  ];
  const account = object.metadata.annotations?.['kubernetes.io/service-account.name'] ?? '';
  if (type === 'kubernetes.io/service-account-token' && account === '') {
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
  }
  return errors;
}

/** Plain text is a convenience of the writer: it is stored as data, and not shown again. */
function withStringData(object: ApiObject): ApiObject {
  const plain = objectAt(object, 'stringData');
  const typed = withDefaults(object, { type: 'Opaque' });
  if (plain === undefined) return typed;
  const encoded = Object.entries(plain).map(([key, value]) => [
    key,
    Buffer.from(typeof value === 'string' ? value : '').toString('base64'),
  ]);
  const data = { ...objectAt(object, 'data'), ...Object.fromEntries(encoded) };
  return { ...without(typed, 'stringData'), data };
}

export const secretStrategy: Strategy = {
  defaults: withStringData,
  validate: secretErrors,
  validateUpdate: (object, before) => {
    const isSameType = stringAt(object, 'type') === stringAt(before, 'type');
    return [
      ...(isSameType ? [] : [invalid('type', textAt(object, 'type'), 'field is immutable')]),
      ...frozenErrors(object, before, ['data']),
      ...secretErrors(object),
    ];
  },
};
