import { describe, expect, test } from 'vitest';
import { compileRe2 } from './re2.ts';

describe('a pattern of RE2 takes what RE2 takes', () => {
  test.each([
    ['(?i)^abc$', ['abc', 'ABC'], ['abcd']],
    ['^(a|(?i:b))$', ['a', 'b', 'B'], ['A']],
    ['((?i)a)b', ['ab', 'Ab'], ['aB']],
    ['^a.b$', ['a-b', 'a\rb', 'a\u2028b'], ['a\nb']],
    ['(?s)^a.b$', ['a\nb'], ['ab']],
    ['^(?is:a.)b.$', ['A\nbx'], ['A\nbx\n', 'A\nBx']],
    ['^\\s$', [' ', '\t', '\n', '\r', '\f'], ['\v', '\u00a0', '\u2003']],
    ['^[\\s-]$', [' ', '-'], ['\u00a0']],
    ['^\\S$', ['x', '\u00a0'], [' ']],
    ['^[[:alpha:]_]+$', ['aZ_'], ['a1']],
    ['^[[:punct:]]$', ['!', '/', '[', '`', '{', '~'], ['a', ' ']],
    ['\\Qa.b\\E$', ['a.b'], ['axb']],
    ['^\\Q\\E$', [''], ['x']],
    ['^(?P<year>\\d{4})$', ['2024'], ['24']],
    ['^\\pL+$', ['aé'], ['1']],
    ['^\\p{Greek}$', ['α'], ['a']],
    ['^\\PL$', ['1'], ['a']],
    ['^\\x{1F600}$', ['😀'], ['x']],
    ['^\\07$', ['\u0007'], ['7']],
    ['^a{,3}$', ['a{,3}'], ['aaa']],
    ['^a{2}b{1,2}c{1,}$', ['aabbccc'], ['abc']],
    ['^[^]a]$', ['b'], [']', 'a']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[(){}|/]$', ['(', '|', '/'], ['a']],
    ['^\\_\\-\\/\\"$', ['_-/"'], ['x']],
    ['^[a\\-z]$', ['a', '-', 'z'], ['b']],
    ['\\Aa\\z', ['a'], ['ab', 'ba']],
    ['^.$', ['😀', 'é'], ['ab']],
    ['a]}b', ['a]}b'], ['ab']],
    ['^\\a$', ['\u0007'], ['a']],
  ])('%s', (pattern, taken, refused) => {
    const expression = compileRe2(pattern);
    expect(taken.filter((text) => !expression.test(text))).toEqual([]);
    expect(refused.filter((text) => expression.test(text))).toEqual([]);
  });
});

test.each([
  '(a(?i)b)',
  '(a',
  'a)',
  '[a',
  'a\\',
  '\\C',
  '\\101',
  '[[:nothing:]]',
  'a**',
  '(?m)^a',
  '(?<=a)b(',
])('a pattern that is none, or that cannot be expressed, is refused: %s', (pattern) => {
  expect(() => compileRe2(pattern)).toThrow(SyntaxError);
});
