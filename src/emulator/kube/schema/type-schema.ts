// The type of one place in an object, the same for built-in kinds and custom resources: what may stand there,
// and how several writers share it. Patches, apply, pruning and field validation see only this.
// In: what a document says about the place. Out: a node whose neighbours are made when first asked for, so that a
// recursive type costs nothing. A node never changes.
import type { OpenApiSchema } from '../../../api/crd/open-api.ts';
import type { Json } from '../../../api/meta.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * `scalar` is a number, a string or a boolean: quantities, int-or-strings and times.
 * `any` is every value; lists in it are atomic whatever `sharing` says of objects.
 */
export type ValueType =
  | 'object'
  | 'array'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'scalar'
  | 'any';

/** Whether writers own the members each by itself, or only the whole: `set` and `map` are lists. */
export type Sharing = 'atomic' | 'granular' | 'set' | 'map';

/** How the server names the place in its own language when a value of the wrong type stands there. */
export interface GoField {
  readonly type: string;
  /** Structs between the owner and the field that JSON does not show. */
  readonly embedded: readonly string[];
}

export interface SchemaFacts {
  readonly type: ValueType;
  readonly format?: string | undefined;
  /** In the API's documents, for example `io.k8s.api.apps.v1.DeploymentSpec`. */
  readonly name?: string | undefined;
  readonly sharing?: Sharing | undefined;
  /** The fields that tell the items of a list with `sharing: 'map'` apart. */
  readonly mapKeys?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly default?: Json | undefined;
  /** What the server sees where the field is left out: its types cannot tell `{}` from nothing. */
  readonly absent?: Json | undefined;
  readonly enum?: readonly Json[] | undefined;
  /** Strategic merge patch: any of `merge`, `replace`, `retainKeys`. */
  readonly patchStrategies?: readonly string[] | undefined;
  readonly patchMergeKey?: string | undefined;
  readonly unions?: Json | undefined;
  readonly go?: GoField | undefined;
  /** At the root of a custom resource: the schema of its definition, with all its prose. */
  readonly document?: OpenApiSchema | undefined;
  readonly fields?: (() => ReadonlyMap<string, TypeSchema>) | undefined;
  /** Of members that are not declared fields. Without it such members are unknown fields. */
  readonly values?: (() => TypeSchema) | undefined;
  readonly items?: (() => TypeSchema) | undefined;
}

const none: readonly string[] = [];
const noFields: ReadonlyMap<string, TypeSchema> = new Map();

export class TypeSchema {
  readonly type: ValueType;
  readonly format: string | undefined;
  readonly name: string | undefined;
  readonly sharing: Sharing;
  readonly mapKeys: readonly string[];
  readonly required: readonly string[];
  readonly default: Json | undefined;
  readonly absent: Json | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly patchStrategies: readonly string[];
  readonly patchMergeKey: string | undefined;
  readonly unions: Json | undefined;
  readonly go: GoField | undefined;
  readonly document: OpenApiSchema | undefined;
  readonly #facts: SchemaFacts;
  #fields: ReadonlyMap<string, TypeSchema> | undefined;
  #values: TypeSchema | undefined;
  #items: TypeSchema | undefined;

  constructor(facts: SchemaFacts) {
    this.#facts = facts;
    this.type = facts.type;
    this.format = facts.format;
    this.name = facts.name;
    this.sharing = facts.sharing ?? (facts.type === 'array' ? 'atomic' : 'granular');
    this.mapKeys = facts.mapKeys ?? none;
    this.required = facts.required ?? none;
    this.default = facts.default;
    this.absent = facts.absent;
    this.enum = facts.enum;
    this.patchStrategies = facts.patchStrategies ?? none;
    this.patchMergeKey = facts.patchMergeKey;
    this.unions = facts.unions;
    this.go = facts.go;
    this.document = facts.document;
  }

  get fields(): ReadonlyMap<string, TypeSchema> {
    this.#fields ??= this.#facts.fields?.() ?? noFields;
    return this.#fields;
  }

  get values(): TypeSchema | undefined {
    this.#values ??= this.#facts.values?.();
    return this.#values;
  }

  get items(): TypeSchema | undefined {
    this.#items ??= this.#facts.items?.();
    return this.#items;
  }

  /** The schema of a declared field. */
  field(name: string): TypeSchema | undefined {
    return this.fields.get(name);
  }

  /** The schema of any member: a declared field, else what all others are, else nothing: an unknown field. */
  member(name: string): TypeSchema | undefined {
    return this.fields.get(name) ?? this.values;
  }

  /** The same place seen with other facts, for example a field that makes the type it refers to atomic. */
  with(facts: Partial<SchemaFacts>): TypeSchema {
    return new TypeSchema({
      ...this.#facts,
      fields: () => this.fields,
      ...(this.#facts.values && { values: () => this.values as TypeSchema }),
      ...(this.#facts.items && { items: () => this.items as TypeSchema }),
      ...facts,
    });
  }

  /** Nothing is said about what may stand below. */
  get isOpen(): boolean {
    return this.type === 'any' || (this.fields.size === 0 && this.values?.type === 'any');
  }

  get isScalar(): boolean {
    return this.type !== 'object' && this.type !== 'array' && this.type !== 'any';
  }
}

/** JSON that nobody describes and nobody shares: embedded objects of other programs. */
export const atomicAny: TypeSchema = new TypeSchema({
  type: 'any',
  sharing: 'atomic',
  values: () => atomicAny,
  items: () => atomicAny,
});

/** JSON that nobody describes, with its objects shared member by member: unknown fields that are kept. */
export const granularAny: TypeSchema = new TypeSchema({
  type: 'any',
  values: () => granularAny,
  items: () => atomicAny,
});
