// The filter of the price API: a small part of OData. In: text. Out: a test of an item, or undefined for what is none. Values are
// compared with their case since 2023-01-01-preview, without it before.
import type { JsonObject } from '../../kube/json.ts';

export type PriceTest = (item: JsonObject) => boolean;

/** Names in a filter, and what they are called in an item. */
const fields: Readonly<Record<string, string>> = {
  armRegionName: 'armRegionName',
  location: 'location',
  meterId: 'meterId',
  meterName: 'meterName',
  productId: 'productId',
  skuId: 'skuId',
  productName: 'productName',
  skuName: 'skuName',
  serviceName: 'serviceName',
  serviceId: 'serviceId',
  serviceFamily: 'serviceFamily',
  priceType: 'type',
  type: 'type',
  armSkuName: 'armSkuName',
  currencyCode: 'currencyCode',
  unitOfMeasure: 'unitOfMeasure',
};

const word = /\s*(?:(\(|\)|,)|'((?:[^']|'')*)'|([A-Za-z]+))/y;

interface Word {
  readonly sign?: string | undefined;
  readonly text?: string | undefined;
  readonly name?: string | undefined;
}

export function parsePriceFilter(filter: string, hasCase: boolean): PriceTest | undefined {
  const words = wordsOf(filter);
  if (words === undefined) return undefined;
  const reader = new FilterReader(words, hasCase);
  const test = reader.either();
  return reader.isAtEnd ? test : undefined;
}

function wordsOf(filter: string): Word[] | undefined {
  const words: Word[] = [];
  const text = filter.trimEnd();
  let position = 0;
  while (position < text.length) {
    word.lastIndex = position;
    const found = word.exec(text);
    if (found === null) return undefined;
    const [whole, sign, quoted, name] = found;
    words.push({ sign, text: quoted?.replaceAll("''", "'"), name });
    position += whole.length;
  }
  return words;
}

class FilterReader {
  readonly #words: readonly Word[];
  readonly #hasCase: boolean;
  #next = 0;

  constructor(words: readonly Word[], hasCase: boolean) {
    this.#words = words;
    this.#hasCase = hasCase;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#words.length;
  }

  either(): PriceTest | undefined {
    const tests = [this.#both()];
    while (this.#takeName('or')) tests.push(this.#both());
    const known = tests.filter((test) => test !== undefined);
    return known.length === tests.length ? (item) => known.some((test) => test(item)) : undefined;
  }

  #both(): PriceTest | undefined {
    const tests = [this.#term()];
    while (this.#takeName('and')) tests.push(this.#term());
    const known = tests.filter((test) => test !== undefined);
    return known.length === tests.length ? (item) => known.every((test) => test(item)) : undefined;
  }

  #term(): PriceTest | undefined {
    if (this.#takeSign('(')) {
      const inner = this.either();
      return this.#takeSign(')') ? inner : undefined;
    }
    const name = this.#take()?.name;
    if (name === undefined) return undefined;
    return this.#takeSign('(') ? this.#call(name) : this.#comparison(name);
  }

  #comparison(name: string): PriceTest | undefined {
    const operator = this.#take()?.name;
    const value = this.#take()?.text;
    const field = fields[name];
    if (field === undefined || value === undefined) return undefined;
    if (operator === 'eq') return this.#test(field, value, (a, b) => a === b);
    return operator === 'ne' ? this.#test(field, value, (a, b) => a !== b) : undefined;
  }

  #call(name: string): PriceTest | undefined {
    const field = fields[this.#take()?.name ?? ''];
    const hasComma = this.#takeSign(',');
    const value = this.#take()?.text;
    const isClosed = this.#takeSign(')');
    const compare = functions[name];
    if (field === undefined || value === undefined || compare === undefined) return undefined;
    return hasComma && isClosed ? this.#test(field, value, compare) : undefined;
  }

  #test(field: string, value: string, compare: (a: string, b: string) => boolean): PriceTest {
    const folded = (text: string): string => (this.#hasCase ? text : text.toLowerCase());
    const wanted = folded(value);
    return (item) => {
      const held = item[field];
      return typeof held === 'string' && compare(folded(held), wanted);
    };
  }

  #take(): Word | undefined {
    return this.#words[this.#next++];
  }

  #takeName(name: string): boolean {
    if (this.#words[this.#next]?.name !== name) return false;
    this.#next++;
    return true;
  }

  #takeSign(sign: string): boolean {
    if (this.#words[this.#next]?.sign !== sign) return false;
    this.#next++;
    return true;
  }
}

const functions: Readonly<Record<string, (a: string, b: string) => boolean>> = {
  contains: (a, b) => a.includes(b),
  startswith: (a, b) => a.startsWith(b),
  endswith: (a, b) => a.endsWith(b),
};
