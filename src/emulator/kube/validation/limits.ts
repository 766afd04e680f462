// LimitRanges and ResourceQuotas as objects; what they do to others is in admission/.
import { compareQuantities, parseQuantity } from '../../../model/quantity.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import { objectAt, objectsAt, stringAt, withDefaults, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus } from '../registry/status-rules.ts';
import { eachObject } from './pod-defaults.ts';

/** For containers: what is not said follows from what is, from the largest to the smallest. */
function limitDefaults(item: JsonObject): JsonObject {
  if (stringAt(item, 'type') !== 'Container') return item;
  const fallback = withDefaults(objectAt(item, 'default') ?? {}, objectAt(item, 'max') ?? {});
  const request = withDefaults(
    withDefaults(objectAt(item, 'defaultRequest') ?? {}, objectAt(item, 'min') ?? {}),
    fallback,
  );
  return {
    ...item,
    ...(Object.keys(fallback).length === 0 ? {} : { default: fallback }),
    ...(Object.keys(request).length === 0 ? {} : { defaultRequest: request }),
  };
}

function orderErrors(item: JsonObject, field: string): readonly FieldError[] {
  const pairs = [
    ['min', 'max'],
    ['defaultRequest', 'default'],
    ['default', 'max'],
    ['min', 'defaultRequest'],
  ] as const;
  return pairs.flatMap(([low, high]) =>
    Object.entries(objectAt(item, low) ?? {}).flatMap(([name, amount]) => {
      const bound = objectAt(item, high)?.[name];
      if (typeof bound !== 'string' || typeof amount !== 'string') return [];
      if (compareQuantities(parseQuantity(amount), parseQuantity(bound)) <= 0) return [];
      const words: Readonly<Record<string, string>> = {
        default: 'default',
        defaultRequest: 'default request',
        min: 'min',
        max: 'max',
      };
      const detail =
        low === 'min' && high === 'max'
          ? `min value ${amount} is greater than max value ${bound}`
          : `${words[low]} value ${amount} is greater than ${words[high]} value ${bound}`;
      return [invalid(`${field}.${low}[${name}]`, amount, detail)];
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

export const resourceQuotaStrategy: Strategy = {
  ...ownStatus(),
  returnsDeleted: true,
};
