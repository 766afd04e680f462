import { describe, expect, test } from 'vitest';
import { parseWatchEvent as parseBytes } from './watch-event.ts';

const parseWatchEvent = (line: string): unknown => parseBytes(Buffer.from(line));

describe('a line of a watch', () => {
  test.each(['ADDED', 'MODIFIED', 'DELETED'])('%s carries its object', (type) => {
    const object = { metadata: { name: 'a', resourceVersion: '5' } };
    expect(parseWatchEvent(JSON.stringify({ type, object }))).toEqual({ type, object });
  });

  test('a bookmark carries a version, and may end the initial events', () => {
    const line = (annotations?: object): string =>
      JSON.stringify({
        type: 'BOOKMARK',
        object: { metadata: { resourceVersion: '9', annotations } },
      });
    expect(parseWatchEvent(line())).toEqual({ type: 'BOOKMARK', version: '9', initial: false });
    expect(parseWatchEvent(line({ 'k8s.io/initial-events-end': 'true' }))).toMatchObject({
      initial: true,
    });
  });

  test('an error carries what the server says', () => {
    const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    expect(parseWatchEvent(JSON.stringify({ type: 'ERROR', object }))).toMatchObject({
      type: 'ERROR',
      error: { code: 'Expired', message: 'too old' },
    });
  });

  test.each([
    '',
    'not json',
    '{"type":"ADDED"',
    'null',
    '[]',
    '"ADDED"',
    '{}',
    '{"type":"ADDED"}',
    '{"type":"ADDED","object":{}}',
    '{"type":"BOOKMARK","object":{"metadata":{}}}',
    '{"type":"TELEPORTED","object":{"metadata":{"name":"a"}}}',
  ])('%s is malformed, not skipped', (line) => {
    expect(() => parseWatchEvent(line)).toThrow(expect.objectContaining({ code: 'Malformed' }));
  });
});
