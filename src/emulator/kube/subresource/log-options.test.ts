// What may be asked of a log, and what may not.
import { expect, test } from 'vitest';
import { logOptions } from './log-options.ts';

const options = (query: string) => logOptions(new URLSearchParams(query), 'p');

test('what is asked for is passed on', () => {
  expect(options('follow=true&tailLines=0&limitBytes=5&sinceTime=2026-01-01T00:00:00Z')).toEqual({
    follow: true,
    previous: false,
    timestamps: false,
    tailLines: 0,
    limitBytes: 5,
    sinceTime: '2026-01-01T00:00:00Z',
  });
});

test.each([
  ['tailLines=-1', 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
  ['limitBytes=0', 'limitBytes: Invalid value: 0: must be greater than 0'],
  ['sinceSeconds=0', 'sinceSeconds: Invalid value: 0: must be greater than 0'],
  ['stream=Stdout', 'stream: Forbidden: may not be specified'],
])('%s is refused', (query, complaint) => {
  expect(() => options(query)).toThrow(`PodLogOptions "p" is invalid: ${complaint}`);
});
