import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameSplitter } from './frames.ts';

function framed(content: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length);
  return Buffer.concat([head, content]);
}

function split(chunks: readonly Uint8Array[]): { frames: string[]; unfinished: boolean } {
  const frames: string[] = [];
  const splitter = new FrameSplitter((frame) => frames.push(frame.toString('hex')));
  for (const chunk of chunks) splitter.push(chunk);
  return { frames, unfinished: splitter.unfinished };
}

describe('splitting a stream into frames', () => {
  test('gives the same frames wherever the chunks are cut, also inside a length', () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(contents, fc.array(fc.nat(600)), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(framed));
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
        const expected = frames.map((frame) => Buffer.from(frame).toString('hex'));
        expect(split(chunks)).toEqual({ frames: expected, unfinished: false });
      }),
    );
  });

  test.each([1, 3, 4, 5, 8])('tells that a stream stopped %i bytes into a frame', (bytes) => {
    const whole = framed(Buffer.from('12345'));
    expect(split([whole, whole.subarray(0, bytes)])).toMatchObject({ unfinished: true });
  });

  test('joins a huge frame out of many pieces', () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const head = Buffer.from([0, 0x64, 0, 0]);
    const { frames, unfinished } = split([head, ...Array.from({ length: 100 }, () => piece)]);
    expect([frames.map((frame) => frame.length / 2), unfinished]).toEqual([
      [100 * 64 * 1024],
      false,
    ]);
  });

  test('does not wait for a frame longer than any object', () => {
    const splitter = new FrameSplitter(() => undefined, 100);
    expect(() => splitter.push(Buffer.from([0, 0, 0, 101]))).toThrow(
      expect.objectContaining({ code: 'Malformed' }),
    );
  });
});
