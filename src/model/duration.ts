// Durations as Go and Kubernetes write them: `1h30m`, `100ms`, `-5s`. In: text. Out: nanoseconds, exactly (the
// drift hash needs every bit), or milliseconds for everything that meets a clock; and canonical text.
// `Never`, where it is allowed, means no duration. The text a user wrote stays in the object as it is.
import { CodedError } from '../base/errors.ts';

export type DurationResult =
  | { readonly ok: true; readonly nanoseconds: bigint }
  | { readonly ok: false; readonly reason: string };

const nanosecondsPer = new Map([
  ['ns', 1],
  ['us', 1e3],
  // Both spellings of the sign: micro and the Greek letter.
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

const onePart = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)/;
const largest = 2n ** 63n - 1n;

export function tryParseDuration(text: string): DurationResult {
  const negative = text.startsWith('-');
  const magnitude = sumOfParts(/^[+-]/.test(text) ? text.slice(1) : text);
  if (magnitude === undefined) return malformed;
  // One more on the negative side, as in every two's complement.
  if (magnitude > largest + (negative ? 1n : 0n)) {
    return { ok: false, reason: 'a duration must not exceed 2562047 hours' };
  }
  return { ok: true, nanoseconds: negative ? -magnitude : magnitude };
}

export function parseDuration(text: string): bigint {
  const result = tryParseDuration(text);
  if (result.ok) return result.nanoseconds;
  throw new CodedError('InvalidDuration', 'text is not a duration', {
    fields: { text, rule: result.reason },
  });
}

/** Milliseconds, with a fraction where the text has one. */
export function durationMs(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}

/** Milliseconds, or undefined for `Never`. */
export function nillableDurationMs(text: string): number | undefined {
  return text === 'Never' ? undefined : durationMs(text);
}

/** `1h30m0s`, `1.5s`, `100ms`: the largest unit first, below a second one unit only. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const total = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (total < 1_000n) return `${sign}${total}ns`;
  if (total < 1_000_000n) return `${sign}${decimal(total, 1_000n)}\u00b5s`;
  if (total < 1_000_000_000n) return `${sign}${decimal(total, 1_000_000n)}ms`;
  const minutes = total / 60_000_000_000n;
  const seconds = `${decimal(total % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return hours === 0n
    ? `${sign}${minutes}m${seconds}`
    : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

const malformed: DurationResult = {
  ok: false,
  reason: 'a duration is a sequence of numbers with units ns, us, ms, s, m or h, such as 1h30m',
};

function sumOfParts(text: string): bigint | undefined {
  if (text === '0') return 0n;
  if (text === '') return undefined;
  let sum = 0n;
  for (let rest = text; rest !== '';) {
    const part = onePart.exec(rest)?.[0];
    if (part === undefined) return undefined;
    sum += partNanoseconds(part);
    rest = rest.slice(part.length);
  }
  return sum;
}

function partNanoseconds(part: string): bigint {
  const [, integer = '', fraction = '', unit = ''] = /^([0-9]*)\.?([0-9]*)(\D+)$/.exec(part) ?? [];
  const scale = nanosecondsPer.get(unit) ?? 0;
  // The fraction goes through a double, and through the same operations as in Go, so that not one
  // nanosecond differs. Digits beyond a 64-bit integer do not count there either.
  const digits = fraction.slice(0, BigInt(fraction.slice(0, 19)) > largest ? 18 : 19);
  const rest = Math.trunc(Number(digits) * (scale / 10 ** digits.length));
  return BigInt(integer) * BigInt(scale) + BigInt(rest);
}

function decimal(amount: bigint, unit: bigint): string {
  const fraction = (amount % unit).toString().padStart(unit.toString().length - 1, '0');
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? `${amount / unit}` : `${amount / unit}.${digits}`;
}
