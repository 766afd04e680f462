// The functions that rules on an API server may call, on top of those that the CEL library brings: regular
// expressions, texts, lists, sets and quantities. Not here, because no rule of ours or of a neighbour
// needs them: URLs, IP addresses, CIDRs, semantic versions, named formats, comprehensions with two variables.
import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { CelQuantity } from './cel-quantity.ts';
import { ownFunction } from './cel-source.ts';
import { quote } from './field-error.ts';
import { compileRe2 } from './re2.ts';

type Ordered = bigint | number | string;

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

function failure(words: string): EvaluationError {
  return new EvaluationError(words);
}

/** Compiled patterns of one environment; a rule's patterns are literals, so there are few. */
function patternCache(): (pattern: string) => RegExp {
  const cache = new Map<string, RegExp>();
  return (pattern) => {
    const known = cache.get(pattern);
    if (known !== undefined) return known;
    try {
      const compiled = compileRe2(pattern);
      cache.set(pattern, compiled);
      return compiled;
    } catch {
      throw failure(`error parsing regexp: ${quote(pattern)}`);
    }
  };
}

function toInt(value: string | number | bigint | Date): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Date) return BigInt(Math.floor(value.getTime() / 1000));
  if (typeof value === 'number') {
    if (Math.abs(value) < 2 ** 63) return BigInt(Math.trunc(value));
    throw failure('integer overflow');
  }
  const parsed = /^[+-]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : undefined;
  if (parsed !== undefined && parsed <= INT64_MAX && parsed >= INT64_MIN) return parsed;
  throw failure("type conversion error from 'string' to 'int'");
}

function registerConversions(environment: Environment): void {
  const name = ownFunction['int'] ?? '';
  for (const type of ['string', 'int', 'double', 'google.protobuf.Timestamp']) {
    environment.registerFunction(`${name}(${type}): int`, toInt, { async: false });
  }
}

function registerPatterns(environment: Environment): void {
  const pattern = patternCache();
  const matches = (text: string, source: string) => pattern(source).test(text);
  const findAll = (text: string, source: string, limit: bigint) => {
    const found = text.match(new RegExp(pattern(source).source, 'gu')) ?? [];
    return limit < 0n ? found : found.slice(0, Number(limit));
  };
  const name = ownFunction['matches'] ?? '';
  environment
    .registerFunction(`string.${name}(string): bool`, matches, { async: false })
    .registerFunction(`${name}(string, string): bool`, matches, { async: false })
    .registerFunction(
      'string.find(string): string',
      (text: string, source: string) => pattern(source).exec(text)?.[0] ?? '',
      { async: false },
    )
    .registerFunction(
      'string.findAll(string): list<string>',
      (text: string, source: string) => findAll(text, source, -1n),
      { async: false },
    )
    .registerFunction('string.findAll(string, int): list<string>', findAll, { async: false });
}

function replaceSome(text: string, search: string, by: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(search, () => by);
  const parts = text.split(search);
  const count = Math.min(Number(limit), parts.length - 1);
  const [first = '', ...rest] = parts;
  return first + rest.map((part, index) => (index < count ? by : search) + part).join('');
}

function formatText(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(/%(.)/g, (_, verb: string) => {
    if (verb === '%') return '%';
    if (verb !== 's' && verb !== 'd') throw failure(`could not parse formatting clause: %${verb}`);
    if (next >= values.length) throw failure(`index ${next} out of range`);
    const value = values[next];
    next += 1;
    return String(value);
  });
}

function registerTexts(environment: Environment): void {
  environment
    .registerFunction(
      'string.charAt(int): string',
      (text: string, at: bigint) => {
        const characters = Array.from(text);
        if (at < 0n || at > BigInt(characters.length)) throw failure(`index out of range: ${at}`);
        return characters[Number(at)] ?? '';
      },
      { async: false },
    )
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, search: string, by: string) => text.replaceAll(search, () => by),
      { async: false },
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome, { async: false })
    .registerFunction('string.format(list): string', formatText, { async: false });
}

function extreme(
  values: readonly Ordered[],
  name: string,
  wins: (a: Ordered, b: Ordered) => boolean,
) {
  const [first, ...rest] = values;
  if (first === undefined) throw failure(`${name} called on empty list`);
  return rest.reduce((best, value) => (wins(value, best) ? value : best), first);
}

function registerLists(environment: Environment): void {
  environment
    .registerFunction(
      'list.isSorted(): bool',
      (list: Iterable<Ordered>) => {
        const values = [...list];
        return values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
      },
      { async: false },
    )
    .registerFunction(
      'list.sum(): dyn',
      (list: Iterable<bigint | number>) => {
        const values = [...list];
        if (values.every((value) => typeof value === 'bigint')) {
          return values.reduce((sum, value) => sum + value, 0n);
        }
        return values.reduce<number>((sum, value) => sum + Number(value), 0);
      },
      { async: false },
    )
    .registerFunction(
      'list.min(): dyn',
      (list: Iterable<Ordered>) => extreme([...list], 'min', (a, b) => a < b),
      { async: false },
    )
    .registerFunction(
      'list.max(): dyn',
      (list: Iterable<Ordered>) => extreme([...list], 'max', (a, b) => a > b),
      { async: false },
    )
    .registerFunction(
      'list.indexOf(dyn): int',
      (list: Iterable<unknown>, wanted: unknown) => BigInt([...list].indexOf(wanted)),
      { async: false },
    )
    .registerFunction(
      'list.lastIndexOf(dyn): int',
      (list: Iterable<unknown>, wanted: unknown) => BigInt([...list].lastIndexOf(wanted)),
      { async: false },
    );
}

/** The `sets.` of `sets.contains(a, b)`. */
class SetFunctions {
  contains(all: Iterable<unknown>, some: Iterable<unknown>): boolean {
    return new Set(some).isSubsetOf(new Set(all));
  }

  equivalent(left: Iterable<unknown>, right: Iterable<unknown>): boolean {
    return this.contains(left, right) && this.contains(right, left);
  }

  intersects(left: Iterable<unknown>, right: Iterable<unknown>): boolean {
    return !new Set(left).isDisjointFrom(new Set(right));
  }
}

function registerSets(environment: Environment): void {
  environment
    .registerType('kubernetes.Sets', SetFunctions)
    .registerConstant('sets', 'kubernetes.Sets', new SetFunctions());
  for (const name of ['contains', 'equivalent', 'intersects'] as const) {
    environment.registerFunction(
      `kubernetes.Sets.${name}(list, list): bool`,
      (sets: SetFunctions, left: Iterable<unknown>, right: Iterable<unknown>) =>
        sets[name](left, right),
      { async: false },
    );
  }
}

function toQuantity(text: string): CelQuantity {
  const quantity = CelQuantity.parse(text);
  if (quantity !== undefined) return quantity;
  throw failure(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function registerQuantities(environment: Environment): void {
  const type = 'kubernetes.Quantity';
  const whole = (quantity: CelQuantity) => {
    if (quantity.isInteger()) return quantity.toInteger();
    throw failure('cannot convert value to integer');
  };
  const asQuantity = (value: CelQuantity | bigint) =>
    typeof value === 'bigint' ? CelQuantity.ofInteger(value) : value;
  environment.registerType(type, CelQuantity);
  environment.registerOperator(
    `${type} == ${type}`,
    (a: CelQuantity, b: CelQuantity) => a.compareTo(b) === 0n,
  );
  const methods: readonly (readonly [string, (a: CelQuantity, b: CelQuantity) => unknown])[] = [
    ['isInteger(): bool', (a) => a.isInteger()],
    ['asInteger(): int', whole],
    ['asApproximateFloat(): double', (a) => a.toFloat()],
    [`compareTo(${type}): int`, (a, b) => a.compareTo(b)],
    [`isGreaterThan(${type}): bool`, (a, b) => a.compareTo(b) > 0n],
    [`isLessThan(${type}): bool`, (a, b) => a.compareTo(b) < 0n],
    [`add(${type}): ${type}`, (a, b) => a.add(b)],
    [`add(int): ${type}`, (a, b) => a.add(asQuantity(b))],
    [`sub(${type}): ${type}`, (a, b) => a.subtract(b)],
    [`sub(int): ${type}`, (a, b) => a.subtract(asQuantity(b))],
  ];
  for (const [signature, method] of methods) {
    environment.registerFunction(`${type}.${signature}`, method, { async: false });
  }
  environment
    .registerFunction(`sign(${type}): int`, (a: CelQuantity) => a.sign(), { async: false })
    .registerFunction(`quantity(string): ${type}`, toQuantity, { async: false })
    .registerFunction(
      'isQuantity(string): bool',
      (text: string) => CelQuantity.parse(text) !== undefined,
      { async: false },
    );
}

/** An environment in which `self` and `oldSelf` may be anything. */
export function createCelEnvironment(): Environment {
  return createBareEnvironment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
}

/** The functions alone, for whoever says what `self` is. */
export function createBareEnvironment(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    // `self` is anything, so the elements of a list that mention it are too.
    homogeneousAggregateLiterals: false,
  });
  registerConversions(environment);
  registerPatterns(environment);
  registerTexts(environment);
  registerLists(environment);
  registerSets(environment);
  registerQuantities(environment);
  return environment;
}
