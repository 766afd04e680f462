// Values as Kusto compares them. In: JSON of a row, undefined where there is none. Out: truth, order, text. Nothing equals
// what is not there; an object is compared as its JSON text.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject } from '../../kube/json.ts';

export type Value = Json | undefined;

export function toText(value: Value): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isTrue(value: Value): boolean {
  return value === true;
}

export function isMissing(value: Value): boolean {
  return value === undefined || value === null;
}

export function isEmptyValue(value: Value): boolean {
  return isMissing(value) || value === '';
}

export function isEqual(a: Value, b: Value): boolean {
  if (isMissing(a) || isMissing(b)) return false;
  return typeof a === 'object' || typeof b === 'object' ? toText(a) === toText(b) : a === b;
}

/** Missing values come first, then numbers by size, then text by code point. */
export function compare(a: Value, b: Value): number {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(b)) - Number(isMissing(a));
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [first, second] = [toText(a), toText(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

const alphanumeric = /[A-Za-z0-9]/;

/** As a whole word: what stands before and behind it is no letter and no digit. */
export function hasTerm(text: string, term: string): boolean {
  if (term === '') return true;
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const behind = text[at + term.length] ?? ' ';
    if (!alphanumeric.test(before) && !alphanumeric.test(behind)) return true;
  }
  return false;
}

export function memberOf(value: Value, key: string | number): Value {
  if (typeof key === 'number') return isArray(value) ? value[key] : undefined;
  return isObject(value) ? value[key] : undefined;
}
