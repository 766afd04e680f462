// ResourceClaims and templates of them: which devices are asked for. In: the object. Out: defaults, and field errors in the
// server's words and order. Selectors are kept as they are: nobody here evaluates them.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from './names.ts';
import { eachObject } from './pod-defaults.ts';

function requestDefaults(request: JsonObject): JsonObject {
  const filled = withDefaults(request, { allocationMode: 'ExactCount' });
  return stringAt(filled, 'allocationMode') === 'ExactCount' && countOf(filled) === 0
    ? { ...filled, count: 1 }
    : filled;
}

function countOf(request: JsonObject): number {
  return numberAt(request, 'count') ?? 0;
}

/** `path` leads to the spec of the claim. */
export function claimDefaults(object: ApiObject, path: readonly string[]): ApiObject {
  const devices = objectAt(object, ...path, 'devices');
  if (devices === undefined) return object;
  const filled = eachObject(devices, 'requests', (request) => {
    const exactly = objectAt(request, 'exactly');
    const alternatives = eachObject(request, 'firstAvailable', requestDefaults);
    return exactly === undefined
      ? alternatives
      : withValue(alternatives, ['exactly'], requestDefaults(exactly));
  });
  return filled === devices ? object : withValue(object, [...path, 'devices'], filled);
}

export function claimErrors(object: ApiObject, path: readonly string[]): readonly FieldError[] {
  const requests = objectsAt(object, ...path, 'devices', 'requests');
  const names = requests.map((request) => textAt(request, 'name'));
  return requests.flatMap((request, index) => {
    const field = `${path.join('.')}.devices.requests[${index}]`;
    const name = names[index] ?? '';
    return [
      ...nameErrors(name, `${field}.name`),
      ...requestErrors(request, field),
      ...(name !== '' && names.indexOf(name) < index ? [duplicate(field, name)] : []),
    ];
  });
}

function nameErrors(name: string, field: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  return dnsLabelErrors(name).map((rule) => invalid(field, name, rule));
}

function requestErrors(request: JsonObject, field: string): readonly FieldError[] {
  const exactly = objectAt(request, 'exactly');
  const alternatives = objectsAt(request, 'firstAvailable');
  const isOne = (exactly === undefined) !== (alternatives.length === 0);
  const either = 'exactly one of `exactly` or `firstAvailable` is required';
  if (!isOne && exactly === undefined) return [required(field, either)];
  if (!isOne) return [{ field, type: 'Invalid', value: null, detail: either }];
  if (exactly !== undefined) return deviceErrors(exactly, `${field}.exactly`);
  return alternatives.flatMap((alternative, index) => {
    const below = `${field}.firstAvailable[${index}]`;
    return [
      ...nameErrors(textAt(alternative, 'name'), `${below}.name`),
      ...deviceErrors(alternative, below),
    ];
  });
}

const modes = ['All', 'ExactCount'];

function deviceErrors(device: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(device, 'deviceClassName');
  const mode = textAt(device, 'allocationMode');
  return [
    ...(name === ''
      ? [required(`${field}.deviceClassName`)]
      : dnsSubdomainErrors(name).map((rule) => invalid(`${field}.deviceClassName`, name, rule))),
    ...objectsAt(device, 'selectors').flatMap((selector, index) =>
      at(selector, 'cel') === undefined ? [required(`${field}.selectors[${index}].cel`)] : [],
    ),
    ...(modes.includes(mode) ? [] : [notSupported(`${field}.allocationMode`, mode, modes)]),
    ...countErrors(mode, countOf(device), `${field}.count`),
  ];
}

function countErrors(mode: string, count: number, field: string): readonly FieldError[] {
  if (mode === 'ExactCount' && count <= 0) {
    return [invalid(field, count, 'must be greater than zero')];
  }
  if (mode !== 'All' || count === 0) return [];
  return [invalid(field, count, "must not be specified when allocationMode is 'All'")];
}
