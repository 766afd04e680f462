// IPv4 addresses and prefixes as numbers. In: text. Out: ranges that can be compared, or undefined for what is none.

export interface Prefix {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

export function parseAddress(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part))) return undefined;
  let value = 0;
  for (const part of parts) {
    const byte = Number(part);
    if (byte > 255) return undefined;
    value = value * 256 + byte;
  }
  return value;
}

export function addressText(value: number): string {
  return [value / 2 ** 24, value / 2 ** 16, value / 2 ** 8, value]
    .map((part) => Math.floor(part) % 256)
    .join('.');
}

/** A prefix whose address is its first; `10.0.0.1/24` is none. */
export function parsePrefix(text: string): Prefix | undefined {
  const [address = '', length = ''] = text.split('/');
  const first = parseAddress(address);
  if (first === undefined || !/^\d{1,2}$/.test(length) || Number(length) > 32) return undefined;
  const size = 2 ** (32 - Number(length));
  return first % size === 0 ? { text, first, last: first + size - 1 } : undefined;
}

export function contains(outer: Prefix, inner: Prefix): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(a: Prefix, b: Prefix): boolean {
  return a.first <= b.last && b.first <= a.last;
}
