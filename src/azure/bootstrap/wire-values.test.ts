import { describe, expect, test } from 'vitest';
import { toMegabytes, toPodMaxPids } from './wire-values.ts';

describe("a size in AKS's megabytes", () => {
  test.each([
    ['50Mi', 50],
    ['1Gi', 1024],
    ['2048Ki', 2],
    ['50M', 48],
    ['100Ki', 0],
    ['10K', undefined],
    ['much', undefined],
    ['', undefined],
  ])('%j is %s', (text, megabytes) => {
    expect(toMegabytes(text)).toBe(megabytes);
  });
});

describe('a limit of processes', () => {
  test.each([
    [99, 99],
    [0, 0],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 2_147_483_647],
    [-1, -1],
    [-5, -1],
  ])('%i is sent as %i', (limit, sent) => {
    expect(toPodMaxPids(limit)).toBe(sent);
  });
});
