// LimitRanges and ResourceQuotas as objects; what they do to others is in admission/.
import { compareQuantities, parseQuantity } from '../../../model/quantity.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import type { Json } from '../../../api/meta.ts';
import { invalid } from '../field-error.ts';
import {
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  withDefaults,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus } from '../registry/status-rules.ts';
import { qualifiedNameErrors } from './names.ts';
import { eachObject } from './pod-defaults.ts';
import { scopeChangeErrors, scopeErrors } from './quota-scopes.ts';

/** For containers: what is not said follows from what is, from the largest to the smallest. */
function limitDefaults(item: JsonObject): JsonObject {
  if (stringAt(item, 'type') !== 'Container') return item;
  const fallback = withDefaults(objectAt(item, 'default') ?? {}, objectAt(item, 'max') ?? {});
  const request = withDefaults(
    withDefaults(objectAt(item, 'defaultRequest') ?? {}, fallback),
    objectAt(item, 'min') ?? {},
  );
  return {
    ...item,
    ...(Object.keys(fallback).length === 0 ? {} : { default: fallback }),
    ...(Object.keys(request).length === 0 ? {} : { defaultRequest: request }),
  };
}

/** Which amount may not be above which, the field that is blamed, and whose value it shows. */
const orders = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'default'],
] as const;

const words: Readonly<Record<string, string>> = { defaultRequest: 'default request' };

function orderErrors(item: JsonObject, field: string): readonly FieldError[] {
  const names = new Set(
    ['min', 'max', 'default', 'defaultRequest'].flatMap((amounts) =>
      Object.keys(objectAt(item, amounts) ?? {}),
    ),
  );
  return [...names].flatMap((name) =>
    orders.flatMap(([low, high, blamed, shown]) => {
      const small = stringAt(item, low, name);
      const large = stringAt(item, high, name);
      if (small === undefined || large === undefined) return [];
      if (compareQuantities(parseQuantity(small), parseQuantity(large)) <= 0) return [];
      const detail = `${words[low] ?? low} value ${small} is greater than ${words[high] ?? high} value ${large}`;
      return [invalid(`${field}.${blamed}[${name}]`, shown === low ? small : large, detail)];
    }),
  );
}

function limitErrors(object: ApiObject): readonly FieldError[] {
  return objectsAt(object, 'spec', 'limits').flatMap((item, index) => [
    ...orderErrors(item, `spec.limits[${index}]`),
  ]);
}

export const limitRangeStrategy: Strategy = {
  allowCreateOnUpdate: true,
  defaults: (object) => {
    const spec = objectAt(object, 'spec');
    return spec === undefined
      ? object
      : { ...object, spec: eachObject(spec, 'limits', limitDefaults) };
  },
  validate: limitErrors,
  validateUpdate: limitErrors,
};

const quotaResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

function quotaNameErrors(name: string, field: string): readonly FieldError[] {
  const errors = qualifiedNameErrors(name).map((error) => invalid(field, name, error));
  const isStandard = quotaResources.has(name) || /^(?:requests\.)?hugepages-/.test(name);
  if (name.includes('/') || isStandard) return errors;
  return [...errors, invalid(field, name, 'must be a standard resource for quota')];
}

function amountErrors(name: string, amount: Json): readonly FieldError[] {
  const field = `spec.hard[${name}]`;
  const text = scalarText(amount);
  const isNegative = parseQuantity(text).nano < 0n;
  const negative = isNegative ? [invalid(field, text, 'must be greater than or equal to 0')] : [];
  return [...quotaNameErrors(name, field), ...negative];
}

function quotaErrors(object: ApiObject): readonly FieldError[] {
  return [
    ...Object.entries(objectAt(object, 'spec', 'hard') ?? {}).flatMap(([name, amount]) =>
      amountErrors(name, amount),
    ),
    ...scopeErrors(object, (name) => quotaResources.has(name)),
  ];
}

export const resourceQuotaStrategy: Strategy = {
  ...ownStatus(),
  validate: quotaErrors,
  validateUpdate: (object, before) => [
    ...quotaErrors(object),
    ...scopeChangeErrors(object, before),
  ],
  returnsDeleted: true,
};
