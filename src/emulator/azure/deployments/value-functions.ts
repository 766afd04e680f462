// The functions of the template language that need nothing but their arguments. In: values. Out: a value, or the
// refusal of the engine. A function that is not in this table, or in the one that knows the deployment, does not
// exist here.
import { createHash } from 'node:crypto';
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, sameJson, scalarText, type JsonObject } from '../../kube/json.ts';
import { cannotEvaluate } from './template-error.ts';

export type TemplateFunction = (...args: readonly Json[]) => Json;

function text(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  throw cannotEvaluate(`A string was expected, not '${scalarText(value)}'.`);
}

function number(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  throw cannotEvaluate(`A number was expected, not '${scalarText(value)}'.`);
}

function truth(value: Json | undefined): boolean {
  if (typeof value === 'boolean') return value;
  throw cannotEvaluate(`A boolean was expected, not '${scalarText(value)}'.`);
}

function list(value: Json | undefined): readonly Json[] {
  if (isArray(value)) return value;
  throw cannotEvaluate(`An array was expected, not '${scalarText(value)}'.`);
}

/** The language's own limits. */
const maxRange = 10_000;
const maxText = 131_072;

function within(value: number, limit: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= limit) return value;
  throw cannotEvaluate(`The value '${value}' must be between 0 and ${limit}.`);
}

function concat(...args: readonly Json[]): Json {
  if (args.every((arg) => isArray(arg))) return args.flatMap((arg) => arg);
  return args.map((arg) => scalarText(arg)).join('');
}

/** `{0}`, `{1}`; formats behind a colon are not part of what is used. */
function format(pattern: Json, ...args: readonly Json[]): Json {
  return text(pattern).replaceAll(/\{(\d+)\}/g, (_, index: string) =>
    scalarText(args[Number(index)]),
  );
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Thirteen characters that depend on nothing but the arguments; not the same ones that Azure would give. */
function uniqueString(...args: readonly Json[]): Json {
  const digest = createHash('sha256')
    .update(args.map((arg) => text(arg)).join('-'))
    .digest();
  return Array.from(digest.subarray(0, 13), (byte) => base32[byte % 32]).join('');
}

/** A name-based (version 5) id in the engine's own namespace, as Azure makes it. */
const guidNamespace = Buffer.from('11fb06fb712d4ddd98c7e71bbd588830', 'hex');

function guid(...args: readonly Json[]): Json {
  const name = args.map((arg) => text(arg)).join('-');
  const bytes = createHash('sha1').update(guidNamespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const cuts = [0, 8, 12, 16, 20, 32] as const;
  return cuts
    .slice(0, -1)
    .map((from, index) => hex.slice(from, cuts[index + 1]))
    .join('-');
}

function union(...args: readonly Json[]): Json {
  if (args.every((arg) => isArray(arg))) {
    const all = args.flatMap((arg) => arg);
    return all.filter((one, index) => all.findIndex((other) => sameJson(one, other)) === index);
  }
  const merged = args.map((arg) => {
    if (isObject(arg)) return arg;
    throw cannotEvaluate("The function 'union' takes arrays or objects.");
  });
  return Object.assign({}, ...merged) as JsonObject;
}

function contains(container: Json, wanted: Json): Json {
  if (typeof container === 'string') return container.includes(scalarText(wanted));
  if (isArray(container)) return container.some((one) => sameJson(one, wanted));
  return isObject(container) && Object.keys(container).some((key) => isSame(key, text(wanted)));
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isEmptyValue(value: Json): boolean {
  if (value === null || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function lengthOf(value: Json): number {
  if (typeof value === 'string' || isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function slice(value: Json, from: number, to?: number): Json {
  return typeof value === 'string' ? value.slice(from, to) : list(value).slice(from, to);
}

function split(value: Json, separators: Json): Json {
  const marks = isArray(separators) ? separators.map((one) => text(one)) : [text(separators)];
  const [first = '', ...others] = marks;
  const unified = others.reduce((all, mark) => all.replaceAll(mark, first), text(value));
  return unified.split(first);
}

function createObject(...args: readonly Json[]): Json {
  const pairs = args.flatMap((key, index) =>
    index % 2 === 0 ? [[text(key), args[index + 1] ?? null] as const] : [],
  );
  return Object.fromEntries(pairs);
}

function parsedJson(value: Json): Json {
  try {
    return JSON.parse(text(value)) as Json;
  } catch {
    throw cannotEvaluate(`The function 'json' was given '${scalarText(value)}'.`);
  }
}

function compare(test: (order: number) => boolean): TemplateFunction {
  return (a = null, b = null) =>
    typeof a === 'number' ? test(a - number(b)) : test(text(a) < text(b) ? -1 : Number(a !== b));
}

const strings: Readonly<Record<string, TemplateFunction>> = {
  concat,
  format: (pattern = '', ...args) => format(pattern, ...args),
  toLower: (value) => text(value).toLowerCase(),
  toUpper: (value) => text(value).toUpperCase(),
  trim: (value) => text(value).trim(),
  replace: (value, from, to) => text(value).replaceAll(text(from), text(to)),
  split: (value = '', separators = '') => split(value, separators),
  join: (values, mark) =>
    list(values)
      .map((one) => scalarText(one))
      .join(text(mark)),
  substring: (...args) => {
    const [value, from, count] = args;
    const start = number(from);
    return text(value).slice(start, count === undefined ? undefined : start + number(count));
  },
  startsWith: (value, part) => text(value).toLowerCase().startsWith(text(part).toLowerCase()),
  endsWith: (value, part) => text(value).toLowerCase().endsWith(text(part).toLowerCase()),
  indexOf: (value, part) => text(value).toLowerCase().indexOf(text(part).toLowerCase()),
  padLeft: (...args) => {
    const [value, width, mark] = args;
    const filler = mark === undefined ? ' ' : text(mark);
    return scalarText(value).padStart(within(number(width), maxText), filler);
  },
  string: (value) => scalarText(value),
  uniqueString,
  guid,
  base64: (value) => Buffer.from(text(value)).toString('base64'),
  base64ToString: (value) => Buffer.from(text(value), 'base64').toString(),
  base64ToJson: (value) => parsedJson(Buffer.from(text(value), 'base64').toString()),
  uri: (base, relative) => {
    const url = URL.parse(text(relative), text(base));
    if (url === null) throw cannotEvaluate(`The uri '${scalarText(base)}' is not valid.`);
    return url.toString();
  },
  json: (value = '') => parsedJson(value),
};

const collections: Readonly<Record<string, TemplateFunction>> = {
  array: (value = null) => (isArray(value) ? value : [value]),
  createArray: (...args) => [...args],
  createObject,
  union,
  contains: (container = null, wanted = null) => contains(container, wanted),
  empty: (value = null) => isEmptyValue(value),
  length: (value = null) => lengthOf(value),
  first: (value = null) =>
    typeof value === 'string' ? (value[0] ?? '') : (list(value)[0] ?? null),
  last: (value = null) =>
    typeof value === 'string' ? (value.at(-1) ?? '') : (list(value).at(-1) ?? null),
  skip: (value = null, count) => slice(value, number(count)),
  take: (value = null, count) => slice(value, 0, number(count)),
  range: (from, count) =>
    Array.from({ length: within(number(count), maxRange) }, (_, index) => number(from) + index),
  intersection: (a, b) => list(a).filter((one) => list(b).some((other) => sameJson(one, other))),
  flatten: (value) => list(value).flatMap((one) => (isArray(one) ? one : [one])),
  items: (value) =>
    isObject(value)
      ? Object.keys(value)
          .toSorted((a, b) => (a < b ? -1 : 1))
          .map((key) => ({ key, value: value[key] ?? null }))
      : [],
  coalesce: (...args) => args.find((arg) => arg !== null) ?? null,
};

const numbersAndLogic: Readonly<Record<string, TemplateFunction>> = {
  add: (a, b) => number(a) + number(b),
  sub: (a, b) => number(a) - number(b),
  mul: (a, b) => number(a) * number(b),
  div: (a, b) => Math.trunc(number(a) / number(b)),
  mod: (a, b) => number(a) % number(b),
  min: (...args) => Math.min(...(isArray(args[0]) ? args[0] : args).map((one) => number(one))),
  max: (...args) => Math.max(...(isArray(args[0]) ? args[0] : args).map((one) => number(one))),
  int: (value) => Math.trunc(Number(value)),
  bool: (value) =>
    value === true || (typeof value === 'string' && isSame(value, 'true')) || value === 1,
  equals: (a, b) => sameJson(a, b),
  less: compare((order) => order < 0),
  lessOrEquals: compare((order) => order <= 0),
  greater: compare((order) => order > 0),
  greaterOrEquals: compare((order) => order >= 0),
  and: (...args) => args.every((arg) => truth(arg)),
  or: (...args) => args.some((arg) => truth(arg)),
  not: (value) => !truth(value),
  true: () => true,
  false: () => false,
  null: () => null,
};

export const valueFunctions: Readonly<Record<string, TemplateFunction>> = {
  ...strings,
  ...collections,
  ...numbersAndLogic,
};
