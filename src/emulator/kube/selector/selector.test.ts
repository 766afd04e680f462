import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../object.ts';
import { parseFieldSelector } from './field-selector.ts';
import { labelSelectorTest, parseLabelSelector } from './label-selector.ts';

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', size: '5', empty: '' };

  test.each([
    ['app=web', true],
    ['app==web,tier!=back', true],
    ['app in (a, web)', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['missing!=x', true],
    ['!missing', true],
    ['!app', false],
    ['tier', true],
    ['size>4', true],
    ['size<5', false],
    ['app>4', false],
    ['empty=', true],
    ['app in ()', false],
    ['  ', true],
  ])('%s', (text, matches) => {
    expect(parseLabelSelector(text)?.(labels) ?? true).toBe(matches);
  });

  test.each([
    ['a,', "found '', expected: identifier after ','"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      '/a=b',
      'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty',
    ],
  ])('%s is refused', (text, complaint) => {
    expect(() => parseLabelSelector(text)).toThrow(complaint);
  });

  test('a selector object that is empty matches everything, a missing one nothing', () => {
    expect([labelSelectorTest({})(labels), labelSelectorTest(undefined)(labels)]).toEqual([
      true,
      false,
    ]);
  });

  test('all parts of a selector object must hold', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front', 'back'] },
        { key: 'gone', operator: 'DoesNotExist' },
      ],
    };
    expect(labelSelectorTest(selector)(labels)).toBe(true);
    expect(labelSelectorTest(selector)({ ...labels, gone: '' })).toBe(false);
  });
});

describe('field selectors', () => {
  const object: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n' },
    spec: { nodeName: 'a,b' },
  };
  const readers = {
    'spec.nodeName': (pod: ApiObject) => (pod['spec'] as { nodeName: string }).nodeName,
  };

  test.each([
    ['metadata.name=p', true],
    ['metadata.name!=p', false],
    ['metadata.name==p,metadata.namespace=n', true],
    ['spec.nodeName=a\\,b', true],
    ['spec.nodeName=', false],
  ])('%s', (text, matches) => {
    expect(parseFieldSelector(text, readers)?.test(object)).toBe(matches);
  });

  test('a name that is pinned down is known before any object is looked at', () => {
    const selector = parseFieldSelector('metadata.name=p,metadata.namespace=n', {});
    expect(selector).toMatchObject({ name: 'p', namespace: 'n' });
  });

  test('a field that the kind does not offer is refused', () => {
    expect(() => parseFieldSelector('spec.foo=x', readers)).toThrow(
      'field label not supported: spec.foo',
    );
    expect(() => parseFieldSelector('spec.foo', readers)).toThrow(
      "invalid selector: 'spec.foo'; can't understand 'spec.foo'",
    );
  });
});
