// What a JSON value must look like, as small checks that combine. In: a value without nulls and its place. Out: faults
// at that place. Fields that a shape does not name pass, unless it is `closed`: an object of Kubernetes has many more
// than are read here, a form of our own has none.
import { isRecord } from '../../api/crd/validation/json-value.ts';
import type { Json } from '../../api/meta.ts';
import { tryParseQuantity } from '../../model/quantity.ts';
import { blame, inside, type Place } from './place.ts';

export type Shape = (value: Json, place: Place) => void;

interface RequiredShape {
  readonly required: Shape;
}

type Fields = Readonly<Record<string, Shape | RequiredShape>>;

export function required(shape: Shape): RequiredShape {
  return { required: shape };
}

export const text: Shape = (value, place) => {
  if (typeof value !== 'string') blame(place, value, 'must be a text; put it in quotes');
};

export const name: Shape = (value, place) => {
  if (typeof value !== 'string' || value === '') {
    blame(place, value, 'must be a text that is not empty; give it a name');
  }
};

export const truth: Shape = (value, place) => {
  if (typeof value !== 'boolean') blame(place, value, 'must be true or false, without quotes');
};

export const integer: Shape = (value, place) => {
  if (!Number.isSafeInteger(value)) blame(place, value, 'must be a whole number, without quotes');
};

export const price: Shape = (value, place) => {
  if (typeof value !== 'number' || value < 0) {
    blame(place, value, 'must be a price per hour; write a number that is not negative');
  }
};

/** `50%` or `3`. */
export const countOrShare: Shape = (value, place) => {
  if (typeof value !== 'string') integer(value, place);
};

export const timestamp: Shape = (value, place) => {
  if (typeof value !== 'string' || !rfc3339.test(value) || Number.isNaN(Date.parse(value))) {
    blame(place, value, 'must be a time of RFC 3339; write it as 2026-01-31T12:00:00Z');
  }
};

export const quantity: Shape = (value, place) => {
  if (typeof value !== 'string' && typeof value !== 'number') {
    blame(place, value, `must be a quantity; ${quantityExamples}`);
    return;
  }
  const result = tryParseQuantity(value);
  if (!result.ok) blame(place, value, `is not a quantity (${result.reason}); ${quantityExamples}`);
};

export const amounts: Shape = mapOf(quantity);
export const texts: Shape = mapOf(text);

export function oneOf(...values: readonly string[]): Shape {
  return (value, place) => {
    if (typeof value === 'string' && values.includes(value)) return;
    const known = values.map((known) => JSON.stringify(known)).join(', ');
    blame(place, value, `must be one of ${known}`);
  };
}

export function listOf(item: Shape): Shape {
  return (value, place) => {
    if (!Array.isArray(value)) {
      blame(place, value, 'must be a list; write [ … ]');
      return;
    }
    for (const [i, entry] of (value as readonly Json[]).entries()) item(entry, inside(place, i));
  };
}

export function mapOf(item: Shape): Shape {
  return (value, place) => {
    if (!isObject(value, place)) return;
    for (const [key, entry] of Object.entries(value)) item(entry, inside(place, key));
  };
}

export function fields(known: Fields): Shape {
  return (value, place) => {
    if (isObject(value, place)) checkFields(known, value, place);
  };
}

/** Fields, and no other ones: a misspelt one would silently mean its default. */
export function closed(known: Fields): Shape {
  const names = Object.keys(known).join(', ');
  return (value, place) => {
    if (!isObject(value, place)) return;
    checkFields(known, value, place);
    for (const [key, entry] of Object.entries(value)) {
      if (Object.hasOwn(known, key)) continue;
      blame(inside(place, key), entry, `is not a known field; the known ones are ${names}`);
    }
  };
}

/** The value without null members: on the wire they say the same as no member. Shares what needs no change. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const cleaned = list.map((item) => withoutNulls(item));
    return cleaned.every((item, i) => item === list[i]) ? value : cleaned;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const cleaned = entries.flatMap(([key, item]): [string, Json][] =>
    item === null ? [] : [[key, withoutNulls(item)]],
  );
  const isSame =
    cleaned.length === entries.length && cleaned.every(([key, item]) => item === value[key]);
  return isSame ? value : Object.fromEntries(cleaned);
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const quantityExamples = 'write a number with a suffix or none, such as 100m, 2 or 1.5Gi';

function checkFields(known: Fields, value: { readonly [key: string]: Json }, place: Place): void {
  for (const [key, rule] of Object.entries(known)) {
    const isRequired = typeof rule !== 'function';
    const entry = Object.hasOwn(value, key) ? value[key] : undefined;
    if (entry !== undefined) (isRequired ? rule.required : rule)(entry, inside(place, key));
    else if (isRequired) blame(inside(place, key), undefined, 'is missing; add it');
  }
}

function isObject(value: Json, place: Place): value is { readonly [key: string]: Json } {
  if (isRecord(value)) return true;
  blame(place, value, 'must be an object; write { … }');
  return false;
}
