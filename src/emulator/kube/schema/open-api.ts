// /openapi/v2 and /openapi/v3: the types and paths of everything the server serves at this moment. In: the kinds, built-in
// and custom. Out: an index with a hash per group and version, one document for each, and all of them merged in the older
// version. Documents are made when first asked for, and again when their kinds have changed.
// Of the older version there is a binary form too; clients that want it of the newer one are told so and take JSON.
import { createHash } from 'node:crypto';
import type { JsonObject, MutableJsonObject } from '../json.ts';
import { encodeOpenApi, openApiMediaType } from '../protobuf/encode-open-api.ts';
import { type OpenApiKind, pathsOf } from './open-api-paths.ts';
import {
  customListDocument,
  customTypeDocument,
  type Dialect,
  typeDocument,
  version2,
  version3,
  type Writing,
} from './open-api-type.ts';
import type { GroupVersionKind, TypeSchema } from './type-schema.ts';
import type { TypeSchemas } from './type-schemas.ts';

export interface ServedKind extends OpenApiKind {
  readonly custom?: { readonly schema: TypeSchema };
}

export interface OpenApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface Document {
  readonly text: string;
  readonly hash: string;
}

interface Form {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Every client reads errors and deletes. */
const always = [
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
];

export class OpenApiDocuments {
  readonly #schemas: TypeSchemas;
  readonly #registry: { readonly kinds: Iterable<ServedKind>; readonly generation: number };
  readonly #documents = new Map<
    string,
    { readonly kinds: readonly ServedKind[]; readonly document: Document }
  >();
  #generation = -1;
  #groups: ReadonlyMap<string, readonly ServedKind[]> = new Map();
  #merged: Document | undefined;
  #binary: Uint8Array | undefined;

  constructor(options: {
    readonly schemas: TypeSchemas;
    /** `generation` grows with every change of `kinds`. */
    readonly registry: { readonly kinds: Iterable<ServedKind>; readonly generation: number };
  }) {
    this.#schemas = options.schemas;
    this.#registry = options.registry;
  }

  /** `path` with its query, for example `/openapi/v3/apis/apps/v1?hash=…`. */
  answer(request: {
    readonly path: string;
    readonly accept: string;
    readonly ifNoneMatch?: string;
  }): OpenApiAnswer {
    this.#refresh();
    const [path = '', query = ''] = request.path.split('?');
    if (path === '/openapi/v3') {
      const headers = { ...uncached, 'content-type': 'text/plain; charset=utf-8' };
      return { status: 200, headers, body: this.#index() };
    }
    const found = path === '/openapi/v2' ? this.#version2() : this.#version3(path);
    if (found === undefined) return { status: 404, headers: uncached, body: '' };
    const form = this.#formOf(found, request.accept);
    if (form === undefined)
      return { status: 406, headers: { ...uncached, vary: 'Accept' }, body: '' };
    const wanted = new URLSearchParams(query).get('hash') ?? '';
    const { hash } = found;
    return served({ ...form, hash }, { path, wanted, ifNoneMatch: request.ifNoneMatch });
  }

  #formOf(document: Document, accept: string): Form | undefined {
    if (document === this.#merged && accepts(accept, openApiMediaType)) {
      this.#binary ??= encodeOpenApi(JSON.parse(document.text) as JsonObject);
      return { type: openApiMediaType.replace('@', '.'), body: this.#binary };
    }
    return acceptsJson(accept) ? { type: 'application/json', body: document.text } : undefined;
  }

  #refresh(): void {
    if (this.#generation === this.#registry.generation) return;
    this.#generation = this.#registry.generation;
    this.#groups = Map.groupBy(this.#registry.kinds, ({ group, version }) =>
      group === '' ? `api/${version}` : `apis/${group}/${version}`,
    );
    this.#merged = undefined;
    this.#binary = undefined;
  }

  #index(): string {
    const paths = [...this.#groups.keys()].toSorted().map((name) => {
      const hash = this.#documentOf(name)?.hash ?? '';
      return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }];
    });
    return JSON.stringify({ paths: Object.fromEntries(paths) as JsonObject });
  }

  #version3(path: string): Document | undefined {
    return path.startsWith('/openapi/v3/')
      ? this.#documentOf(path.slice('/openapi/v3/'.length))
      : undefined;
  }

  #documentOf(name: string): Document | undefined {
    const kinds = this.#groups.get(name);
    if (kinds === undefined) return undefined;
    const known = this.#documents.get(name);
    const isSame =
      known?.kinds.length === kinds.length &&
      known.kinds.every((kind, index) => kind === kinds[index]);
    if (known !== undefined && isSame) return known.document;
    const { paths, types } = this.#contents(kinds, version3);
    const document = documentOf({
      openapi: '3.0.0',
      info: this.#info(),
      paths,
      components: { schemas: types },
    });
    this.#documents.set(name, { kinds, document });
    return document;
  }

  #version2(): Document {
    if (this.#merged === undefined) {
      const { paths, types } = this.#contents([...this.#registry.kinds], version2);
      this.#merged = documentOf({
        swagger: '2.0',
        info: this.#info(),
        paths,
        definitions: types,
      });
    }
    return this.#merged;
  }

  #info(): JsonObject {
    const [major = '', minor = ''] = this.#schemas.version.replace('v', '').split('.');
    return { title: 'Kubernetes', version: `${major}.${minor}` };
  }

  #contents(
    kinds: readonly ServedKind[],
    dialect: Dialect,
  ): { readonly paths: JsonObject; readonly types: JsonObject } {
    const writing: Writing = { dialect, used: new Set(always) };
    const types: MutableJsonObject = {};
    const paths: MutableJsonObject = {};
    const names = (kind: GroupVersionKind): string | undefined => this.#nameOf(kinds, kind);
    for (const kind of kinds) {
      Object.assign(paths, pathsOf(kind, dialect, names));
      if (kind.custom !== undefined) addCustom(types, kind, writing);
      for (const one of typesOf(kind)) {
        const name = names(one);
        if (name !== undefined && types[name] === undefined) writing.used.add(name);
      }
    }
    this.#addUsed(types, writing);
    return { paths: sorted(paths), types: sorted(types) };
  }

  #nameOf(kinds: readonly ServedKind[], wanted: GroupVersionKind): string | undefined {
    const builtIn = this.#schemas.lookup(wanted)?.name;
    if (builtIn !== undefined) return builtIn;
    const isWanted = ({ group, version, kind, listKind }: ServedKind): boolean =>
      group === wanted.group &&
      version === wanted.version &&
      (kind === wanted.kind || listKind === wanted.kind);
    const custom = kinds.find(isWanted)?.custom?.schema.name;
    return custom === undefined
      ? undefined
      : `${custom.slice(0, custom.lastIndexOf('.'))}.${wanted.kind}`;
  }

  /** A set grows while it is walked through, so that what types refer to is written too. */
  #addUsed(types: MutableJsonObject, writing: Writing): void {
    for (const name of writing.used) {
      if (types[name] !== undefined) continue;
      types[name] = typeDocument(
        this.#schemas.byName(name),
        this.#schemas.kindsNamed(name),
        writing,
      );
    }
  }
}

function typesOf(kind: ServedKind): GroupVersionKind[] {
  const list = { group: kind.group, version: kind.version, kind: kind.listKind };
  return [kind, list, ...kind.subresources.flatMap((subresource) => subresource.kind ?? [])];
}

function addCustom(types: MutableJsonObject, kind: ServedKind, writing: Writing): void {
  const { schema } = kind.custom ?? {};
  if (schema?.name === undefined || schema.document === undefined) return;
  const { group, version, listKind } = kind;
  const home = schema.name.slice(0, schema.name.lastIndexOf('.'));
  types[schema.name] = customTypeDocument(
    schema.document,
    { group, version, kind: kind.kind },
    writing,
  );
  types[`${home}.${listKind}`] = customListDocument(
    { group, version, kind: kind.kind, listKind, name: schema.name },
    writing,
  );
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function documentOf(content: JsonObject): Document {
  const text = JSON.stringify(content);
  return { text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
}

const uncached = { 'cache-control': 'no-cache, private' };

function accepts(accept: string, ...wanted: readonly string[]): boolean {
  return accept.split(',').some((part) => wanted.includes(part.split(';')[0]?.trim() ?? ''));
}

function acceptsJson(accept: string): boolean {
  return accept.trim() === '' || accepts(accept, 'application/json', 'application/*', '*/*');
}

function served(
  document: Form & { readonly hash: string },
  request: {
    readonly path: string;
    readonly wanted: string;
    readonly ifNoneMatch: string | undefined;
  },
): OpenApiAnswer {
  const { path, wanted } = request;
  const etag = `"${document.hash}"`;
  const headers = { ...uncached, etag, vary: 'Accept' };
  if (wanted !== '' && wanted !== document.hash) {
    const location = `${path}?hash=${document.hash}`;
    return {
      status: 301,
      headers: { ...headers, location, 'content-type': 'application/json' },
      body: '',
    };
  }
  if (request.ifNoneMatch === etag) return { status: 304, headers, body: '' };
  // With its hash in the address a document is the same for ever.
  const cached = wanted === '' ? {} : { 'cache-control': 'public, immutable' };
  return {
    status: 200,
    headers: { ...headers, ...cached, 'content-type': document.type },
    body: document.body,
  };
}
