import { describe, expect, test } from 'vitest';
import { compareVersions, formatVersion, parseVersion } from './kubernetes-version.ts';

describe('reading', () => {
  test.each([
    ['1.31.2', '1.31.2'],
    ['v1.31.2', '1.31.2'],
    [' 1.31 ', '1.31.0'],
    ['v1.32.0-alpha.1.45+ab12cd', '1.32.0-alpha.1.45'],
    ['1.30.0+vmware.1', '1.30.0'],
  ])('%j is %s', (text, expected) => {
    expect(formatVersion(parseVersion(text)!)).toBe(expected);
  });

  test.each(['', '1', 'latest', '1.x', '1.31.2.1', 'v', '1.31-'])('refuses %j', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

test('every version comes after all before it in this list', () => {
  const ascending = [
    '1.9.11',
    '1.30.0-alpha',
    '1.30.0-alpha.1',
    '1.30.0-alpha.beta',
    '1.30.0-beta.2',
    '1.30.0-beta.11',
    '1.30.0-rc.1',
    '1.30.0',
    '1.30.2',
    '1.30.10',
    '1.31.0',
    '2.0.0',
  ].map((text) => parseVersion(text)!);
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) {
      expect(compareVersions(a, b)).toBe(Math.sign(i - j));
    }
  }
});

test('build metadata and a leading v do not matter', () => {
  expect(compareVersions(parseVersion('v1.31.0+a')!, parseVersion('1.31.0+b')!)).toBe(0);
});
