// The types of the built-in kinds. In: kubernetes-types.json, which tools/generate-kubernetes-schemas.ts wrote down
// from a real API server (the version stands in the file). Out: schemas by kind, or by the name a document uses.
// A type is read when first asked for: one kind needs some thirty of the five hundred.
//
// A field in the file is words: the type, then what else is known. `[]T` is a list, `{}T` a map, a bare name a type of
// the same package; `list=map,name`, `map=atomic`, `patch=merge`, `mergeKey=name`, `required`, `default={}`, `enum=[…]`,
// `go=` and `embedded=` as the server's own language has them. `$` holds the words about a type as a whole.
import type { Json } from '../../../api/meta.ts';
import file from './kubernetes-types.json' with { type: 'json' };
import {
  atomicAny,
  granularAny,
  type GoField,
  type GroupVersionKind,
  type SchemaFacts,
  type Sharing,
  TypeSchema,
} from './type-schema.ts';

type PackageTypes = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

interface TypesFile {
  readonly version: string;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly types: Readonly<Record<string, PackageTypes>>;
}

const { version, kinds, types } = file as unknown as TypesFile;

/** Types whose JSON is not what their document says. */
const special: Readonly<Record<string, TypeSchema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': new TypeSchema({
    type: 'scalar',
    format: 'quantity',
    name: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  }),
  'io.k8s.apimachinery.pkg.runtime.RawExtension': atomicAny.with({
    name: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  }),
};

export function isBuiltInKind({ group, version, kind }: GroupVersionKind): boolean {
  return kinds[group === '' ? version : `${group}/${version}`]?.[kind] !== undefined;
}

export class TypeSchemas {
  /** Of the server that the types were taken from: `v1.35.4`. */
  readonly version = version;
  readonly #types = new Map<string, TypeSchema>();

  lookup({ group, version, kind }: GroupVersionKind): TypeSchema | undefined {
    const name = kinds[group === '' ? version : `${group}/${version}`]?.[kind];
    return name === undefined ? undefined : this.byName(name);
  }

  /** The kinds that a type stands for; options of requests are a kind in every group. */
  kindsNamed(name: string): readonly GroupVersionKind[] {
    return Object.entries(kinds).flatMap(([apiVersion, names]) => {
      const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
      return Object.keys(names)
        .filter((kind) => names[kind] === name)
        .map((kind) => ({ group: group ?? '', version: version ?? '', kind }));
    });
  }

  byName(name: string): TypeSchema {
    let schema = this.#types.get(name);
    if (schema === undefined) {
      schema = special[name] ?? this.#read(name);
      this.#types.set(name, schema);
    }
    return schema;
  }

  #read(name: string): TypeSchema {
    const dot = name.lastIndexOf('.');
    const home = name.slice(0, dot);
    const entry = types[home]?.[name.slice(dot + 1)];
    if (entry === undefined) throw new Error(`no type ${name} in kubernetes-types.json`);
    if (typeof entry === 'string') return this.#schemaOf(entry, home, '').with({ name });
    const { $: own, ...fields } = entry;
    const names = Object.keys(fields);
    return new TypeSchema({
      ...(own !== undefined && factsOf(own.split(' '))),
      type: 'object',
      name,
      required: names.filter((field) => fields[field]?.includes(' required') === true),
      fields: () =>
        new Map(names.map((field) => [field, this.#fieldOf(fields[field] ?? '', home)])),
    });
  }

  #fieldOf(words: string, home: string): TypeSchema {
    const [type = '', ...rest] = words.split(' ');
    const facts = factsOf(rest);
    const go = goFieldOf(type, home, rest);
    const schema = this.#schemaOf(type, home, go.type);
    const absent = absentValue(schema, facts, rest.includes('required'));
    const { enum: values, ...own } = facts;
    if (values === undefined) return schema.with({ ...own, absent, go });
    // Of a list or map the values are those of its members.
    const { items, values: members } = schema;
    const limited = { enum: values };
    if (items !== undefined)
      return schema.with({ ...own, absent, go, items: () => items.with(limited) });
    if (members !== undefined)
      return schema.with({ ...own, absent, go, values: () => members.with(limited) });
    return schema.with({ ...own, ...limited, absent, go });
  }

  /** `go` is the name of the same type in the server's language; lists and maps hand its inner part down. */
  #schemaOf(type: string, home: string, go: string): TypeSchema {
    if (type.startsWith('[]')) {
      const items = (): TypeSchema => this.#inner(type.slice(2), home, go.replace(/^\[\]/, ''));
      return new TypeSchema({ type: 'array', items });
    }
    if (type.startsWith('{}')) {
      const values = (): TypeSchema =>
        this.#inner(type.slice(2), home, go.replace(/^map\[\w+\]/, ''));
      return new TypeSchema({ type: 'object', values });
    }
    if (type.includes('.')) return this.byName(type);
    return scalars[type] ?? this.byName(`${home}.${type}`);
  }

  #inner(type: string, home: string, go: string): TypeSchema {
    return this.#schemaOf(type, home, go).with({ go: { type: go, embedded: [] } });
  }
}

const scalars: Readonly<Record<string, TypeSchema>> = {
  string: new TypeSchema({ type: 'string' }),
  byte: new TypeSchema({ type: 'string', format: 'byte' }),
  int32: new TypeSchema({ type: 'integer', format: 'int32' }),
  int64: new TypeSchema({ type: 'integer', format: 'int64' }),
  double: new TypeSchema({ type: 'number', format: 'double' }),
  boolean: new TypeSchema({ type: 'boolean' }),
  'date-time': new TypeSchema({ type: 'scalar', format: 'date-time' }),
  'int-or-string': new TypeSchema({ type: 'scalar', format: 'int-or-string' }),
  object: new TypeSchema({ type: 'object', values: () => granularAny }),
  any: granularAny,
};

function factsOf(words: readonly string[]): Partial<SchemaFacts> {
  const facts: { -readonly [K in keyof SchemaFacts]?: SchemaFacts[K] } = {};
  for (const word of words) {
    const equals = word.indexOf('=');
    const value = word.slice(equals + 1);
    switch (word.slice(0, equals)) {
      case 'list': {
        const [sharing, ...keys] = value.split(',');
        facts.sharing = sharing as Sharing;
        facts.mapKeys = keys;
        break;
      }
      case 'map':
        facts.sharing = value as Sharing;
        break;
      case 'patch':
        facts.patchStrategies = value.split(',');
        break;
      case 'mergeKey':
        facts.patchMergeKey = value;
        break;
      case 'default':
        facts.default = JSON.parse(value) as Json;
        break;
      case 'enum':
        facts.enum = JSON.parse(value) as readonly Json[];
        break;
      case 'unions':
        facts.unions = JSON.parse(value) as Json;
        break;
      default:
    }
  }
  return facts;
}

/**
 * A struct held by value is always there, a list or a pointer that is not optional is null, and a text or number that
 * is not optional has its zero.
 */
function absentValue(
  schema: TypeSchema,
  facts: Partial<SchemaFacts>,
  required: boolean,
): Json | undefined {
  if (schema.type === 'object' && facts.default !== undefined) return {};
  if (!required) return undefined;
  return schema.isScalar ? facts.default : null;
}

const goScalars: Readonly<Record<string, string>> = {
  byte: '[]uint8',
  boolean: 'bool',
  double: 'float64',
};

function goFieldOf(type: string, home: string, words: readonly string[]): GoField {
  const named = words.find((word) => word.startsWith('go='));
  const embedded = words.find((word) => word.startsWith('embedded='));
  return {
    type: named?.slice('go='.length) ?? goTypeOf(type, home),
    embedded: embedded?.slice('embedded='.length).split('.') ?? [],
  };
}

function goTypeOf(type: string, home: string): string {
  if (type.startsWith('[]')) return `[]${goTypeOf(type.slice(2), home)}`;
  if (type.startsWith('{}')) return `map[string]${goTypeOf(type.slice(2), home)}`;
  if (goScalars[type] !== undefined) return goScalars[type];
  if (scalars[type] !== undefined) return type;
  return (type.includes('.') ? type : `${home}.${type}`).split('.').slice(-2).join('.');
}
