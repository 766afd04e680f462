// A field of a custom resource, written once: the builder gives its OpenAPI schema for the manifest, the
// reference page and the validator, and its TypeScript type for the code that reads it.
//
// Two types hang on every schema. `Stored` is what the API server hands out, after defaulting: a field
// with a default is there. `Written` is what a person may put in a file: such a field may be left out.
import type { Json } from '../meta.ts';
import type { OpenApiSchema, ValidationRule } from './open-api.ts';

/** Whether a field may be missing: never, always, or only before defaulting. */
type Presence = 'required' | 'optional' | 'defaulted';

export interface Schema<S = unknown, W = unknown, P extends Presence = Presence> {
  readonly openApi: OpenApiSchema;
  readonly presence: P;
  /** In the `required` list of its parent, which a field with a default may be too. */
  readonly listed: boolean;
  /** Never set: carries the type of the stored value. */
  readonly stored?: S;
  /** Never set: carries the type of the value as written. */
  readonly written?: W;
}

/** The type of a value after defaulting, read-only all the way down. */
export type Stored<T> = T extends Schema<infer S> ? S : never;

/** The type of a value as a person may write it, before defaulting. */
export type Written<T> = T extends Schema<unknown, infer W> ? W : never;

type Fields = Readonly<Record<string, Schema>>;

type KeysWith<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K]['presence'] extends P ? K : never;
}[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

type StoredFields<F extends Fields> = Flat<
  { readonly [K in KeysWith<F, 'required' | 'defaulted'>]: Stored<F[K]> } & {
    readonly [K in KeysWith<F, 'optional'>]?: Stored<F[K]>;
  }
>;

type WrittenFields<F extends Fields> = Flat<
  { readonly [K in KeysWith<F, 'required'>]: Written<F[K]> } & {
    readonly [K in KeysWith<F, 'optional' | 'defaulted'>]?: Written<F[K]>;
  }
>;

type PresenceOf<O> = O extends { readonly default: Json } ? 'defaulted' : 'required';

interface CommonOptions {
  readonly description?: string;
  readonly default?: Json;
  readonly rules?: readonly ValidationRule[];
}

interface StringOptions extends CommonOptions {
  readonly default?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'date-time';
}

type StringOf<O> = O extends { readonly enum: readonly (infer E)[] } ? E : string;

interface IntegerOptions extends CommonOptions {
  readonly default?: number;
  readonly format?: 'int32' | 'int64';
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ArrayOptions extends CommonOptions {
  readonly maxItems?: number;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** The original puts these on some lists, where they mean nothing: parity of the manifest. */
  readonly inert?: Pick<OpenApiSchema, 'maxLength' | 'pattern'>;
}

interface MapOptions extends CommonOptions {
  readonly maxProperties?: number;
  readonly mapType?: 'atomic' | 'granular';
}

function build<S, W, P extends Presence>(
  own: OpenApiSchema,
  options: CommonOptions | undefined,
): Schema<S, W, P> {
  const openApi: OpenApiSchema = {
    ...own,
    ...(options?.description !== undefined && { description: options.description }),
    ...(options?.default !== undefined && { default: options.default }),
    ...(options?.rules !== undefined && { 'x-kubernetes-validations': options.rules }),
  };
  const defaulted = options?.default !== undefined;
  // The phantom parameter P is decided by the same options that decide the value.
  return {
    openApi,
    presence: (defaulted ? 'defaulted' : 'required') as P,
    listed: !defaulted,
  };
}

/** Copies the constraints of `options` whose names are the same in OpenAPI. */
function pick<K extends keyof OpenApiSchema>(
  options: Pick<OpenApiSchema, K> | undefined,
  keys: readonly K[],
): Pick<OpenApiSchema, K> {
  const present = keys.flatMap((key) => {
    const value = options?.[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(present) as Pick<OpenApiSchema, K>;
}

export function string<const O extends StringOptions>(
  options?: O,
): Schema<StringOf<O>, StringOf<O>, PresenceOf<O>> {
  const keys = ['enum', 'pattern', 'minLength', 'maxLength', 'format'] as const;
  return build({ type: 'string', ...pick(options, keys) }, options);
}

export function integer<const O extends IntegerOptions>(
  options?: O,
): Schema<number, number, PresenceOf<O>> {
  const keys = ['format', 'minimum', 'maximum'] as const;
  return build({ type: 'integer', ...pick(options, keys) }, options);
}

export function boolean<const O extends CommonOptions & { readonly default?: boolean }>(
  options?: O,
): Schema<boolean, boolean, PresenceOf<O>> {
  return build({ type: 'boolean' }, options);
}

/** A Kubernetes quantity: `100m`, `2Gi`, or a bare number. */
export function quantity(): Schema<string | number, string | number, 'required'> {
  return build(
    {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern:
        '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      'x-kubernetes-int-or-string': true,
    },
    undefined,
  );
}

export function object<const F extends Fields, const O extends CommonOptions>(
  fields: F,
  options?: O,
): Schema<StoredFields<F>, WrittenFields<F>, PresenceOf<O>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.listed).map(([name]) => name);
  return build(
    {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.openApi])),
      ...(required.length > 0 && { required }),
    },
    options,
  );
}

export function array<const I extends Schema, const O extends ArrayOptions>(
  items: I,
  options?: O,
): Schema<readonly Stored<I>[], readonly Written<I>[], PresenceOf<O>> {
  return build(
    {
      type: 'array',
      items: items.openApi,
      ...options?.inert,
      ...pick(options, ['maxItems']),
      ...(options?.listType && { 'x-kubernetes-list-type': options.listType }),
      ...(options?.listMapKeys && { 'x-kubernetes-list-map-keys': options.listMapKeys }),
    },
    options,
  );
}

export function map<const V extends Schema, const O extends MapOptions>(
  values: V,
  options?: O,
): Schema<
  Readonly<Record<string, Stored<V>>>,
  Readonly<Record<string, Written<V>>>,
  PresenceOf<O>
> {
  return build(
    {
      type: 'object',
      additionalProperties: values.openApi,
      ...pick(options, ['maxProperties']),
      ...(options?.mapType && { 'x-kubernetes-map-type': options.mapType }),
    },
    options,
  );
}

/** A field that may be left out and then stays out. */
export function optional<S, W>(field: Schema<S, W>): Schema<S, W, 'optional'> {
  return { openApi: field.openApi, presence: 'optional', listed: false };
}

/** A field with a default that its parent also lists as required, as kubebuilder writes some. */
export function listed<S, W, P extends Presence>(field: Schema<S, W, P>): Schema<S, W, P> {
  return { ...field, listed: true };
}
