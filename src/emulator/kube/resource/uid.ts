// Random (version 4) UUIDs out of the handed-in randomness, so that a world replays with the same ones.
import type { Random } from '../../../base/random.ts';

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function newUid(random: Random): string {
  let text = '';
  for (let index = 0; index < 16; index++) {
    let byte = random.integer(256);
    if (index === 6) byte = (byte & 0x0f) | 0x40;
    if (index === 8) byte = (byte & 0x3f) | 0x80;
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += hex[byte];
  }
  return text;
}
