// The client's tables against those that the emulator reads requests with, which were made from the Go types: numbers,
// names and kinds must agree for every field, also those that no recorded object has.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wireTableOf } from '../../api/protobuf/kinds.ts';
import type { WireField, WireMessage } from '../../api/protobuf/wire-field.ts';
import * as resourceTypes from '../../api/resource-type.ts';
import { apiVersionOf, type ResourceType } from '../../api/resource-type.ts';

const file = new URL('../../emulator/kube/protobuf/messages.json', import.meta.url);
const { packages, messages } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly packages: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const kinds = Object.values(resourceTypes).filter(
  (value): value is ResourceType => typeof value === 'object' && wireTableOf(value) !== undefined,
);

const forms: Readonly<Record<string, WireField['form']>> = {
  string: 'text',
  int: 'integer',
  bool: 'boolean',
  time: 'time',
  microTime: 'microTime',
  quantity: 'quantity',
  intOrString: 'intOrString',
};

const shapes: Readonly<Record<string, WireField['shape']>> = { '[]': 'list', '{}': 'map' };

function compare(table: WireMessage, name: string, path: string): string[] {
  return Object.entries(table).flatMap(([field, row]) => {
    const owner = row.inside === undefined ? name : typeOf(messages[name]?.[row.inside]);
    return compareField(row, messages[owner]?.[row.number] ?? '', `${path}.${field}`);
  });
}

function typeOf(text = ''): string {
  return text.split(' ')[1] ?? '';
}

function compareField(row: WireField, text: string, path: string): string[] {
  const [name, type = '', pointer] = text.split(' ');
  const shape = shapes[type.slice(0, 2)] ?? 'one';
  const inner = shape === 'one' ? type : type.slice(2);
  const form = forms[inner] ?? 'message';
  const own = `${path.split('.').at(-1)} ${row.shape} ${row.form}`;
  const faults = own === `${name} ${shape} ${form}` ? [] : [`${path} is ${name} ${shape} ${form}`];
  // What a pointer points to may be zero without being absent.
  if (pointer === '*' && isScalar(row) && !row.kept) faults.push(`${path} may be zero`);
  return row.message === undefined ? faults : [...faults, ...compare(row.message, inner, path)];
}

function isScalar({ form }: WireField): boolean {
  return form === 'text' || form === 'integer' || form === 'boolean';
}

describe('tables of binary fields', () => {
  test('are there for all kinds of which a cluster has many', () => {
    expect(kinds.map(({ plural }) => plural).toSorted()).toEqual([
      'configmaps',
      'csinodes',
      'daemonsets',
      'deployments',
      'leases',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'poddisruptionbudgets',
      'pods',
      'podtemplates',
      'replicasets',
      'statefulsets',
      'storageclasses',
      'volumeattachments',
    ]);
  });

  test.each(kinds.map((type) => [type.kind, type] as const))('%s agree', (kind, type) => {
    const name = `${packages[apiVersionOf(type)]}.${kind}`;
    expect(compare(wireTableOf(type)!, name, kind)).toEqual([]);
  });

  test.each([
    ['Node', ['spec', 'taints'], 'core/v1.Taint'],
    ['Node', ['status', 'conditions'], 'core/v1.NodeCondition'],
    ['Node', ['metadata', 'ownerReferences'], 'meta/v1.OwnerReference'],
  ])('%s %j, which patches replace as a whole, are whole in a cache', (kind, path, message) => {
    const type = kinds.find((known) => known.kind === kind)!;
    const table = path.reduce<WireMessage>((at, field) => at[field]!.message!, wireTableOf(type)!);
    const fields = Object.values(messages[message]!).map((text) => text.split(' ')[0]);
    expect(new Set(Object.keys(table))).toEqual(new Set(fields));
  });
});
