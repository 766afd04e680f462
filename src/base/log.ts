// Structured logs in the shape of the original's: constant message, variables as fields. In: message and
// fields. Out: one JSON line. A logging call never throws and never waits.
// After 100 lines with one text in one second only every 100th passes: a hot loop cannot drown a log.
import pino from 'pino';
import { systemClock, type Clock } from './clock.ts';
import { describeError, fieldsOf } from './errors.ts';

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'debug' | 'info' | 'error';

/** What components are given. `error` takes the thrown value under the field `error`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
  /** A logger whose `logger` field has `name` appended with a dot. */
  named(name: string): Logger;
}

export interface LogSink {
  write(line: string): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Where debug and info lines go. */
  readonly output: LogSink;
  /** Where error lines go; the same as `output` unless given. */
  readonly errorOutput?: LogSink;
  readonly clock?: Clock;
  readonly commit?: string;
  readonly name?: string;
}

export function createLogger(options: LogOptions): Logger {
  const clock = options.clock ?? systemClock;
  const streams = pino.multistream(
    [
      { level: 'debug', stream: options.output },
      { level: 'error', stream: options.errorOutput ?? options.output },
    ],
    // Each line goes to one stream only: the one with the highest level that it reaches.
    { dedupe: true },
  );
  const core = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
    },
    streams,
  );
  const fields: Record<string, unknown> = {};
  if (options.commit !== undefined) fields['commit'] = options.commit;
  return new PinoLogger({
    core,
    sampler: new Sampler(clock),
    name: options.name ?? '',
    fields,
    withCaller: options.level === 'debug',
  });
}

/** Drops everything: for tests of things that happen to log. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  error() {},
  with: () => silentLogger,
  named: () => silentLogger,
};

interface Parts {
  readonly core: pino.Logger;
  readonly sampler: Sampler;
  readonly name: string;
  readonly fields: LogFields;
  readonly withCaller: boolean;
}

class PinoLogger implements Logger {
  readonly #parts: Parts;
  readonly #core: pino.Logger;

  constructor(parts: Parts) {
    this.#parts = parts;
    const bindings = parts.name === '' ? parts.fields : { logger: parts.name, ...parts.fields };
    this.#core = parts.core.child(toJson(bindings));
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  with(fields: LogFields): Logger {
    return new PinoLogger({ ...this.#parts, fields: { ...this.#parts.fields, ...fields } });
  }

  named(name: string): Logger {
    const full = this.#parts.name === '' ? name : `${this.#parts.name}.${name}`;
    return new PinoLogger({ ...this.#parts, name: full });
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.#core.isLevelEnabled(level) || !this.#parts.sampler.admits(level, message)) return;
    const line = toJson(fields);
    if (this.#parts.withCaller) line['caller'] = callerOf(new Error('caller').stack);
    this.#core[level](line, message);
  }
}

/** Errors become text plus their own fields; what JSON cannot carry becomes text. */
function toJson(fields: LogFields): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value instanceof Error) {
      for (const [name, field] of Object.entries(fieldsOf(value))) result[name] ??= plain(field);
      result[key] = describeError(value);
    } else if (value !== undefined) {
      result[key] = plain(value);
    }
  }
  return result;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** `folder/file.ts:12` of the first frame outside this file. */
function callerOf(stack = ''): string | undefined {
  const frame = stack
    .split('\n')
    .find((line) => line.includes(' at ') && !line.includes('base/log.ts'));
  return frame?.match(/([^/\\]+[/\\][^/\\]+:\d+):\d+\)?$/)?.[1];
}

const sampleFirst = 100;
const sampleEvery = 100;
const sampleWindowMs = 1000;

class Sampler {
  readonly #clock: Clock;
  readonly #seen = new Map<string, number>();
  #windowStartMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowStartMs = clock.monotonic();
  }

  admits(level: LogLevel, message: string): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#windowStartMs >= sampleWindowMs) {
      this.#seen.clear();
      this.#windowStartMs = nowMs;
    }
    const key = `${level} ${message}`;
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    return count <= sampleFirst || (count - sampleFirst) % sampleEvery === 0;
  }
}
