// What defaulting added. In: an object as written and as stored. Out: `path=value` for each field that only
// the stored one has, in the order of the stored one.
import type { Json } from '../api/meta.ts';

export function addedPaths(written: Json | undefined, stored: Json, path = ''): string[] {
  if (written === undefined) return [`${path}=${JSON.stringify(stored)}`];
  if (Array.isArray(stored)) {
    return stored.flatMap((item: Json, i) =>
      addedPaths((written as readonly Json[])[i], item, `${path}[${i}]`),
    );
  }
  if (stored === null || typeof stored !== 'object') return [];
  return Object.entries(stored as { readonly [key: string]: Json }).flatMap(([key, value]) =>
    addedPaths(
      (written as { readonly [key: string]: Json })[key],
      value,
      path === '' ? key : `${path}.${key}`,
    ),
  );
}
