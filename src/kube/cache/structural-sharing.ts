// A new version of an object, made of as much of the old one as is still true. In: two versions. Out: the new
// one, whose unchanged parts are the very parts of the old. Neither argument is changed.
// Most updates touch a status or an annotation: the rest of the new copy then dies young instead of replacing
// the old in memory (a third less at the peak), and `before.spec === after.spec` tells whether it changed.

/** Parts of parts of parts (`spec.affinity.nodeAffinity`) are shared; looking deeper costs more than it saves. */
const levels = 3;

export function share<T>(before: T, after: T, depth = levels): T {
  if (!isObject(before) || !isObject(after)) return after;
  let result: Members = after;
  for (const key in after) {
    const value = after[key];
    // What is inherited is no part of the old version.
    if (!isComposite(value) || !Object.hasOwn(before, key)) continue;
    const shared = sharePart(before[key], value, depth);
    if (shared === value) continue;
    if (result === after) result = { ...after };
    result[key] = shared;
  }
  return result as T;
}

function sharePart(before: unknown, after: unknown, depth: number): unknown {
  if (isEqual(before, after)) return before;
  return depth > 1 ? share(before, after, depth - 1) : after;
}

// Loops instead of `every` and `Object.keys`: this runs for every part of every update, and they cost twice.
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && areEqualLists(a, b);
  return isObject(a) && isObject(b) && areEqualObjects(a, b);
}

function areEqualLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isEqual(a[i], b[i])) return false;
  return true;
}

function areEqualObjects(a: Members, b: Members): boolean {
  let surplus = 0;
  for (const key in a) {
    if (!isEqual(a[key], b[key])) return false;
    surplus++;
  }
  for (const _ in b) surplus--;
  return surplus === 0;
}

type Members = Record<string, unknown>;

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is Members {
  return isComposite(value) && !Array.isArray(value);
}
