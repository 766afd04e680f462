import { describe, expect, test } from 'vitest';
import { CodedError } from './errors.ts';
import { createLogger, silentLogger, type LogLevel } from './log.ts';
import { VirtualClock } from './virtual-clock.ts';

function capture(level: LogLevel = 'info') {
  const lines: string[] = [];
  const errors: string[] = [];
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 10, 15) });
  const log = createLogger({
    level,
    clock,
    commit: 'abc1234',
    name: 'controller',
    output: { write: (line) => lines.push(line) },
    errorOutput: { write: (line) => errors.push(line) },
  });
  const parsed = (): unknown[] => lines.map((line) => JSON.parse(line));
  return { log, lines, errors, clock, parsed };
}

describe('logging', () => {
  test('writes one JSON line in the shape of the original', () => {
    const { log, parsed } = capture();
    log
      .named('nodeclaim.lifecycle')
      .with({ controller: 'nodeclaim.lifecycle' })
      .info('launched nodeclaim', {
        NodeClaim: { name: 'default-x' },
        'provider-id': 'azure:///x',
      });
    expect(parsed()).toEqual([
      {
        level: 'INFO',
        time: '2026-11-15T00:00:00.000Z',
        logger: 'controller.nodeclaim.lifecycle',
        commit: 'abc1234',
        controller: 'nodeclaim.lifecycle',
        message: 'launched nodeclaim',
        NodeClaim: { name: 'default-x' },
        'provider-id': 'azure:///x',
      },
    ]);
  });

  test('prints an error as text and lifts its fields, without a stack', () => {
    const { log, errors, lines } = capture();
    const error = new CodedError('NotFound', 'vm not found', { fields: { vm: 'a', bytes: 5n } });
    log.error('deleting', { error, skipped: undefined });
    expect(lines).toEqual([]);
    expect(JSON.parse(errors[0]!)).toMatchObject({
      level: 'ERROR',
      error: 'vm not found (bytes=5, vm=a)',
      vm: 'a',
      bytes: '5',
    });
    expect(errors[0]).not.toContain('stack');
  });

  test('names the caller only at debug', () => {
    const debugging = capture('debug');
    debugging.log.debug('x');
    expect(debugging.parsed()).toMatchObject([
      { level: 'DEBUG', caller: expect.stringMatching(/^base\/log\.test\.ts:\d+$/) },
    ]);
    const quiet = capture('info');
    quiet.log.debug('x');
    quiet.log.info('y');
    expect(quiet.parsed()).toMatchObject([{ message: 'y' }]);
    expect(quiet.lines[0]).not.toContain('caller');
  });

  test('after a hundred equal lines in a second only every hundredth passes', async () => {
    const { log, lines, clock } = capture();
    for (let i = 0; i < 350; i++) log.info('hot');
    log.info('other');
    expect(lines.length).toBe(100 + 2 + 1);
    await clock.advance(1000);
    log.info('hot');
    expect(lines.length).toBe(104);
  });

  test('the silent logger is silent', () => {
    const log = silentLogger.with({ a: 1 }).named('x');
    log.debug('a');
    log.info('b');
    log.error('c');
    expect(log).toBe(silentLogger);
  });
});
