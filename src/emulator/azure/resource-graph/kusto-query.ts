// A query of Resource Graph: a table and what is done with its rows, step by step. In: text. Out: the table's name and a
// function from rows to rows. A step that is not known here is refused, so that nobody takes a wrong answer for a right one.
import type { JsonObject, MutableJsonObject } from '../../kube/json.ts';
import { parseExpression, type Expression } from './kusto-expression.ts';
import { TokenReader } from './kusto-parser.ts';
import { tokensOf, type Token } from './kusto-tokens.ts';
import { compare, isTrue, toText, type Value } from './kusto-values.ts';
import { disallowed } from './query-error.ts';

type Step = (rows: readonly JsonObject[]) => readonly JsonObject[];

export interface Query {
  /** In lower case. */
  readonly table: string;
  run(rows: readonly JsonObject[]): readonly JsonObject[];
}

interface Column {
  readonly name: string;
  readonly value: Expression;
}

export function parseQuery(text: string): Query {
  const reader = new TokenReader(tokensOf(text));
  // Without a table the whole of `resources` is meant.
  const isBare = reader.peek.kind === 'name' && reader.peek.text in steps;
  const table = isBare ? 'resources' : reader.name().toLowerCase();
  const parsed: Step[] = isBare ? [parseStep(reader)] : [];
  while (reader.accept('|')) parsed.push(parseStep(reader));
  if (reader.peek.kind !== 'end') reader.fail();
  return {
    table,
    run: (rows) => {
      let current = rows;
      for (const step of parsed) current = step(current);
      return current;
    },
  };
}

function parseStep(reader: TokenReader): Step {
  if (reader.peek.kind !== 'name') return reader.fail();
  const operator = reader.name();
  const parse = steps[operator];
  if (parse === undefined) {
    throw disallowed(
      'DisallowedOperator',
      `The operator '${operator}' is not supported. Supported operators: ${Object.keys(steps).join(', ')}.`,
    );
  }
  return parse(reader);
}

const steps: Readonly<Record<string, (reader: TokenReader) => Step>> = {
  where: parseWhere,
  filter: parseWhere,
  project: (reader) => {
    const columns = parseColumns(reader);
    return (rows) => rows.map((row) => valuesOf(row, columns));
  },
  'project-away': (reader) => {
    const names = parseNames(reader);
    return (rows) => rows.map((row) => keeping(row, (name) => !names.includes(name)));
  },
  'project-keep': (reader) => {
    const names = parseNames(reader);
    return (rows) => rows.map((row) => keeping(row, (name) => names.includes(name)));
  },
  extend: (reader) => {
    const columns = parseColumns(reader);
    return (rows) =>
      rows.map((row) => {
        const extended: MutableJsonObject = { ...row };
        for (const { name, value } of columns) extended[name] = value(extended) ?? null;
        return extended;
      });
  },
  order: (reader) => parseOrder(reader),
  sort: (reader) => parseOrder(reader),
  limit: parseTake,
  take: parseTake,
  top: (reader) => {
    const count = reader.count();
    const order = parseOrder(reader);
    return (rows) => order(rows).slice(0, count);
  },
  count: () => (rows) => [{ Count: rows.length }],
  distinct: (reader) => {
    const columns = parseColumns(reader);
    return (rows) => uniqueRows(rows.map((row) => valuesOf(row, columns)));
  },
  summarize: parseSummarize,
};

function parseWhere(reader: TokenReader): Step {
  const test = parseExpression(reader);
  return (rows) => rows.filter((row) => isTrue(test(row)));
}

function parseTake(reader: TokenReader): Step {
  const count = reader.count();
  return (rows) => rows.slice(0, count);
}

function parseColumns(reader: TokenReader): Column[] {
  const columns: Column[] = [];
  do columns.push(parseColumn(reader, columns.length + 1));
  while (reader.accept(','));
  return columns;
}

function parseColumn(reader: TokenReader, ordinal: number): Column {
  if (reader.peek.kind === 'name' && reader.after.text === '=' && reader.after.kind === 'sign') {
    const name = reader.name();
    reader.expect('=');
    return { name, value: parseExpression(reader) };
  }
  const start = reader.position;
  const value = parseExpression(reader);
  return { name: pathName(reader.takenSince(start)) ?? `Column${ordinal}`, value };
}

/** A path is named after its parts: `properties.vmId` is `properties_vmId`. What is computed has no name. */
function pathName(tokens: readonly Token[]): string | undefined {
  const [first] = tokens;
  const signs = tokens.filter(({ kind }) => kind === 'sign');
  const parts = tokens.length - signs.length;
  const isPath =
    first?.kind === 'name' &&
    signs.length >= parts - 1 &&
    signs.every(({ text }) => '.[]'.includes(text));
  if (!isPath) return undefined;
  return tokens
    .filter(({ kind }) => kind !== 'sign')
    .map(({ text }) => text)
    .join('_');
}

function parseNames(reader: TokenReader): string[] {
  const names = [reader.name()];
  while (reader.accept(',')) names.push(reader.name());
  return names;
}

function parseOrder(reader: TokenReader): Step {
  reader.expect('by');
  const keys: { readonly value: Expression; readonly sign: 1 | -1 }[] = [];
  do {
    const value = parseExpression(reader);
    // Descending is what Kusto does when nothing is said.
    const isAscending = reader.accept('asc');
    if (!isAscending) reader.accept('desc');
    keys.push({ value, sign: isAscending ? 1 : -1 });
  } while (reader.accept(','));
  return (rows) =>
    rows.toSorted((a, b) => {
      for (const { value, sign } of keys) {
        const order = compare(value(a), value(b));
        if (order !== 0) return sign * order;
      }
      return 0;
    });
}

/** Only counting: `summarize [name =] count() [by …]`. */
function parseSummarize(reader: TokenReader): Step {
  const hasName = reader.after.text === '=';
  const name = hasName ? reader.name() : 'count_';
  if (hasName) reader.expect('=');
  const aggregate = reader.name();
  if (aggregate !== 'count') {
    throw disallowed('UnknownFunction', `Unknown aggregation function: '${aggregate}'.`);
  }
  reader.expect('(');
  reader.expect(')');
  const by = reader.accept('by') ? parseColumns(reader) : [];
  return (rows) => {
    const groups = new Map<string, { readonly keys: JsonObject; count: number }>();
    for (const row of rows) {
      const keys = valuesOf(row, by);
      const id = JSON.stringify(keys);
      const group = groups.get(id) ?? { keys, count: 0 };
      group.count++;
      groups.set(id, group);
    }
    return [...groups.values()].map(({ keys, count }) => ({ ...keys, [name]: count }));
  };
}

function valuesOf(row: JsonObject, columns: readonly Column[]): JsonObject {
  const cells = columns.map(({ name, value }): [string, Exclude<Value, undefined>] => [
    name,
    value(row) ?? null,
  ]);
  return Object.fromEntries(cells);
}

function keeping(row: JsonObject, isKept: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => isKept(name)));
}

function uniqueRows(rows: readonly JsonObject[]): JsonObject[] {
  return [...new Map(rows.map((row) => [toText(row), row])).values()];
}
