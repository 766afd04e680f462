import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  array,
  boolean,
  integer,
  listed,
  map,
  object,
  optional,
  quantity,
  type Schema,
  type Stored,
  string,
  type Written,
} from './schema.ts';

const widget = object(
  {
    colour: string({ enum: ['red', 'blue'], default: 'red', description: 'What it looks like.' }),
    size: integer({ minimum: 1, maximum: 9, format: 'int32' }),
    label: optional(string({ pattern: '^a$', minLength: 1, maxLength: 3 })),
    count: listed(integer({ default: 0 })),
    parts: array(object({ name: string(), spare: optional(boolean()) }), {
      listType: 'map',
      listMapKeys: ['name'],
      maxItems: 5,
    }),
    limits: optional(map(quantity(), { maxProperties: 2, mapType: 'atomic' })),
  },
  { rules: [{ rule: 'self.size > 0', message: 'positive' }] },
);

describe('one definition', () => {
  test('gives the schema for the manifest', () => {
    expect(widget.openApi).toEqual({
      type: 'object',
      required: ['size', 'count', 'parts'],
      properties: {
        colour: {
          type: 'string',
          enum: ['red', 'blue'],
          default: 'red',
          description: 'What it looks like.',
        },
        size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
        label: { type: 'string', pattern: '^a$', minLength: 1, maxLength: 3 },
        count: { type: 'integer', default: 0 },
        parts: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, spare: { type: 'boolean' } },
          },
        },
        limits: {
          type: 'object',
          maxProperties: 2,
          'x-kubernetes-map-type': 'atomic',
          additionalProperties: (quantity() satisfies Schema).openApi,
        },
      },
      'x-kubernetes-validations': [{ rule: 'self.size > 0', message: 'positive' }],
    });
  });

  test('gives the type of stored objects, in which defaults are there', () => {
    expectTypeOf<Stored<typeof widget>>().toEqualTypeOf<{
      readonly colour: 'red' | 'blue';
      readonly size: number;
      readonly label?: string;
      readonly count: number;
      readonly parts: readonly { readonly name: string; readonly spare?: boolean }[];
      readonly limits?: Readonly<Record<string, string | number>>;
    }>();
  });

  test('gives the type of written objects, in which defaults may be missing', () => {
    expectTypeOf<Written<typeof widget>>().toEqualTypeOf<{
      readonly colour?: 'red' | 'blue';
      readonly size: number;
      readonly label?: string;
      readonly count?: number;
      readonly parts: readonly { readonly name: string; readonly spare?: boolean }[];
      readonly limits?: Readonly<Record<string, string | number>>;
    }>();
  });
});
