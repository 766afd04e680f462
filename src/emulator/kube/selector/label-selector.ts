// Label selectors, both as text of a query (`app in (a,b),!canary`) and as objects of a spec.
// In: text or object. Out: a test on labels; text that is none is refused in the server's words.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import { badRequest } from '../status-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import type { Json } from '../../../api/meta.ts';

export type Labels = Readonly<Record<string, string>>;
export type LabelTest = (labels: Labels) => boolean;

type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '<' | '>';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Undefined for a selector that lets everything through. */
export function parseLabelSelector(text: string | undefined): LabelTest | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const requirements = new Parser(text).parse();
  for (const requirement of requirements) check(requirement);
  return allOf(requirements);
}

/** The test of a LabelSelector object; an empty one matches everything, a missing one nothing. */
export function labelSelectorTest(selector: Json | undefined): LabelTest {
  if (!isObject(selector)) return () => false;
  return allOf(requirementsOf(selector));
}

function requirementsOf(selector: JsonObject): readonly Requirement[] {
  const labels = Object.entries(objectAt(selector, 'matchLabels') ?? {});
  const operators: Readonly<Record<string, Operator>> = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: '!',
  };
  const expressions = listAt(selector, 'matchExpressions').map((expression) => ({
    key: textAt(expression, 'key'),
    operator: operators[textAt(expression, 'operator')] ?? 'in',
    values: listAt(expression, 'values').filter((value) => typeof value === 'string'),
  }));
  return [
    ...labels.map(([key, value]) => ({
      key,
      operator: '=' as const,
      values: typeof value === 'string' ? [value] : [],
    })),
    ...expressions,
  ];
}

function allOf(requirements: readonly Requirement[]): LabelTest {
  return (labels) => requirements.every((requirement) => holds(requirement, labels));
}

type Holds = (value: string | undefined, values: readonly string[]) => boolean;

const isIn: Holds = (value, values) => value !== undefined && values.includes(value);
const isNotIn: Holds = (value, values) => value === undefined || !values.includes(value);

const tests: Readonly<Record<Operator, Holds>> = {
  '=': isIn,
  '==': isIn,
  in: isIn,
  '!=': isNotIn,
  notin: isNotIn,
  exists: (value) => value !== undefined,
  '!': (value) => value === undefined,
  '<': (value, values) => compares('<', value, values[0]),
  '>': (value, values) => compares('>', value, values[0]),
};

function holds({ key, operator, values }: Requirement, labels: Labels): boolean {
  return tests[operator](labels[key], values);
}

function compares(operator: '<' | '>', value: string | undefined, bound = ''): boolean {
  if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
  return operator === '<' ? Number(value) < Number(bound) : Number(value) > Number(bound);
}

function check({ key, operator, values }: Requirement): void {
  const errors: FieldError[] = qualifiedNameErrors(key).map((error) =>
    invalid('<nil>', key, error),
  );
  const isNumeric = operator === '<' || operator === '>';
  for (const [index, value] of values.entries()) {
    if (isNumeric && !/^[+-]?\d+$/.test(value)) {
      errors.push(
        invalid(
          `values[${index}]`,
          value,
          "for 'Gt', 'Lt' operators, the value must be an integer",
        ),
      );
    }
    errors.push(
      ...labelValueErrors(value).map((error) => invalid(`values[${index}][${key}]`, value, error)),
    );
  }
  const [first] = errors;
  if (first === undefined) return;
  const shown = first.value === undefined ? '' : `: ${JSON.stringify(first.value)}`;
  throw badRequest(
    `unable to parse requirement: ${first.field}: Invalid value${shown}: ${first.detail}`,
  );
}

type Token =
  | { readonly type: 'identifier'; readonly text: string }
  | { readonly type: 'mark'; readonly text: string }
  | { readonly type: 'end'; readonly text: '' };

const marks = ['==', '!=', '=', '!', '(', ')', ',', '<', '>'];

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const rest = text.slice(position);
    const space = /^\s+/.exec(rest)?.[0];
    const mark = marks.find((candidate) => rest.startsWith(candidate));
    const word = /^[^\s=!(),<>]+/.exec(rest)?.[0] ?? '';
    if (space === undefined) {
      tokens.push(
        mark === undefined ? { type: 'identifier', text: word } : { type: 'mark', text: mark },
      );
    }
    position += (space ?? mark ?? word).length;
  }
  tokens.push({ type: 'end', text: '' });
  return tokens;
}

/** Reads requirements from left to right; every complaint names what was found and what was expected. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.type === 'end') return requirements;
      if (token.type !== 'identifier' && token.text !== '!') {
        throw this.#unexpected("!, identifier, or 'end of string'");
      }
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next.type === 'end') return requirements;
      if (next.text !== ',') throw this.#unexpected("',' or 'end of string'", next);
      const after = this.#peek();
      if (after.type !== 'identifier' && after.text !== '!') {
        throw this.#unexpected("identifier after ','", after);
      }
    }
  }

  #requirement(): Requirement {
    const isNegated = this.#peek().text === '!' && this.#take().type === 'mark';
    const key = this.#take();
    if (key.type !== 'identifier') throw this.#malformed(', expected: identifier', key);
    const next = this.#peek();
    if (isNegated || next.type === 'end' || next.text === ',') {
      return { key: key.text, operator: isNegated ? '!' : 'exists', values: [] };
    }
    const operator = this.#operator();
    const isSet = operator === 'in' || operator === 'notin';
    return { key: key.text, operator, values: isSet ? this.#set() : [this.#value()] };
  }

  #operator(): Operator {
    const token = this.#take();
    const known = ['=', '==', '!=', 'in', 'notin', '<', '>'] as const;
    const operator = known.find((candidate) => candidate === token.text);
    if (operator !== undefined) return operator;
    throw this.#malformed(', expected: in, notin, =, ==, !=, gt, lt', token);
  }

  #value(): string {
    const token = this.#peek();
    if (token.type === 'end' || token.text === ',') return '';
    if (token.type === 'identifier') return this.#take().text;
    throw this.#malformed(', expected: identifier', token);
  }

  #set(): readonly string[] {
    const open = this.#take();
    if (open.text !== '(') throw this.#malformed(" expected: '('", open);
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      if (token.type === 'identifier') values.push(token.text);
      else if (token.text === ')') return values.length === 0 ? [''] : values;
      else if (token.text !== ',') throw this.#malformed(", expected: ',' or ')'", token);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? { type: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #malformed(expected: string, found: Token): Error {
    return badRequest(`unable to parse requirement: found '${found.text}'${expected}`);
  }

  #unexpected(expected: string, found: Token = this.#peek()): Error {
    return badRequest(`found '${found.text}', expected: ${expected}`);
  }
}
