// What every step over JSON values needs: telling objects apart, comparing, and changing a copy.
import type { Json } from '../../meta.ts';

export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality; the order of keys does not matter, the order of lists does. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item: Json, index) => jsonEqual(item, right[index] as Json))
    );
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]))
  );
}

/** Sets a field of a copy. A field may be called `__proto__`, and an assignment would not be one. */
export function setField(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(copy, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    copy[key] = value;
  }
}
