// Types, bounds, patterns and required fields. In: a value and its prepared schema. Out: errors in the
// API server's words and in a fixed order (the server's own order is that of a hash table).
import type { Json } from '../../meta.ts';
import { type FieldError, type FieldErrorType, formatFloat, quote } from './field-error.ts';
import { isRecord, jsonEqual } from './json-value.ts';
import { kindOf, type StructuralNode, type ValueKind } from './structural-node.ts';

/** How the server names the representation of a value that has the wrong type for its format. */
const representation: Readonly<Partial<Record<ValueKind, string>>> = {
  integer: 'int64',
  number: 'float64',
};

// Lengths count characters, not the halves that JavaScript makes of some; only close calls need counting.
function isShorterThan(text: string, minimum: number): boolean {
  if (text.length < minimum) return true;
  return text.length < 2 * minimum && Array.from(text).length < minimum;
}

function isLongerThan(text: string, maximum: number): boolean {
  return text.length > maximum && Array.from(text).length > maximum;
}

class Run {
  errors: FieldError[] = [];
  /** The server's measure of how much of a schema fitted; decides which failed branch it reports. */
  matches = 0;
  readonly #path: (string | number)[] = [];
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  visit(node: StructuralNode, value: Json): void {
    const kind = kindOf(value);
    if (kind === 'null') {
      this.#checkNull(node);
      return;
    }
    this.matches += 2;
    if (node.types.length > 0 || node.format !== undefined) this.#checkType(node, kind);
    if (node.isComposed) this.#checkComposition(node, value);
    if (isRecord(value)) this.#checkObject(node, value);
    else if (Array.isArray(value)) this.#checkArray(node, value as readonly Json[]);
    else if (typeof value === 'string') this.#checkString(node, value);
    else if (typeof value === 'number') this.#checkNumber(node, value, kind === 'integer');
    if (node.enumeration !== undefined) this.#checkEnum(node.enumeration, value);
  }

  #name(): string {
    let name = '';
    for (const segment of this.#path) {
      if (typeof segment === 'number') name += `[${segment}]`;
      else name += name === '' ? segment : `.${segment}`;
    }
    return name;
  }

  #add(type: FieldErrorType, detail: string, value?: Json): void {
    const name = this.#name();
    const field = [this.#prefix, name].filter((part) => part !== '').join('.');
    this.errors.push({ field, type, detail, ...(value !== undefined && { value }) });
  }

  #invalid(rule: string, value: Json): void {
    this.#add('Invalid', `${this.#name()} in body ${rule}`, value);
  }

  #wrongType(wanted: string, found: string): void {
    this.#add(
      'TypeInvalid',
      `${this.#name()} in body must be of type ${wanted}: "${found}"`,
      found,
    );
  }

  /** Complaints about alternatives carry no field of their own. */
  #unfielded(rule: string): void {
    const detail = `${quote(this.#name())} ${rule}`;
    this.errors.push({ field: this.#prefix || '<nil>', type: 'Invalid', detail, value: '' });
  }

  #checkNull(node: StructuralNode): void {
    if (node.types.length > 0 && !node.nullable) {
      this.#wrongType(node.typeNames, 'null');
    } else {
      this.matches += 1;
    }
    if (node.enumeration !== undefined) this.#checkEnum(node.enumeration, null);
  }

  #checkType(node: StructuralNode, kind: ValueKind): void {
    this.matches += 1;
    if (node.types.includes(kind) || (kind === 'integer' && node.types.includes('number'))) {
      this.matches += 1;
      return;
    }
    const { format } = node;
    const mayBeFormatted = kind === 'string' || kind === 'array';
    if (format === undefined) this.#wrongType(node.typeNames, kind);
    else if (!mayBeFormatted) this.#wrongType(format.name, representation[kind] ?? '');
    // The server lets a list through as a formatted text and leaves it to CEL to stumble over it.
    else if (node.isNumeric) this.#wrongType(node.typeNames, kind);
  }

  #checkString(node: StructuralNode, value: string): void {
    const { maxLength, minLength } = node.schema;
    if (maxLength !== undefined && isLongerThan(value, maxLength)) {
      this.#add(
        'TooLong',
        `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`,
      );
    } else if (minLength !== undefined && isShorterThan(value, minLength)) {
      this.#invalid(`should be at least ${minLength} chars long`, value);
    } else if (node.pattern !== undefined && !node.pattern.matches(value)) {
      this.#invalid(`should match '${node.pattern.shown}'`, value);
    }
    if (node.format !== undefined && !node.format.accepts(value)) {
      const detail = `${this.#name()} in body must be of type ${node.format.name}: ${quote(value)}`;
      this.#add('TypeInvalid', detail, value);
    }
  }

  #checkNumber(node: StructuralNode, value: number, isInteger: boolean): void {
    this.matches += 2;
    for (const { limit, isBroken, words } of node.bounds) {
      // Bounds of whole numbers are cut to whole numbers.
      const bound = isInteger ? Math.trunc(limit) : limit;
      if (!isBroken(value, bound)) continue;
      const shown = isInteger ? String(bound) : formatFloat(bound);
      this.#invalid(`should be ${words} ${shown}`, value);
    }
  }

  #checkArray(node: StructuralNode, value: readonly Json[]): void {
    this.matches += 2;
    const { minItems, maxItems } = node.schema;
    if (node.items !== undefined) {
      for (const [index, item] of value.entries()) this.#descend(index, node.items, item);
    }
    if (minItems !== undefined && value.length < minItems) {
      this.#invalid(`should have at least ${minItems} items`, value.length);
    }
    if (maxItems !== undefined && value.length > maxItems) this.#tooMany(value.length, maxItems);
  }

  #tooMany(actual: number, maximum: number): void {
    const detail = `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`;
    this.#add('TooMany', detail, actual);
  }

  #checkEnum(enumeration: ReadonlySet<Json>, value: Json): void {
    if (enumeration.has(value)) return;
    const allowed = [...enumeration];
    if (allowed.some((candidate) => jsonEqual(candidate, value))) return;
    const shown = allowed.map((item) =>
      quote(typeof item === 'string' ? item : JSON.stringify(item)),
    );
    this.#add('NotSupported', `supported values: ${shown.join(', ')}`, value);
  }

  #checkObject(node: StructuralNode, value: { readonly [key: string]: Json }): void {
    this.matches += 1;
    this.#checkSize(node, value);
    const { properties, additional } = node;
    for (const key in value) {
      const field = properties.get(key) ?? additional;
      const item = value[key];
      if (field !== undefined && item !== undefined) this.#descend(key, field, item);
    }
    for (const key of node.required) {
      if (Object.hasOwn(value, key)) continue;
      this.#path.push(key);
      this.#add('Required', '');
      this.#path.pop();
    }
  }

  #checkSize(node: StructuralNode, value: { readonly [key: string]: Json }): void {
    const { minProperties, maxProperties } = node.schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    const size = Object.keys(value).length;
    if (minProperties !== undefined && size < minProperties) {
      this.#invalid(`should have at least ${minProperties} properties`, size);
    }
    if (maxProperties !== undefined && size > maxProperties) this.#tooMany(size, maxProperties);
  }

  #descend(segment: string | number, node: StructuralNode, value: Json): void {
    this.#path.push(segment);
    this.visit(node, value);
    this.#path.pop();
  }

  /** Looks at one alternative on the side: its errors and matches count only if the caller says so. */
  #attempt(node: StructuralNode, value: Json): { errors: FieldError[]; matches: number } {
    const outer = { errors: this.errors, matches: this.matches };
    this.errors = [];
    this.matches = 0;
    this.visit(node, value);
    const attempt = { errors: this.errors, matches: this.matches };
    this.errors = outer.errors;
    this.matches = outer.matches;
    return attempt;
  }

  #checkComposition(node: StructuralNode, value: Json): void {
    this.matches += 1;
    if (node.anyOf.length > 0) this.#checkAnyOf(node.anyOf, value);
    if (node.oneOf.length > 0) this.#checkOneOf(node.oneOf, value);
    if (node.allOf.length > 0) this.#checkAllOf(node.allOf, value);
    if (node.not !== undefined && this.#attempt(node.not, value).errors.length === 0) {
      this.#unfielded('must not validate the schema (not)');
    }
  }

  #checkAnyOf(branches: readonly StructuralNode[], value: Json): void {
    let best: { errors: FieldError[]; matches: number } | undefined;
    for (const branch of branches) {
      const attempt = this.#attempt(branch, value);
      if (attempt.errors.length === 0) {
        this.matches += attempt.matches;
        return;
      }
      if (best === undefined || attempt.matches > best.matches) best = attempt;
    }
    this.#unfielded('must validate at least one schema (anyOf)');
    this.errors.push(...(best?.errors ?? []));
  }

  #checkOneOf(branches: readonly StructuralNode[], value: Json): void {
    const attempts = branches.map((branch) => this.#attempt(branch, value));
    const valid = attempts.filter((attempt) => attempt.errors.length === 0);
    if (valid.length === 1) {
      this.matches += valid[0]?.matches ?? 0;
      return;
    }
    const found = valid.length === 0 ? 'none valid' : `${valid.length} valid alternatives`;
    this.#unfielded(`must validate one and only one schema (oneOf). Found ${found}`);
    if (valid.length > 0) return;
    const best = attempts.reduce((a, b) => (b.matches > a.matches ? b : a));
    this.errors.push(...best.errors);
  }

  #checkAllOf(branches: readonly StructuralNode[], value: Json): void {
    let valid = 0;
    for (const branch of branches) {
      const attempt = this.#attempt(branch, value);
      if (attempt.errors.length === 0) valid += 1;
      this.matches += attempt.matches;
      this.errors.push(...attempt.errors);
    }
    if (valid === branches.length) return;
    this.#unfielded(
      `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
    );
  }
}

/** `prefix` is put before the field of every error, but not into its words, as for `status` updates. */
export function checkStructure(node: StructuralNode, value: Json, prefix = ''): FieldError[] {
  const run = new Run(prefix);
  run.visit(node, value);
  return run.errors;
}
