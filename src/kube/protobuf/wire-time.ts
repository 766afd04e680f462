// Points in time. In: seconds and nanoseconds off the wire. Out: RFC 3339, as JSON has them: whole seconds, or six places
// for the kinds that count finer.
import { notProtobuf, type WireReader } from './wire-reader.ts';

/** The first second of year 0 and the last of year 9999: what RFC 3339 can write. */
const earliest = -62_167_219_200;
const latest = 253_402_300_799;

/** An empty message is no time at all. */
export function readTime(reader: WireReader, fine: boolean): string | undefined {
  const end = reader.end();
  if (reader.at === end) return undefined;
  let seconds = 0;
  let nanos = 0;
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x08) seconds = reader.varint();
    else if (tag === 0x10) nanos = reader.varint();
    else reader.skip(tag & 7);
  }
  if (reader.at !== end || !isTime(seconds, nanos)) throw notProtobuf('a time is none');
  const whole = reader.times.text(seconds);
  return fine ? `${whole.slice(0, 19)}.${micros(nanos)}Z` : whole;
}

function isTime(seconds: number, nanos: number): boolean {
  return seconds >= earliest && seconds <= latest && nanos >= 0 && nanos < 1e9;
}

function micros(nanos: number): string {
  return String(Math.trunc(nanos / 1000)).padStart(6, '0');
}
