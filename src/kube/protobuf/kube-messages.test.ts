import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeList, KubeObject } from '../../api/meta.ts';
import { wireTableOf } from '../../api/protobuf/kinds.ts';
import { pods, resourceType, type ResourceType } from '../../api/resource-type.ts';
import {
  encodeFrame,
  encodeItem,
  encodeList,
  encodeObject,
} from '../../../test/support/protobuf-encoder.ts';
import { ObjectReader, readStatus } from './kube-messages.ts';
import { leanObject } from './lean-object.ts';

const directory = new URL('../../../test/vectors/protobuf/', import.meta.url);

interface Vector {
  readonly type: ResourceType;
  readonly json: KubeList<KubeObject>;
  readonly binary: string;
}

function vector(name: string): Vector {
  const text = readFileSync(new URL(`${name}.json`, directory), 'utf8');
  const { type, ...rest } = JSON.parse(text) as Vector;
  return { ...rest, type: resourceType({ ...type }) };
}

const kinds = readdirSync(directory)
  .map((file) => file.replace('.json', ''))
  .filter((name) => name !== 'watch' && name !== 'refusal');

function readerOf<T extends KubeObject>(type: ResourceType<T>): ObjectReader<T> {
  return new ObjectReader(type, wireTableOf(type)!);
}

function typed(type: ResourceType, object: KubeObject): KubeObject {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return { apiVersion, kind: type.kind, ...object };
}

describe('answers recorded from a real server', () => {
  test.each(kinds)('%s in binary are what their JSON says, without what nobody reads', (kind) => {
    const { type, json, binary } = vector(kind);
    const list = readerOf(type).list(Buffer.from(binary, 'base64'));
    const table = wireTableOf(type)!;
    expect(list.items.length).toBeGreaterThan(0);
    expect(list.items).toStrictEqual(
      json.items.map((item) => leanObject(typed(type, item), table)),
    );
    expect(list.metadata).toEqual(json.metadata);
  });

  test.each(kinds)('%s are written by our encoder in the very bytes of the server', (kind) => {
    const { type, json, binary } = vector(kind);
    const { apiVersion = '', kind: listKind = '', metadata } = json;
    const items = json.items.map((item) => encodeItem({ ...typed(type, item) }));
    const written = encodeList({ apiVersion, kind: listKind, metadata: { ...metadata }, items });
    expect(written.toString('base64')).toBe(binary);
  });

  test('a refusal is the Status that its JSON says', () => {
    const { json, binary } = vector('refusal');
    expect(readStatus(Buffer.from(binary, 'base64'))).toEqual(json);
  });
});

describe('reading an event', () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: {} };
  const frame = encodeFrame('ADDED', encodeObject(object)).subarray(4);

  test('fields and whole messages of a newer server are passed over', () => {
    const unknown = [
      Buffer.from([0x98, 0x3f, 0x05]), // field 1011, a number
      Buffer.from([0x9a, 0x3f, 0x02, 0x08, 0x01]), // field 1011, a message
      Buffer.from([0x99, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8]), // field 1011, eight bytes
      Buffer.from([0x9d, 0x3f, 1, 2, 3, 4]), // field 1011, four bytes
    ];
    for (const field of unknown) {
      const read = readerOf(pods).event(Buffer.concat([frame, field]));
      expect(read.object.metadata).toEqual({ name: 'a' });
    }
  });

  test('members of lists and maps that stand apart are put together', () => {
    const pod = (labels: object, finalizers: string[]): Buffer =>
      encodeItem({ ...object, metadata: { name: 'a', labels, finalizers } });
    // The bytes of two messages, one after the other, are one message with the members of both.
    const metadata = (bytes: Buffer): Buffer => bytes.subarray(2, 2 + bytes[1]!);
    const first = metadata(pod({ a: '1' }, ['x', 'y']));
    const second = metadata(pod({ b: '2' }, ['z']));
    const joined = Buffer.concat([first, second]);
    const item = Buffer.concat([Buffer.from([0x0a, joined.length]), joined]);
    const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [item] };
    const [read] = readerOf(pods).list(encodeList(list)).items;
    expect(read?.metadata).toEqual({
      name: 'a',
      labels: { a: '1', b: '2' },
      finalizers: ['x', 'y', 'z'],
    });
  });

  test('bytes that are damaged or cut off are refused or read, never read past or looped over', () => {
    const { json } = vector('pods');
    const whole = encodeFrame('MODIFIED', encodeObject({ ...typed(pods, json.items[0]!) }));
    const bytes = whole.subarray(4);
    const reader = readerOf(pods);
    const damage = fc.record({
      at: fc.nat(bytes.length - 1),
      value: fc.nat(255),
      end: fc.nat(bytes.length),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        const broken = Buffer.from(bytes);
        for (const { at, value } of damages) broken[at] = value;
        const event = (): unknown => reader.event(broken.subarray(0, damages[0]!.end));
        expect(codeOf(event)).toMatch(/^(read|NotProtobuf)$/);
        expect(codeOf(() => reader.event(broken))).toMatch(/^(read|NotProtobuf)$/);
      }),
    );
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['an event without an object', Buffer.from([0x0a, 1, 0x41])],
    ['an object without its first bytes', Buffer.from([0x12, 4, 0x0a, 2, 0x0a, 0])],
    ['another kind', encodeFrame('ADDED', encodeObject({ ...object, kind: 'Node' })).subarray(4)],
  ])('%s is no event', (_, bytes) => {
    expect(codeOf(() => readerOf(pods).event(bytes))).toBe('NotProtobuf');
  });

  test('parts that are alike are one part, also after the bytes they came in are gone', () => {
    const labels = { app: 'web', tier: 'front' };
    const event = (name: string): Buffer => {
      const metadata = { name, labels, annotations: { ['__proto__']: 'own' } };
      return encodeFrame('ADDED', encodeObject({ ...object, metadata })).subarray(4);
    };
    const reader = readerOf(pods);
    const bytes = event('a');
    const first = reader.event(bytes).object as KubeObject;
    bytes.fill(0);
    const second = reader.event(event('b')).object as KubeObject;
    expect(second.metadata).toEqual({ name: 'b', labels, annotations: { ['__proto__']: 'own' } });
    expect(second.metadata.labels).toBe(first.metadata.labels);
    expect(Object.hasOwn(second.metadata.annotations!, '__proto__')).toBe(true);
  });
});

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
