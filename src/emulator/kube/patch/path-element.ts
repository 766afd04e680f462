// One step of a path to a field, as text: `f:name` a field, `k:{"name":"x"}` an item of a keyed list, `v:"x"` an item of
// a set, `i:0` an item by position. Equal steps are equal texts, so sets of paths compare texts and never values.
import type { Json } from '../../../api/meta.ts';
import { isObject, type JsonObject } from '../json.ts';

/** A field that keys an item, with its value. */
export type KeyField = readonly [name: string, value: Json];

export function fieldElement(name: string): string {
  return `f:${name}`;
}

export function keyElement(fields: readonly KeyField[]): string {
  const sorted = fields.length < 2 ? fields : fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`).join(',')}}`;
}

export function valueElement(value: Json): string {
  return `v:${goJson(value)}`;
}

/** The same step as this program would write it; undefined when it is of no known sort, an error when malformed. */
export function canonicalElement(text: string): string | undefined {
  if (text.length < 2 || text[1] !== ':') throw new SyntaxError(`not a path element: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k': {
      const keys = JSON.parse(text.slice(2)) as Json;
      if (!isObject(keys)) throw new SyntaxError(`not a path element: ${text}`);
      return keyElement(Object.entries(keys));
    }
    case 'v':
      return valueElement(JSON.parse(text.slice(2)) as Json);
    case 'i': {
      const index = Number(text.slice(2));
      if (!Number.isInteger(index)) throw new SyntaxError(`not a path element: ${text}`);
      return `i:${index}`;
    }
    default:
      return undefined;
  }
}

const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** The order in which the server writes the steps of one level. */
export function compareElements(a: string, b: string): number {
  const sort = (ranks[a[0] ?? ''] ?? 4) - (ranks[b[0] ?? ''] ?? 4);
  if (sort !== 0) return sort;
  if (a.startsWith('f:')) return compareTexts(a, b);
  const left = JSON.parse(a.slice(2)) as Json;
  const right = JSON.parse(b.slice(2)) as Json;
  return isObject(left) && isObject(right) ? compareKeys(left, right) : compareScalars(left, right);
}

/** `.spec.containers[name="app"].image`, as messages show a path. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('i:')) return `[${text}]`;
  const value = JSON.parse(text) as Json;
  if (element.startsWith('v:')) return `[=${quoted(value)}]`;
  const keys = Object.entries(value as JsonObject).map(([name, key]) => `${name}=${quoted(key)}`);
  return `[${keys.join(',')}]`;
}

function quoted(value: Json): string {
  return JSON.stringify(value);
}

/** JSON as the server's encoder writes it: `<`, `>` and `&` escaped, since it might be put into a page. */
export function goJson(value: Json): string {
  const text = JSON.stringify(value);
  if (!markup.test(text)) return text;
  return text.replaceAll(
    new RegExp(markup, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const markup = /[<>&\u2028\u2029]/;

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareTexts(name, other[0]) || compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const typeOrder = ['number', 'string', 'boolean', 'object'];

function compareScalars(a: Json, b: Json): number {
  const types = typeOrder.indexOf(typeof a) - typeOrder.indexOf(typeof b);
  if (types !== 0) return types;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareTexts(JSON.stringify(a), JSON.stringify(b));
}
