// Asks a real API server for the types of the built-in kinds and writes them down for the emulator. In: KUBE_BIN, a
// directory with etcd and kube-apiserver. Out: src/emulator/kube/schema/kubernetes-types.json, the same bytes for
// the same server version. Only facts are kept: names, types, list and patch semantics; none of the prose.
// The names of Go types are facts of their own: they stand in the server's answers to a value of the wrong type,
// and no document tells them. Each field is therefore sent once with such a value and the answer is read.
import { writeFile } from 'node:fs/promises';
import { RealApiClient } from '../test/support/real-api-client.ts';
import { startRealApiServer } from '../test/support/real-api-server.ts';

const output = 'src/emulator/kube/schema/kubernetes-types.json';

const groupVersions = [
  'api/v1',
  'apis/admissionregistration.k8s.io/v1',
  'apis/apiextensions.k8s.io/v1',
  'apis/apiregistration.k8s.io/v1',
  'apis/apps/v1',
  'apis/authentication.k8s.io/v1',
  'apis/authorization.k8s.io/v1',
  'apis/autoscaling/v1',
  'apis/autoscaling/v2',
  'apis/batch/v1',
  'apis/certificates.k8s.io/v1',
  'apis/coordination.k8s.io/v1',
  'apis/discovery.k8s.io/v1',
  'apis/events.k8s.io/v1',
  'apis/networking.k8s.io/v1',
  'apis/node.k8s.io/v1',
  'apis/policy/v1',
  'apis/rbac.authorization.k8s.io/v1',
  'apis/resource.k8s.io/v1',
  'apis/scheduling.k8s.io/v1',
  'apis/storage.k8s.io/v1',
];

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-unions'?: readonly unknown[];
  readonly 'x-kubernetes-group-version-kind'?: readonly Kind[];
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the server calls a field in its own language. */
interface GoName {
  readonly type: string;
  /** Structs that stand between the type and the field although JSON does not show them. */
  readonly embedded: readonly string[];
}

const bin = process.env['KUBE_BIN'];
if (bin === undefined || bin === '') {
  console.error('KUBE_BIN is not set: it must name a directory with etcd and kube-apiserver');
  process.exit(2);
}

const server = await startRealApiServer(bin);
const client = new RealApiClient(server);
try {
  const { gitVersion } = await client.json<{ gitVersion: string }>('GET', '/version');
  const documents: Document[] = [];
  for (const path of groupVersions)
    documents.push(await client.json<Document>('GET', `/openapi/v3/${path}`));
  const schemas = Object.assign(
    {},
    ...documents.map((document) => document.components.schemas),
  ) as Record<string, Schema>;
  const goNames = await probe(documents, schemas);
  const data = { version: gitVersion, kinds: kindsOf(schemas), types: typesOf(schemas, goNames) };
  await writeFile(output, `${JSON.stringify(data, null, 2)}\n`);
  console.log(
    `${output}: ${Object.keys(schemas).length} types of ${gitVersion}, ${goNames.size} fields asked for`,
  );
} finally {
  client.close();
  await server.stop();
}

function refOf(schema: Schema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice('#/components/schemas/'.length);
}

/** Wraps a value of the wrong type in everything that stands around it in a whole object. */
type Wrap = (wrong: unknown) => unknown;

/** A type as first met on the way down from a kind that can be posted. */
interface Place {
  readonly name: string;
  readonly url: string;
  readonly path: readonly string[];
  readonly wrap: Wrap;
}

async function probe(
  documents: readonly Document[],
  schemas: Readonly<Record<string, Schema>>,
): Promise<Map<string, GoName>> {
  const names = new Map<string, GoName>();
  const queue = documents.flatMap((document) => postable(document, schemas));
  const met = new Set<string>();
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    if (met.has(place.name)) continue;
    met.add(place.name);
    for (const [field, schema] of Object.entries(schemas[place.name]?.properties ?? {})) {
      const goName = await goNameOf(place, field, schema);
      if (goName !== undefined) names.set(`${place.name} ${field}`, goName);
      const inner = innerType(schema);
      if (inner === undefined) continue;
      const { wrap, path } = place;
      queue.push({
        name: inner.name,
        url: place.url,
        path: [...path, ...(goName?.embedded ?? []), field],
        wrap: (wrong) => wrap({ [field]: inner.wrap(wrong) }),
      });
    }
  }
  return names;
}

function postable(document: Document, schemas: Readonly<Record<string, Schema>>): Place[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const name = bodyType(post);
    const kind = schemas[name ?? '']?.['x-kubernetes-group-version-kind']?.[0];
    if (name === undefined || kind === undefined) return [];
    const url = `${path.replace('{namespace}', 'default').replace('{name}', 'probe')}?dryRun=All`;
    const head = {
      apiVersion: [kind.group, kind.version].filter(Boolean).join('/'),
      kind: kind.kind,
    };
    return [{ name, url, path: [], wrap: (wrong) => ({ ...head, ...(wrong as object) }) }];
  });
}

function bodyType(operation: Operation | undefined): string | undefined {
  const content = operation?.requestBody?.content;
  const body = content?.['*/*'] ?? content?.['application/json'];
  return body === undefined ? undefined : refOf(body.schema);
}

/** The type inside lists and maps, and how to get a value of it into the field. */
function innerType(schema: Schema): { readonly name: string; readonly wrap: Wrap } | undefined {
  const ref = refOf(schema);
  if (ref !== undefined) return { name: ref, wrap: (wrong) => wrong };
  const inner = schema.items ?? schema.additionalProperties;
  const found = inner === undefined ? undefined : innerType(inner);
  if (found === undefined) return undefined;
  return {
    name: found.name,
    wrap: (wrong) =>
      schema.items === undefined ? { key: found.wrap(wrong) } : [found.wrap(wrong)],
  };
}

async function goNameOf(place: Place, field: string, schema: Schema): Promise<GoName | undefined> {
  if (place.path.length === 0 && (field === 'apiVersion' || field === 'kind')) return undefined;
  const wrong = schema.type === 'string' ? 7 : 'x';
  const body = place.wrap({ [field]: wrong });
  const answer = await client.json<{ message?: string }>('POST', place.url, body);
  const found = /Go struct field \w+\.(\S+) of type (.*)$/.exec(answer.message ?? '');
  if (found?.[1] === undefined || found[2] === undefined) return undefined;
  const embedded = found[1].split('.').slice(place.path.length, -1);
  return { type: found[2], embedded };
}

function kindsOf(
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Record<string, string>> {
  const kinds: Record<string, Record<string, string>> = {};
  for (const name of Object.keys(schemas).toSorted()) {
    const all = schemas[name]?.['x-kubernetes-group-version-kind'] ?? [];
    for (const { group, version, kind } of all) {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      // DeleteOptions and WatchEvent are listed under every group there is, also under those left out here.
      if (!groupVersions.includes(group === '' ? `api/${version}` : `apis/${apiVersion}`)) continue;
      (kinds[apiVersion] ??= {})[kind] = name;
    }
  }
  return Object.fromEntries(Object.entries(kinds).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type PackageTypes = Record<string, string | Record<string, string>>;

function typesOf(
  schemas: Readonly<Record<string, Schema>>,
  goNames: ReadonlyMap<string, GoName>,
): Record<string, PackageTypes> {
  const packages: Record<string, PackageTypes> = {};
  for (const name of Object.keys(schemas).toSorted()) {
    const schema = schemas[name] as Schema;
    const [home, type] = splitName(name);
    const write = (field: string, inner: Schema): string => {
      const words = [typeWord(inner, home), ...fieldWords(schema, field, inner)];
      const go = goNames.get(`${name} ${field}`);
      if (go !== undefined && go.type !== derivedGoType(inner)) words.push(`go=${go.type}`);
      if (go !== undefined && go.embedded.length > 0)
        words.push(`embedded=${go.embedded.join('.')}`);
      return words.join(' ');
    };
    const fields = Object.entries(schema.properties ?? {});
    const own = modifiers(schema).join(' ');
    (packages[home] ??= {})[type] =
      fields.length === 0
        ? typeWord(schema, home)
        : {
            ...(own !== '' && { $: own }),
            ...Object.fromEntries(fields.map(([field, inner]) => [field, write(field, inner)])),
          };
  }
  return packages;
}

function splitName(name: string): [home: string, type: string] {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, dot), name.slice(dot + 1)];
}

function typeWord(schema: Schema, home: string): string {
  const ref = refOf(schema);
  if (ref !== undefined) {
    const [itsHome, type] = splitName(ref);
    return itsHome === home ? type : ref;
  }
  if (schema.items !== undefined) return `[]${typeWord(schema.items, home)}`;
  if (schema.additionalProperties !== undefined)
    return `{}${typeWord(schema.additionalProperties, home)}`;
  return schema.format ?? schema.type ?? 'any';
}

/** Words never contain a space, so that a reader may split at spaces. */
function word(name: string, value: unknown): string {
  return `${name}=${JSON.stringify(value).replaceAll(' ', '\\u0020')}`;
}

function fieldWords(owner: Schema, field: string, schema: Schema): string[] {
  const words = modifiers(schema);
  if (owner.required?.includes(field) === true) words.push('required');
  if (schema.default !== undefined) words.push(word('default', schema.default));
  const values = schema.enum ?? schema.items?.enum ?? schema.additionalProperties?.enum;
  if (values !== undefined) words.push(word('enum', values));
  return words;
}

function modifiers(schema: Schema): string[] {
  const words: string[] = [];
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (listType !== undefined) words.push(`list=${[listType, ...(keys ?? [])].join(',')}`);
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType !== undefined) words.push(`map=${mapType}`);
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== undefined) words.push(`patch=${strategy}`);
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  if (mergeKey !== undefined) words.push(`mergeKey=${mergeKey}`);
  const unions = schema['x-kubernetes-unions'];
  if (unions !== undefined) words.push(word('unions', unions));
  return words;
}

/** What the server would call the field if its name followed from the schema; only other names are written down. */
function derivedGoType(schema: Schema): string {
  const ref = refOf(schema);
  if (ref !== undefined) {
    const [home, type] = splitName(ref);
    return `${home.slice(home.lastIndexOf('.') + 1)}.${type}`;
  }
  if (schema.items !== undefined) return `[]${derivedGoType(schema.items)}`;
  if (schema.additionalProperties !== undefined)
    return `map[string]${derivedGoType(schema.additionalProperties)}`;
  return derivedScalar(schema);
}

function derivedScalar(schema: Schema): string {
  if (schema.format === 'byte') return '[]uint8';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'number') return 'float64';
  return schema.type === 'integer' ? (schema.format ?? 'int') : 'string';
}
