// The hash by which drift is told, bit for bit as the original computes it: a cluster that changes hands must not
// see all its nodes drift. In: values described as the original's types name them. Out: unsigned 64-bit numbers.
// Base is FNV-1: multiply, then xor, byte by byte. Structs and maps mix unordered parts and seal the mix; lists
// count as sets and are only mixed. A part that is absent is left out; a part that is there but empty is not.
import { parseDuration } from './duration.ts';

/** A hash of some part; undefined for a part that is not there. */
export type PartHash = bigint | undefined;

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;
const secondsFromYearOneToEpoch = 62_135_596_800n;
const encoder = new TextEncoder();

export function textHash(text: string): bigint {
  return fnv(encoder.encode(text));
}

/** A signed integer of the original's width, low byte first. */
export function integerHash(value: bigint | number, bytes: 4 | 8): bigint {
  const wide = littleEndian(BigInt.asUintN(64, BigInt(value)));
  return fnv(wide.subarray(0, bytes));
}

export function booleanHash(value: boolean): bigint {
  return fnv(Uint8Array.of(value ? 1 : 0));
}

export function listHash(elements: readonly bigint[]): bigint {
  return elements.reduce((mix, element) => mix ^ element, 0n);
}

export function mapHash(record: Readonly<Record<string, string>>): bigint {
  const entries = Object.entries(record).map(([key, value]) =>
    pair(textHash(key), textHash(value)),
  );
  return seal(listHash(entries));
}

/** `fields` in the order in which the type declares them: each one is sealed in before the next. */
export function structHash(
  type: string,
  fields: readonly (readonly [name: string, value: PartHash])[],
): bigint {
  let hash = textHash(type);
  for (const [name, value] of fields) {
    if (value !== undefined) hash = seal(hash ^ pair(textHash(name), value));
  }
  return hash;
}

/** Applies a hash to a value that may be absent. */
export function ifPresent<T>(value: T | undefined | null, hash: (value: T) => bigint): PartHash {
  return value === undefined || value === null ? undefined : hash(value);
}

/** A text that the original cannot tell from an absent one when it is empty. */
export function nonEmptyHash(text: string | undefined): PartHash {
  return text === undefined || text === '' ? undefined : textHash(text);
}

/** `Never` is no duration, and so is an absent one. */
export function nillableDurationHash(text: string | undefined): PartHash {
  if (text === undefined || text === 'Never') return undefined;
  const nanoseconds = integerHash(parseDuration(text), 8);
  return structHash('NillableDuration', [['Duration', nanoseconds]]);
}

/** A duration of zero keeps its type but loses its number. */
export function durationHash(text: string): bigint {
  const nanoseconds = parseDuration(text);
  return structHash('Duration', [
    ['Duration', nanoseconds === 0n ? undefined : integerHash(nanoseconds, 8)],
  ]);
}

/** A moment: a version byte, seconds since the year 1 with the high byte first, no fraction, offset zero. */
export function timeHash(text: string): bigint {
  const view = new DataView(new ArrayBuffer(15));
  view.setUint8(0, 1);
  view.setBigInt64(1, BigInt(Math.floor(Date.parse(text) / 1000)) + secondsFromYearOneToEpoch);
  return structHash('Time', [['Time', fnv(new Uint8Array(view.buffer))]]);
}

function pair(a: bigint, b: bigint): bigint {
  return fnv(littleEndian(a, b));
}

function seal(mix: bigint): bigint {
  return fnv(littleEndian(mix));
}

function littleEndian(...words: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * words.length));
  for (const [i, word] of words.entries()) view.setBigUint64(8 * i, word, true);
  return new Uint8Array(view.buffer);
}

function fnv(bytes: Uint8Array): bigint {
  let hash = offsetBasis;
  for (const byte of bytes) hash = BigInt.asUintN(64, hash * prime) ^ BigInt(byte);
  return hash;
}
