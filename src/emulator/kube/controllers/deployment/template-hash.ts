// A short name for a pod template. In: a template and how often its name was taken already. Out: ten letters at
// most. Equal templates have equal names; the digest itself is ours, as nothing reads meaning into it.
import type { Json } from '../../../../api/meta.ts';
import { isArray, isObject } from '../../json.ts';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

export function templateHash(template: Json, collisionCount = 0): string {
  let hash = 0x811c9dc5;
  for (const char of `${canonical(template)}${collisionCount === 0 ? '' : collisionCount}`) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return String(hash >>> 0).replaceAll(/\d/g, (digit) => alphabet[digit.charCodeAt(0) % 27] ?? '');
}

/** JSON with sorted keys, so that the order of fields does not matter. */
export function canonical(value: Json): string {
  if (isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${fields.join(',')}}`;
}
