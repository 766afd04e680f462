// Reads what stands behind each field number of the binary form of the built-in kinds, and writes it down for the emulator.
// In: two directories, the sources of k8s.io/api and k8s.io/apimachinery of the emulated version
// (`go list -m -f '{{.Dir}}' k8s.io/api` names the one in Go's module cache). Out: src/emulator/kube/protobuf/messages.json,
// the same bytes for the same sources. Only facts of the wire are kept: numbers, names, types, and whether a zero differs
// from nothing, which the .proto files do not tell; hence the tags of the Go types.
//
//   node tools/generate-kubernetes-messages.ts <k8s.io/api> <k8s.io/apimachinery>
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const output = 'src/emulator/kube/protobuf/messages.json';

/** By the version that a request names: where its Go types are, below k8s.io/api. */
const packages: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'policy/v1': 'policy/v1',
  'storage.k8s.io/v1': 'storage/v1',
  'scheduling.k8s.io/v1': 'scheduling/v1',
  'coordination.k8s.io/v1': 'coordination/v1',
  'rbac.authorization.k8s.io/v1': 'rbac/v1',
  'admissionregistration.k8s.io/v1': 'admissionregistration/v1',
  'discovery.k8s.io/v1': 'discovery/v1',
  'events.k8s.io/v1': 'events/v1',
  'autoscaling/v1': 'autoscaling/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'resource.k8s.io/v1': 'resource/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'node.k8s.io/v1': 'node/v1',
  'certificates.k8s.io/v1': 'certificates/v1',
  'authentication.k8s.io/v1': 'authentication/v1',
  'authorization.k8s.io/v1': 'authorization/v1',
};

const metaPackage = 'meta/v1';

/** Kinds that requests bring beside those of the packages. */
const alsoSent = [`${metaPackage}.DeleteOptions`];

/** Types with a form of their own in JSON, and those of packages that are not read. */
const special: Readonly<Record<string, string>> = {
  [`${metaPackage}.Time`]: 'time',
  [`${metaPackage}.MicroTime`]: 'microTime',
  [`${metaPackage}.Duration`]: 'duration',
  [`${metaPackage}.FieldsV1`]: 'fields',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'raw',
  'k8s.io/apimachinery/pkg/types.UID': 'string',
  'k8s.io/apimachinery/pkg/types.NodeName': 'string',
};

const builtIn: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int',
  int32: 'int',
  int64: 'int',
  uint8: 'int',
  float32: 'float',
  float64: 'double',
};

/** A line of a struct: name (left out for an embedded type), type, tags. Without a number it is not on the wire. */
const fieldLine = /^\t(?:(\w+)\s+)?(\*?)([\w.[\]]+)\s+`([^`]*)`/gm;

interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly isPointer: boolean;
  readonly isInline: boolean;
}

/** By `package.Type`. */
interface Sources {
  readonly structs: Map<string, readonly Field[]>;
  /** What a type that is no struct stands for. */
  readonly aliases: Map<string, string>;
}

/** Turns a Go type, as the file writes it, into one that says where it is from. */
type Qualify = (type: string) => string;

const [, , apiDirectory, machineryDirectory] = process.argv;
if (apiDirectory === undefined || machineryDirectory === undefined) {
  console.error(
    'usage: node tools/generate-kubernetes-messages.ts <directory of k8s.io/api> <directory of k8s.io/apimachinery>',
  );
  process.exit(2);
}

const sources: Sources = { structs: new Map(), aliases: new Map() };
for (const name of Object.values(packages)) await readPackage(name, join(apiDirectory, name));
await readPackage(metaPackage, join(machineryDirectory, 'pkg/apis/meta/v1'));

const messages = writtenMessages();
await writeFile(output, compactJson({ packages, messages }));
console.log(`${output}: ${Object.keys(messages).length} messages (run oxfmt on it)`);

async function readPackage(name: string, directory: string): Promise<void> {
  const files = globSync('*.go', { cwd: directory }).filter(
    (file) => !basename(file).startsWith('generated') && !file.endsWith('_test.go'),
  );
  if (files.length === 0) {
    console.error(`there are no Go files in ${directory}: is it the source of the right module?`);
    process.exit(2);
  }
  for (const file of files.toSorted()) {
    readGo(name, await readFile(join(directory, file), 'utf8'));
  }
}

function readGo(home: string, text: string): void {
  const qualify = qualifier(home, text);
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    sources.structs.set(`${home}.${name}`, fieldsOf(body, qualify));
  }
  for (const [, name = '', type = ''] of text.matchAll(/^type (\w+) ([^\s{]+)$/gm)) {
    if (type !== 'interface') sources.aliases.set(`${home}.${name}`, qualify(type));
  }
}

/** `metav1.Time` → `meta/v1.Time`, `Pod` → `core/v1.Pod`, `[]v1.X` → `[]core/v1.X`. */
function qualifier(home: string, text: string): Qualify {
  const imports = new Map<string, string>();
  for (const [, alias, path = ''] of text.matchAll(/^\s*(?:import )?(\w+)? ?"([^"]+)"$/gm)) {
    imports.set(alias ?? basename(path), homeOf(path));
  }
  const qualify: Qualify = (type) => {
    if (type.startsWith('[]')) return `[]${qualify(type.slice(2))}`;
    const map = /^map\[[\w.]+\](.+)$/.exec(type);
    if (map !== null) return `{}${qualify(map[1] ?? '')}`;
    const [first = '', second] = type.split('.');
    if (second !== undefined) return `${imports.get(first) ?? first}.${second}`;
    return builtIn[type] !== undefined || type === 'byte' ? type : `${home}.${type}`;
  };
  return qualify;
}

function homeOf(path: string): string {
  if (path === 'k8s.io/apimachinery/pkg/apis/meta/v1') return metaPackage;
  return path.startsWith('k8s.io/api/') ? path.slice('k8s.io/api/'.length) : path;
}

function fieldsOf(body: string, qualify: Qualify): Field[] {
  const fields: Field[] = [];
  for (const [, , star, type = '', tags = ''] of body.matchAll(fieldLine)) {
    const number = /protobuf:"\w+,(\d+),/.exec(tags)?.[1];
    if (number === undefined) continue;
    const [name = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? '').split(',');
    fields.push({
      number: Number(number),
      name,
      type: qualify(type),
      isPointer: star === '*',
      isInline: options.includes('inline') || name === '',
    });
  }
  return fields;
}

/** Every message that a kind is made of. Lists of kinds are left out: nobody sends them. */
function writtenMessages(): Record<string, Record<string, string>> {
  const written = new Map<string, Record<string, string>>();
  const queue = [...sources.structs.keys()].filter((name) => isKind(name)).concat(alsoSent);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const fields = sources.structs.get(name);
    if (written.has(name) || fields === undefined) continue;
    written.set(name, Object.fromEntries(fields.map((field) => [field.number, wordsOf(field)])));
    queue.push(...fields.map(({ type }) => bare(wireType(type))));
  }
  return Object.fromEntries([...written].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isKind(name: string): boolean {
  const fields = sources.structs.get(name) ?? [];
  const isHome = !name.startsWith(`${metaPackage}.`);
  return isHome && !name.endsWith('List') && fields.some(({ name }) => name === 'metadata');
}

function wordsOf({ name, type, isPointer, isInline }: Field): string {
  const flag = isInline ? ' inline' : isPointer ? ' *' : '';
  return `${isInline ? '-' : name} ${wireType(type)}${flag}`;
}

/** What the emulator's reader knows: words for values, `[]` and `{}` for what is repeated, names of messages. */
function wireType(type: string): string {
  if (type === '[]byte') return 'bytes';
  if (type.startsWith('[]')) return `[]${elementType(type.slice(2))}`;
  if (type.startsWith('{}')) return `{}${elementType(type.slice(2))}`;
  const known = special[type] ?? builtIn[type];
  if (known !== undefined) return known;
  const alias = sources.aliases.get(type);
  return alias === undefined ? messageType(type) : wireType(alias);
}

/** Inside of what is repeated, a type that is itself a list is a message with the items in it. */
function elementType(type: string): string {
  const inner = wireType(type);
  return inner.startsWith('[]') ? `items:${inner.slice(2)}` : inner;
}

function messageType(type: string): string {
  if (sources.structs.has(type)) return type;
  throw new Error(`the type ${type} is in none of the sources that were read`);
}

function bare(type: string): string {
  return type.replace(/^(\[\]|\{\})?(items:)?/, '');
}

/** Objects of the third level on one line each: the formatter breaks those that are too long, but never joins any. */
function compactJson(data: Readonly<Record<string, object>>): string {
  const sections = Object.entries(data).map(([section, entries]) => {
    const lines = Object.entries(entries).map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    return `  ${JSON.stringify(section)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}
