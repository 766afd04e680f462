import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WireReader } from './wire-reader.ts';

function opened(...bytes: number[]): WireReader {
  const reader = new WireReader();
  reader.open(Buffer.from(bytes));
  return reader;
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

describe('numbers', () => {
  test('of every size and sign are read as they were written', () => {
    const exact = 2n ** 53n;
    fc.assert(
      fc.property(fc.bigInt({ min: -exact, max: exact }), (value) => {
        const reader = opened(...varint(value), 7);
        expect([reader.varint(), reader.varint()]).toEqual([Number(value), 7]);
      }),
    );
  });

  test.each([
    ['cut off', [0x80]],
    ['cut off later', [0xff, 0xff, 0xff]],
    ['cut off before the last byte', Array.from({ length: 9 }, () => 0xff)],
    ['longer than there are', Array.from({ length: 11 }, () => 0xff)],
    ['absent', []],
  ])('%s are refused', (_, bytes) => {
    expect(() => opened(...bytes).varint()).toThrow(
      expect.objectContaining({ code: 'NotProtobuf' }),
    );
  });
});

describe('parts', () => {
  test.each([
    ['longer than what is left', [5, 1, 2]],
    ['of a length below zero', varint(-1n)],
    ['of a length beyond all numbers', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ])('%s are refused', (_, bytes) => {
    const refused = expect.objectContaining({ code: 'NotProtobuf' });
    expect(() => opened(...bytes).end()).toThrow(refused);
    expect(() => opened(...bytes).text()).toThrow(refused);
    expect(() => opened(...bytes).skip(2)).toThrow(refused);
  });

  test.each([3, 4, 6, 7])('of kind %i, which nobody writes, are refused', (wire) => {
    expect(() => opened(1, 2, 3).skip(wire)).toThrow(
      expect.objectContaining({ code: 'NotProtobuf' }),
    );
  });
});
