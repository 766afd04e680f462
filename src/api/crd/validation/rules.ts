// All CEL rules of a schema, run over an object. In: an object, and on an update the one it replaces. Out:
// errors. Rules that speak of the old value run only where there is one: fields of the same name, and items
// of map lists with the same keys.
import { type Environment, Optional } from '@marcbachmann/cel-js';
import type { Json } from '../../meta.ts';
import { type Convert, converter } from './cel-value.ts';
import type { FieldError } from './field-error.ts';
import { isRecord } from './json-value.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { type CelContext, type CompiledRule, compileRule, type Violation } from './rule.ts';
import { listKeysOf, type StructuralNode } from './structural-node.ts';

/** A schema cut down to the parts that have rules in them. */
export interface RuleNode {
  readonly schemaType: string;
  readonly rules: readonly CompiledRule[];
  /** Texts that met all rules before; the same few label keys come by over and over. */
  readonly passed: Set<string> | undefined;
  readonly convert: Convert | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additional: RuleNode | undefined;
  readonly items: RuleNode | undefined;
  readonly listKeys: readonly string[];
}

// Enough for all label keys of a cluster; a full set starts over.
const MAX_PASSED = 1024;

function dependOnTextAlone(rules: readonly CompiledRule[], type: string | undefined): boolean {
  return type === 'string' && rules.length > 0 && rules.every((rule) => !rule.usesOldSelf);
}

function childRules(
  node: StructuralNode | undefined,
  environment: Environment,
): RuleNode | undefined {
  return node === undefined ? undefined : toRuleNode(node, environment);
}

function fieldRules(node: StructuralNode, environment: Environment): Map<string, RuleNode> {
  const rules = new Map<string, RuleNode>();
  for (const [name, field] of node.properties) {
    const child = toRuleNode(field, environment);
    if (child !== undefined) rules.set(name, child);
  }
  return rules;
}

function rulesOf(schema: OpenApiSchema, environment: Environment): readonly CompiledRule[] {
  return (schema['x-kubernetes-validations'] ?? [])
    .filter((rule) => rule.rule.trim() !== '')
    .map((rule) => compileRule(rule, schema, environment));
}

export function toRuleNode(node: StructuralNode, environment: Environment): RuleNode | undefined {
  const { schema } = node;
  const rules = rulesOf(schema, environment);
  const properties = fieldRules(node, environment);
  const additional = childRules(node.additional, environment);
  const items = childRules(node.items, environment);
  const isBare = properties.size === 0 && additional === undefined && items === undefined;
  if (rules.length === 0 && isBare) return undefined;
  return {
    schemaType: schema.type ?? '',
    rules,
    passed: dependOnTextAlone(rules, schema.type) ? new Set() : undefined,
    convert: rules.length === 0 ? undefined : converter(node),
    properties,
    additional,
    items,
    listKeys: listKeysOf(schema) ?? [],
  };
}

/** Every rule below a node that could not be compiled, with the reason. */
export function ruleProblems(node: RuleNode): readonly string[] {
  const own = node.rules.flatMap((rule) => (rule.problem === undefined ? [] : [rule.problem]));
  const children = [...node.properties.values(), node.additional, node.items];
  return [...own, ...children.flatMap((child) => (child === undefined ? [] : ruleProblems(child)))];
}

/** The key of a map entry, which errors show in brackets. */
class MapKey {
  readonly key: string;
  constructor(key: string) {
    this.key = key;
  }
}

class Run {
  readonly errors: FieldError[] = [];
  readonly #path: (string | number | MapKey)[] = [];

  visit(node: RuleNode, value: Json, old: Json | undefined): void {
    if (value === null) return;
    if (typeof value === 'string' && node.passed !== undefined) {
      this.#checkText(node, value, node.passed);
      return;
    }
    if (node.rules.length > 0) this.#checkRules(node, value, old ?? undefined);
    if (Array.isArray(value)) this.#visitItems(node, value as readonly Json[], old);
    else if (isRecord(value)) this.#visitFields(node, value, isRecord(old) ? old : undefined);
  }

  #checkText(node: RuleNode, value: string, passed: Set<string>): void {
    if (passed.has(value)) return;
    const before = this.errors.length;
    this.#checkRules(node, value, undefined);
    if (this.errors.length > before) return;
    if (passed.size >= MAX_PASSED) passed.clear();
    passed.add(value);
  }

  #checkRules(node: RuleNode, value: Json, old: Json | undefined): void {
    const context = contextOf(node, value, old);
    for (const rule of node.rules) {
      if (rule.usesOldSelf && old === undefined && !rule.optionalOldSelf) continue;
      const violation = rule.check(rule.optionalOldSelf ? withOptionalOld(context) : context);
      if (violation !== undefined) this.#report(node, value, violation);
    }
  }

  #report(node: RuleNode, value: Json, violation: Violation): void {
    const { type, detail, below, isFailure } = violation;
    const isScalar = node.schemaType !== 'object' && node.schemaType !== 'array';
    const showsValue = type === 'Invalid' || type === 'Duplicate';
    const shown = isFailure ? node.schemaType : value;
    this.errors.push({
      field: this.#field(below),
      type,
      detail,
      ...(showsValue && (isFailure || isScalar) && { value: shown }),
    });
  }

  #field(below: string): string {
    let field = '';
    for (const segment of this.#path) {
      if (typeof segment === 'string') field += field === '' ? segment : `.${segment}`;
      else field += `[${typeof segment === 'number' ? segment : segment.key}]`;
    }
    if (below !== '') return field === '' ? below : `${field}.${below}`;
    return field === '' ? '<nil>' : field;
  }

  #visitItems(node: RuleNode, value: readonly Json[], old: Json | undefined): void {
    if (node.items === undefined) return;
    const { listKeys, items } = node;
    const oldItems = listKeys.length > 0 && Array.isArray(old) ? (old as readonly Json[]) : [];
    for (const [index, item] of value.entries()) {
      this.#path.push(index);
      this.visit(items, item, correlated(item, oldItems, listKeys));
      this.#path.pop();
    }
  }

  #visitFields(
    node: RuleNode,
    value: { readonly [key: string]: Json },
    old: { readonly [key: string]: Json } | undefined,
  ): void {
    for (const [name, field] of node.properties) {
      const item = value[name];
      if (item === undefined) continue;
      this.#path.push(name);
      this.visit(field, item, old?.[name]);
      this.#path.pop();
    }
    const { additional } = node;
    if (additional === undefined) return;
    for (const [key, item] of Object.entries(value)) {
      if (node.properties.has(key)) continue;
      this.#path.push(new MapKey(key));
      this.visit(additional, item, old?.[key]);
      this.#path.pop();
    }
  }
}

function contextOf({ convert, rules }: RuleNode, value: Json, old: Json | undefined): CelContext {
  const needsOld = old !== undefined && rules.some((rule) => rule.usesOldSelf);
  if (convert === undefined) return { self: value, oldSelf: needsOld ? old : undefined };
  return { self: convert(value), oldSelf: needsOld ? convert(old, value) : undefined };
}

function withOptionalOld({ self, oldSelf }: CelContext): CelContext {
  return { self, oldSelf: oldSelf === undefined ? Optional.none() : Optional.of(oldSelf) };
}

/** The old item with the same keys, if the list has keys and all of them are scalars. */
function correlated(
  item: Json,
  oldItems: readonly Json[],
  keys: readonly string[],
): Json | undefined {
  if (oldItems.length === 0 || !isRecord(item)) return undefined;
  return oldItems.find(
    (old) =>
      isRecord(old) &&
      keys.every((key) => old[key] !== undefined && old[key] !== null && old[key] === item[key]),
  );
}

export function checkRules(node: RuleNode, value: Json, old?: Json): readonly FieldError[] {
  const run = new Run();
  run.visit(node, value, old);
  return run.errors;
}
