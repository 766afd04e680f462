// Kubernetes quantities, exactly. In: `100m`, `1.5Gi`, `12e6`. Out: a whole number of billionths plus the
// family of suffixes it was written in, and the canonical text of both.
// 1. Nothing is ever a float: the smallest step Kubernetes knows is 10^-9, so a bigint of those holds all.
// 2. Finer digits round away from zero (asking for a little never becomes asking for nothing).
// 3. Binary amounts stop at 2^63-1, as the API server stops them; decimal ones do not.
import { CodedError } from '../base/errors.ts';

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  /** The amount in units of 10^-9. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export type QuantityResult =
  | { readonly ok: true; readonly quantity: Quantity }
  | { readonly ok: false; readonly reason: string };

export const nanoPerUnit = 1_000_000_000n;
const nanoPerMilli = 1_000_000n;
const largestBinaryNano = (2n ** 63n - 1n) * nanoPerUnit;
/** A power of ten beyond this is a typing error, and computing with it would stall the process. */
const largestExponent = 1000;

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Scale {
  readonly format: QuantityFormat;
  readonly base: bigint;
  readonly exponent: number;
}

const scales = new Map<string, Scale>([
  ...decimalSuffixes.map((suffix, i): [string, Scale] => [
    suffix,
    { format: 'DecimalSI', base: 10n, exponent: 3 * i - 9 },
  ]),
  ...binarySuffixes
    .slice(1)
    .map((suffix, i): [string, Scale] => [
      suffix,
      { format: 'BinarySI', base: 2n, exponent: 10 * (i + 1) },
    ]),
]);

const powersOfTen = Array.from({ length: 40 }, (_, i) => 10n ** BigInt(i));

const shape =
  /^(?<sign>[+-]?)(?<whole>[0-9]*)(?:\.(?<fraction>[0-9]*))?(?<suffix>[eEinumkKMGTP]*[-+]?[0-9]*)$/;
const shapeRule =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixRule = "unable to parse quantity's suffix";
const exponentRule = `the exponent of a quantity must not exceed ${largestExponent}`;

/** A number is read as JSON would print it: the wire allows `cpu: 1`. */
export function tryParseQuantity(text: string | number): QuantityResult {
  const written = String(text);
  const groups = written === '' ? undefined : shape.exec(written)?.groups;
  if (groups === undefined) return { ok: false, reason: shapeRule };
  const { sign, whole = '', fraction = '', suffix = '' } = groups;
  const scale = scales.get(suffix) ?? exponentScale(suffix);
  if (scale === undefined) return { ok: false, reason: suffixRule };
  const nano = magnitudeNano(whole, fraction, scale);
  if (nano === undefined) return { ok: false, reason: exponentRule };
  return { ok: true, quantity: bounded(sign === '-', nano, scale.format) };
}

export function parseQuantity(text: string | number): Quantity {
  const result = tryParseQuantity(text);
  if (result.ok) return result.quantity;
  throw new CodedError('InvalidQuantity', 'text is not a quantity', {
    fields: { text, rule: result.reason },
  });
}

/** Canonical text: no fraction, no precision lost, the largest suffix that allows both. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  if (format === 'BinarySI' && (nano >= 1024n * nanoPerUnit || nano <= -1024n * nanoPerUnit)) {
    // A fraction of a byte cannot be written in binary suffixes; precision wins over the family.
    if (nano % nanoPerUnit === 0n) return formatBinary(nano / nanoPerUnit);
  }
  return formatDecimal(nano, format === 'DecimalExponent');
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nano === b.nano) return 0;
  return a.nano < b.nano ? -1 : 1;
}

/** A zero has no family of its own: the sum takes the other's. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function negateQuantity(quantity: Quantity): Quantity {
  return { nano: -quantity.nano, format: quantity.format };
}

/** Whole units, rounded away from zero. */
export function quantityValue(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, nanoPerUnit);
}

/** Thousandths, rounded away from zero. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, nanoPerMilli);
}

function exponentScale(suffix: string): Scale | undefined {
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return undefined;
  return { format: 'DecimalExponent', base: 10n, exponent: Number(suffix.slice(1)) };
}

function magnitudeNano(whole: string, fraction: string, scale: Scale): bigint | undefined {
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0n;
  if (scale.exponent > largestExponent) return undefined;
  const decimals = 9 - fraction.length + (scale.base === 10n ? scale.exponent : 0);
  const scaled = scale.base === 10n ? digits : digits << BigInt(scale.exponent);
  if (decimals >= 0) return scaled * powerOfTen(decimals);
  // Far below the smallest step: no need to compute how far.
  if (-decimals > largestExponent) return 1n;
  return divideAwayFromZero(scaled, powerOfTen(-decimals));
}

function bounded(negative: boolean, magnitude: bigint, format: QuantityFormat): Quantity {
  if (format !== 'BinarySI') return { nano: negative ? -magnitude : magnitude, format };
  const nano = magnitude > largestBinaryNano ? largestBinaryNano : magnitude;
  // No binary suffix is small enough for a fraction of one.
  const fits = nano === 0n || nano >= nanoPerUnit;
  return { nano: negative ? -nano : nano, format: fits ? 'BinarySI' : 'DecimalSI' };
}

function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

function divideAwayFromZero(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  if (amount % divisor === 0n) return quotient;
  return amount < 0n ? quotient - 1n : quotient + 1n;
}

function formatBinary(units: bigint): string {
  let mantissa = units;
  let step = 0;
  while (step < binarySuffixes.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    step++;
  }
  return `${mantissa}${binarySuffixes[step]}`;
}

function formatDecimal(nano: bigint, asExponent: boolean): string {
  const lastStep = asExponent ? Number.MAX_SAFE_INTEGER : decimalSuffixes.length - 1;
  let mantissa = nano;
  let step = 0;
  while (step < lastStep && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    step++;
  }
  if (!asExponent) return `${mantissa}${decimalSuffixes[step]}`;
  return step === 3 ? `${mantissa}` : `${mantissa}e${3 * step - 9}`;
}
