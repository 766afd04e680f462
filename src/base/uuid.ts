// A version 4 UUID from a stream of random numbers: to tell things apart, never to keep a secret.
import type { Random } from './random.ts';

export function randomUuid(random: Random): string {
  const a = word(random);
  const b = word(random);
  const c = word(random);
  const d = word(random);
  const variant = (8 + random.integer(4)).toString(16);
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

function word(random: Random): string {
  return random
    .integer(2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
