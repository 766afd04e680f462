import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './lines.ts';

function split(chunks: readonly Uint8Array[]): { lines: string[]; unfinished: boolean } {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line.toString('utf8')));
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, unfinished: splitter.unfinished };
}

describe('splitting a stream into lines', () => {
  test('gives the same lines wherever the chunks are cut, also inside a character', () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((t) => !t.includes('\n')),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
        expect(split(chunks)).toEqual({ lines, unfinished: false });
      }),
    );
  });

  test('tells that a stream stopped inside a line', () => {
    expect(split([Buffer.from('a\nb')])).toEqual({ lines: ['a'], unfinished: true });
  });

  test('passes over empty lines, which servers send to keep a connection awake', () => {
    expect(split([Buffer.from('\n\na\n'), Buffer.from('\n')]).lines).toEqual(['a']);
  });

  test('joins a huge line out of many pieces', () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const chunks = [...Array.from({ length: 100 }, () => piece), Buffer.from('\n')];
    expect(split(chunks).lines.map((line) => line.length)).toEqual([100 * 64 * 1024]);
  });

  test('does not collect a line without end', () => {
    const splitter = new LineSplitter(() => undefined, 100);
    splitter.push(Buffer.alloc(90));
    expect(() => splitter.push(Buffer.alloc(20))).toThrow(
      expect.objectContaining({ code: 'LineTooLong' }),
    );
  });
});
