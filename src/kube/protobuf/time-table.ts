// Points in time as RFC 3339 with whole seconds. In: seconds. Out: their text; the same string as last time when it was
// asked for lately: times of one object, and of objects made together, are mostly the same few. The date of a day is
// worked out once: with a Date for each time, times were a fifth of the cost of reading a pod.
import { toTimestamp } from '../../base/clock.ts';

const slots = 256;
const daySeconds = 86_400;

export class TimeTable {
  readonly #seconds = new Float64Array(slots).fill(Number.NaN);
  readonly #texts = Array<string>(slots).fill('');
  /** `2026-01-01T00:00:00Z`, of the day below and whatever time was asked for last. */
  readonly #scratch = Buffer.alloc(20);
  #day = Number.NaN;

  text(seconds: number): string {
    const slot = seconds & (slots - 1);
    if (this.#seconds[slot] === seconds) return this.#texts[slot] as string;
    const made = this.#make(seconds);
    this.#seconds[slot] = seconds;
    this.#texts[slot] = made;
    return made;
  }

  #make(seconds: number): string {
    const day = Math.floor(seconds / daySeconds);
    if (day !== this.#day) {
      this.#day = day;
      this.#scratch.write(toTimestamp(day * daySeconds * 1000), 'latin1');
    }
    const rest = seconds - day * daySeconds;
    this.#write(11, Math.floor(rest / 3600));
    this.#write(14, Math.floor(rest / 60) % 60);
    this.#write(17, rest % 60);
    return this.#scratch.toString('latin1');
  }

  #write(at: number, value: number): void {
    const tens = Math.floor(value / 10);
    this.#scratch[at] = 0x30 + tens;
    this.#scratch[at + 1] = 0x30 + value - tens * 10;
  }
}
