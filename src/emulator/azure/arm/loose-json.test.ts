import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looseJson } from './loose-json.ts';

describe('bodies', () => {
  test('that are JSON are read as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(looseJson(text)?.value)).toBe(text);
      }),
    );
  });

  test('as the command line sends templates are read, and strings in them stay as they are', () => {
    const sent = `{"properties": {"parameters": {"p": {"value": "x"}}, "mode": "Incremental", template:// a template
      {
        "$schema": "https://schema.management.azure.com/x#", /* of
        two lines */
        "resources": [ { "name": "[concat('a', 'b: //c')]", }, ],
        "text": "broken
line"
      }}}`;
    expect(looseJson(sent)?.value).toEqual({
      properties: {
        parameters: { p: { value: 'x' } },
        mode: 'Incremental',
        template: {
          $schema: 'https://schema.management.azure.com/x#',
          resources: [{ name: "[concat('a', 'b: //c')]" }],
          text: 'broken\nline',
        },
      },
    });
  });

  test.each(['{', '{"a": }', 'a: 1', "{'a': 1}", '{"a": undefined}', '[1, 2'])(
    '%j is none',
    (text) => {
      expect(looseJson(text)).toBeUndefined();
    },
  );

  test('that are long and senseless are refused without delay', () => {
    expect(looseJson(`{${'a'.repeat(200_000)}`)).toBeUndefined();
    expect(looseJson(`{${',  '.repeat(50_000)}`)).toBeUndefined();
  });
});
