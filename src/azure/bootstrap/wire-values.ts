// Values of a node class in the units of AKS's APIs. In: text or number as the user wrote it. Out: what the wire takes,
// or undefined for text that means nothing.
import { quantityValue, tryParseQuantity } from '../../model/quantity.ts';

const bytesPerMegabyte = 1024 * 1024;
const largestInt32 = 2 ** 31 - 1;

/** Megabytes of 2^20, to the nearest. */
export function toMegabytes(text: string): number | undefined {
  const result = tryParseQuantity(text);
  if (!result.ok) return undefined;
  return Math.round(Number(quantityValue(result.quantity)) / bytesPerMegabyte);
}

/** Anything below zero means no limit. */
export function toPodMaxPids(limit: number): number {
  return limit < 0 ? -1 : Math.min(limit, largestInt32);
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The wire tells what is absent from what is null. */
export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
