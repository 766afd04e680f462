// Expressions over one row. In: words of a query. Out: a function from a row to a value. What Resource Graph offers and this
// emulation does not know is refused when the query is read, never when a row is.
import type { JsonObject } from '../../kube/json.ts';
import { functions } from './kusto-functions.ts';
import type { TokenReader } from './kusto-parser.ts';
import {
  compare,
  hasTerm,
  isEqual,
  isMissing,
  isTrue,
  memberOf,
  toText,
  type Value,
} from './kusto-values.ts';
import { disallowed, parserFailure } from './query-error.ts';

export type Expression = (row: JsonObject) => Value;

type Comparison = (a: Value, b: Value) => boolean;

/** Texts, in lower case unless case matters. */
function onText(test: (text: string, part: string) => boolean, hasCase: boolean): Comparison {
  const folded = (value: Value): string => (hasCase ? toText(value) : toText(value).toLowerCase());
  return (a, b) => !isMissing(a) && test(folded(a), folded(b));
}

const contains = (text: string, part: string): boolean => text.includes(part);
const startsWith = (text: string, part: string): boolean => text.startsWith(part);
const endsWith = (text: string, part: string): boolean => text.endsWith(part);
const same = (text: string, part: string): boolean => text === part;
const ordered =
  (test: (order: number) => boolean): Comparison =>
  (a, b) =>
    !isMissing(a) && !isMissing(b) && test(compare(a, b));
const not =
  (test: Comparison): Comparison =>
  (a, b) =>
    !test(a, b);

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': isEqual,
  '!=': not(isEqual),
  '=~': onText(same, false),
  '!~': not(onText(same, false)),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  has: onText(hasTerm, false),
  '!has': not(onText(hasTerm, false)),
  has_cs: onText(hasTerm, true),
  '!has_cs': not(onText(hasTerm, true)),
  contains: onText(contains, false),
  '!contains': not(onText(contains, false)),
  contains_cs: onText(contains, true),
  '!contains_cs': not(onText(contains, true)),
  startswith: onText(startsWith, false),
  '!startswith': not(onText(startsWith, false)),
  startswith_cs: onText(startsWith, true),
  '!startswith_cs': not(onText(startsWith, true)),
  endswith: onText(endsWith, false),
  '!endswith': not(onText(endsWith, false)),
  endswith_cs: onText(endsWith, true),
  '!endswith_cs': not(onText(endsWith, true)),
};

const memberships: Readonly<Record<string, Comparison>> = {
  in: isEqual,
  'in~': onText(same, false),
};

export function parseExpression(reader: TokenReader): Expression {
  const terms = [parseAnd(reader)];
  while (reader.accept('or')) terms.push(parseAnd(reader));
  return terms.length === 1
    ? (terms[0] as Expression)
    : (row) => terms.some((term) => isTrue(term(row)));
}

function parseAnd(reader: TokenReader): Expression {
  const terms = [parseComparison(reader)];
  while (reader.accept('and')) terms.push(parseComparison(reader));
  return terms.length === 1
    ? (terms[0] as Expression)
    : (row) => terms.every((term) => isTrue(term(row)));
}

function parseComparison(reader: TokenReader): Expression {
  const left = parseOperand(reader);
  const { kind, text } = reader.peek;
  if (kind === 'string') return reader.fail();
  const test = comparisons[text];
  if (test !== undefined) {
    reader.take();
    const right = parseOperand(reader);
    return (row) => test(left(row), right(row));
  }
  return parseMembership(reader, left);
}

function parseMembership(reader: TokenReader, left: Expression): Expression {
  const { text } = reader.peek;
  const isNegated = text.startsWith('!');
  const test = memberships[isNegated ? text.slice(1) : text];
  if (test === undefined) return left;
  reader.take();
  reader.expect('(');
  const items = parseList(reader, ')');
  return (row) => {
    const value = left(row);
    return items.some((item) => test(value, item(row))) !== isNegated;
  };
}

function parseList(reader: TokenReader, close: string): Expression[] {
  const items: Expression[] = [];
  if (reader.accept(close)) return items;
  do items.push(parseExpression(reader));
  while (reader.accept(','));
  reader.expect(close);
  return items;
}

function parseOperand(reader: TokenReader): Expression {
  const { kind, text } = reader.peek;
  if (kind === 'string' || kind === 'number') {
    reader.take();
    const value = kind === 'number' ? Number(text) : text;
    return () => value;
  }
  if (reader.accept('(')) {
    const inner = parseExpression(reader);
    reader.expect(')');
    return parsePath(reader, inner);
  }
  return parseNamed(reader);
}

function parseNamed(reader: TokenReader): Expression {
  const { position } = reader.peek;
  const name = reader.name();
  if (name === 'true' || name === 'false') return () => name === 'true';
  if (!reader.accept('(')) {
    if (/^(?:and|or)$/.test(name) || name.startsWith('!')) throw parserFailure(name, position);
    return parsePath(reader, (row) => row[name]);
  }
  const apply = functions[name];
  if (apply === undefined) {
    throw disallowed('UnknownFunction', `Unknown function: '${name}'.`);
  }
  const parameters = parseList(reader, ')');
  if (parameters.length < apply.least || parameters.length > apply.most) {
    throw disallowed(
      'InvalidFunctionArguments',
      `The function '${name}' was given ${parameters.length} argument(s).`,
    );
  }
  return parsePath(reader, (row) => apply.run(parameters.map((parameter) => parameter(row))));
}

/** `.name`, `['name']`, `[0]`, one behind another. */
function parsePath(reader: TokenReader, start: Expression): Expression {
  const keys: (string | number)[] = [];
  for (;;) {
    if (reader.accept('.')) keys.push(...dottedKey(reader));
    else if (reader.accept('[')) keys.push(bracketKey(reader));
    else break;
  }
  if (keys.length === 0) return start;
  return (row) => {
    let value = start(row);
    for (const key of keys) value = memberOf(value, key);
    return value;
  };
}

function dottedKey(reader: TokenReader): string[] {
  // `tags.['name']` is written, too; the bracket itself is read next.
  return reader.peek.text === '[' ? [] : [reader.name()];
}

function bracketKey(reader: TokenReader): string | number {
  const { kind, text } = reader.peek;
  if (kind !== 'string' && kind !== 'number') return reader.fail();
  reader.take();
  reader.expect(']');
  return kind === 'number' ? Number(text) : text;
}
