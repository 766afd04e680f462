// Whether a CEL rule can be what it is for, before any object meets it. In: a schema and a rule on it. Out: what is wrong: a
// text that does not parse, a field or function that is none, a rule that is no condition, a message that is no text.
import type { Environment, TypeCheckResult } from '@marcbachmann/cel-js';
import type { OpenApiSchema } from '../open-api.ts';
import { createBareEnvironment } from './cel-environment.ts';
import { prepareSource } from './cel-source.ts';
import { escapeName } from './cel-value.ts';

export interface RuleProblem {
  readonly part: 'rule' | 'messageExpression';
  readonly problem: string;
}

interface CheckedRule {
  readonly rule: string;
  readonly messageExpression?: string | undefined;
  readonly hasOptionalOld: boolean;
}

/** One for all the rules of a schema: to say what `self` is takes longer than to check a rule. */
export function ruleChecker(schema: OpenApiSchema): (rule: CheckedRule) => readonly RuleProblem[] {
  const environment = createBareEnvironment();
  const type = new Types(environment).typeOf(schema);
  environment.registerVariable('self', type);
  const withOld = environment.clone().registerVariable('oldSelf', type);
  const withOptionalOld = environment.clone().registerVariable('oldSelf', 'dyn');
  return (rule) => problemsOf(rule, rule.hasOptionalOld ? withOptionalOld : withOld);
}

function problemsOf(rule: CheckedRule, environment: Environment): readonly RuleProblem[] {
  const problem = problemOf(environment, rule.rule, 'bool');
  const problems: RuleProblem[] = [];
  if (problem !== undefined) problems.push({ part: 'rule', problem });
  const { messageExpression } = rule;
  if (messageExpression !== undefined) {
    const wrong = problemOf(environment, messageExpression, 'string');
    if (wrong !== undefined) problems.push({ part: 'messageExpression', problem: wrong });
  }
  return problems;
}

const mismatches = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
};

function problemOf(
  environment: Environment,
  text: string,
  wanted: 'bool' | 'string',
): string | undefined {
  const { valid, type, error }: TypeCheckResult = environment.check(prepareSource(text).text);
  if (!valid) {
    const message = error?.message ?? '';
    return isBeyondUs(message) ? undefined : `compilation failed: ERROR: ${message}`;
  }
  return type === wanted || type?.includes('dyn') === true ? undefined : mismatches[wanted];
}

/** The library does not compare objects before it sees them, and lacks some functions that a real server has. */
function isBeyondUs(message: string): boolean {
  if (/no such overload: .*\bObject\d+/.test(message)) return true;
  const [, name = ''] = /found no matching overload for '(?:.*\.)?(\w+)\(/.exec(message) ?? [];
  return serverFunctions.has(name);
}

const serverFunctions: ReadonlySet<string> = new Set(
  [
    'url isURL getScheme getHost getHostname getPort getEscapedPath getQuery',
    'ip isIP family isLoopback cidr isCIDR containsIP containsCIDR masked',
    'semver isSemver major minor patch named validate format key',
  ].flatMap((names) => names.split(' ')),
);

const formats: Readonly<Record<string, string>> = {
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  byte: 'bytes',
};

const scalars: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'double',
  boolean: 'bool',
};

/** Schemas as types of an environment; what says nothing of itself may be anything. */
class Types {
  readonly #environment: Environment;
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  typeOf(schema: OpenApiSchema): string {
    if (isOpen(schema)) return 'dyn';
    switch (schema.type) {
      case 'string':
        return formats[schema.format ?? ''] ?? 'string';
      case 'array':
        return schema.items === undefined ? 'list' : `list<${this.typeOf(schema.items)}>`;
      case 'object':
        return this.#objectType(schema);
      default:
        return scalars[schema.type ?? ''] ?? 'dyn';
    }
  }

  #objectType(schema: OpenApiSchema): string {
    const { properties, additionalProperties } = schema;
    if (typeof additionalProperties === 'object') {
      return `map<string, ${this.typeOf(additionalProperties)}>`;
    }
    if (properties === undefined || schema['x-kubernetes-embedded-resource'] === true) return 'dyn';
    const fields = Object.entries(properties).map(
      ([name, field]) => [escapeName(name), this.typeOf(field)] as const,
    );
    this.#count++;
    const name = `Object${this.#count}`;
    const known = isRoot(schema) ? [...rootFields, ...fields] : fields;
    this.#environment.registerType({ name, schema: Object.fromEntries(known) });
    return name;
  }
}

function isOpen(schema: OpenApiSchema): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-int-or-string'] === true
  );
}

/** Only whole objects have metadata of which nothing but the name may be said. */
function isRoot({ properties = {} }: OpenApiSchema): boolean {
  return 'metadata' in properties && 'kind' in properties;
}

const rootFields = [
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['metadata', 'dyn'],
] as const;
