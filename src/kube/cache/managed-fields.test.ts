import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutManagedFieldsText } from './managed-fields.ts';

const managed = [
  {
    manager: 'a "quoted\\" manager',
    operation: 'Update',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:spec': {} },
  },
];

describe('dropping managed fields from text', () => {
  test('leaves exactly the object that parsing and deleting would, wherever the field stands', () => {
    const meta = fc.dictionary(
      fc.string().filter((key) => key !== 'managedFields' && key !== '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(meta, meta, fc.jsonValue(), (before, after, spec) => {
        const rest = { ...before, ...after };
        const metadata = { ...before, managedFields: managed, ...after };
        const text = JSON.stringify({ type: 'ADDED', object: { kind: 'Pod', metadata, spec } });
        const expected = JSON.parse(
          JSON.stringify({ type: 'ADDED', object: { kind: 'Pod', metadata: rest, spec } }),
        );
        expect(JSON.parse(withoutManagedFieldsText(text))).toEqual(expected);
      }),
    );
  });

  test('leaves alone what is called so but is no bookkeeping of this object', () => {
    const untouched = [
      { metadata: { name: 'a' }, spec: { managedFields: managed } },
      { metadata: { name: 'a', labels: { managedFields: 'x' } }, data: { managedFields: [1] } },
      { metadata: { annotations: { last: JSON.stringify({ managedFields: managed }) } } },
      { spec: { managedFields: managed } },
    ];
    for (const object of untouched) {
      const text = JSON.stringify(object);
      expect(withoutManagedFieldsText(text)).toBe(text);
    }
  });

  test('text that was cut off or is no JSON comes back as it is', () => {
    const text = JSON.stringify({ metadata: { name: 'a', managedFields: managed, uid: 'u' } });
    for (let length = 0; length < text.indexOf(',"uid"'); length++) {
      const result = withoutManagedFieldsText(text.slice(0, length));
      expect(() => JSON.parse(result)).toThrow(SyntaxError);
    }
    for (const odd of [
      '',
      '{"metadata":{',
      '{"metadata":{,"managedFields":',
      '{"metadata":{"a" 1',
    ]) {
      expect(withoutManagedFieldsText(odd)).toBe(odd);
    }
  });
});
