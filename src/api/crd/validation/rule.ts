// One CEL rule of a schema, made ready to run. In: a value, and the one it replaces. Out: nothing, or the
// error that an API server would report. A rule that does not parse reports that, every time.
import { type Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { prepareSource } from './cel-source.ts';
import type { FieldErrorType } from './field-error.ts';
import type { OpenApiSchema, ValidationRule } from '../open-api.ts';

export interface CelContext {
  readonly self: unknown;
  readonly oldSelf: unknown;
}

/** A rule that was broken: what kind of error it makes, its words, and where it points to. */
export interface Violation {
  readonly type: FieldErrorType;
  readonly detail: string;
  /** A path below the value that the rule is on; empty for the value itself. */
  readonly below: string;
  /** Whether the rule could not be evaluated, as opposed to being false. */
  readonly isFailure: boolean;
}

export interface CompiledRule {
  readonly usesOldSelf: boolean;
  readonly optionalOldSelf: boolean;
  /** Why the rule can never run; undefined when it can. */
  readonly problem: string | undefined;
  check(context: CelContext): Violation | undefined;
}

const errorTypes: Readonly<Record<NonNullable<ValidationRule['reason']>, FieldErrorType>> = {
  FieldValueInvalid: 'Invalid',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
  FieldValueDuplicate: 'Duplicate',
};

// cel-go's words, which users of a real cluster know, for what the library says.
const serverWords: Readonly<Record<string, (summary: string) => string>> = {
  no_such_key: (summary) => summary.replace('No such', 'no such'),
  index_out_of_bounds: (summary) => `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1]}`,
  no_such_overload: () => 'no such overload',
  no_matching_overload: () => 'no such overload',
  numeric_overflow: () => 'integer overflow',
  modulo_by_zero: () => 'modulus by zero',
};

function wordsOf(error: unknown): string {
  if (!(error instanceof EvaluationError))
    return error instanceof Error ? error.message : String(error);
  return serverWords[error.code]?.(error.summary) ?? error.summary;
}

function failureDetail(error: unknown, shownRule: string): string {
  const words = wordsOf(error);
  return words === 'no such overload'
    ? `'${words}': call arguments did not match a supported operator, function or macro signature for rule: ${shownRule}`
    : `${words} evaluating rule: ${shownRule}`;
}

function parse(environment: Environment, text: string): ParseResult | string {
  try {
    return environment.parse(text);
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

/** The message that a rule computes, unless it fails, is empty or has line breaks. */
function computedMessage(
  program: ParseResult | undefined,
  context: CelContext,
): string | undefined {
  if (program === undefined) return undefined;
  try {
    const value: unknown = program(context);
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || text.includes('\n') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** `.a['b']` as part of a field's name: `a.b`, or `a[b]` where `a` is a map. */
function normalizedPath(path: string, schema: OpenApiSchema): string {
  let at: OpenApiSchema | undefined = schema;
  let result = '';
  for (const [, plain, quoted] of path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name: string = plain ?? (quoted ?? '').replaceAll(/\\(.)/g, '$1');
    const field: OpenApiSchema | undefined = at?.properties?.[name];
    if (field !== undefined) {
      result += result === '' ? name : `.${name}`;
      at = field;
    } else {
      result += `[${name}]`;
      at = typeof at?.additionalProperties === 'object' ? at.additionalProperties : undefined;
    }
  }
  return result;
}

export function compileRule(
  rule: ValidationRule,
  schema: OpenApiSchema,
  environment: Environment,
): CompiledRule {
  const source = prepareSource(rule.rule);
  const program = parse(environment, source.text);
  const shownRule = (rule.message ?? '').trim() || rule.rule.trim();
  const message = (rule.message ?? '').trim() || `failed rule: ${shownRule}`;
  const expression =
    rule.messageExpression === undefined
      ? undefined
      : parse(environment, prepareSource(rule.messageExpression).text);
  const messageProgram = typeof expression === 'string' ? undefined : expression;
  const type = errorTypes[rule.reason ?? 'FieldValueInvalid'];
  const below = normalizedPath(rule.fieldPath ?? '', schema);
  const failed = (detail: string): Violation => ({
    type: 'Invalid',
    detail,
    below: '',
    isFailure: true,
  });
  return {
    usesOldSelf: source.usesOldSelf,
    optionalOldSelf: rule.optionalOldSelf === true,
    problem: typeof program === 'string' ? program : undefined,
    check(context) {
      if (typeof program === 'string') return failed(`rule compile error: ${program}`);
      try {
        if (program(context) === true) return undefined;
      } catch (error) {
        return failed(failureDetail(error, shownRule));
      }
      const detail = computedMessage(messageProgram, context) ?? message;
      // The server says of a duplicate only which value it is.
      return { type, detail: type === 'Duplicate' ? '' : detail, below, isFailure: false };
    },
  };
}
