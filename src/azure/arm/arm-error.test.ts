import { expect, test } from 'vitest';
import { findArmError, readArmError, retryAfterMs } from './arm-error.ts';

const call = 'GET /x';

test.each<[string, object, Record<string, string>, [string, string]]>([
  ['ARM’s shape', { error: { code: 'A', message: 'm' } }, {}, ['A', 'm']],
  ['AKS’s flat shape', { code: 'B', message: 'm', subcode: '' }, {}, ['B', 'm']],
  [
    'the old shape',
    { 'odata.error': { code: 'C', message: { lang: 'en', value: 'm' } } },
    {},
    ['C', 'm'],
  ],
  ['a header', { error: { code: 'A', message: 'm' } }, { 'x-ms-error-code': 'D' }, ['D', 'm']],
  ['nothing', {}, {}, ['UnknownError', '{}']],
])('the code is read from %s', (_, body, headers, [code, text]) => {
  const error = readArmError({ status: 400, headers, text: JSON.stringify(body), call });
  expect([error.code, error.text]).toEqual([code, text]);
});

test('words that are no JSON are kept as they are', () => {
  const error = readArmError({ status: 502, headers: {}, text: '<html>', call });
  expect([error.code, error.text, error.status]).toEqual(['UnknownError', '<html>', 502]);
});

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after-ms': '70', 'retry-after': '7' }, 70],
  [{ 'x-ms-retry-after-ms': '700' }, 700],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
  [{ 'retry-after': '-1' }, undefined],
  [{}, undefined],
])('how long to wait is read from %j', (headers, expected) => {
  expect(retryAfterMs(headers)).toBe(expected);
});

test('an error is found however deep it is wrapped', () => {
  const inner = readArmError({ status: 404, headers: {}, text: '', call });
  expect(findArmError(new Error('a', { cause: new Error('b', { cause: inner }) }))).toBe(inner);
  expect(findArmError(new Error('a'))).toBeUndefined();
});
