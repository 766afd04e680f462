// What one label of a node may be: a finite set of values or the complement of one, optionally within integer
// bounds (inclusive), optionally asking for several values; and whether it may be absent instead. In: an operator with
// values. Out: the set and its algebra.
// 1. Values are compared as text. Only bounds look at numbers (64 bits, so bigint), and there a text that is no
//    integer is out. A finite set keeps no bounds: what lay outside was dropped when they met.
// 2. Absence is a possibility of its own, which only NotIn and DoesNotExist leave open. So Exists with NotIn wants some
//    value still, and a contradiction, which leaves neither a value nor absence, is not DoesNotExist.
// 3. A set without values has one form. A range is exhausted when every integer in it is excluded in its plain
//    spelling; `007` for 7 is nobody's label.
import type { NodePoolRequirement, RequirementOperator } from '../api/node-pool.ts';
import { type LabelRules, normalKey, normalValues } from './label-rules.ts';

/** The written form, shared by NodePools, NodeClaims, overlays and node affinity. */
export type RequirementEntry = NodePoolRequirement;

export interface Requirement {
  readonly key: string;
  /** True: any value but these. False: one of these. */
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  /** True: a node without the label will do as well. */
  readonly mayBeAbsent: boolean;
  readonly gte: bigint | undefined;
  readonly lte: bigint | undefined;
  readonly minValues: number | undefined;
}

const nothing: ReadonlySet<string> = new Set();
export const largestInteger = 2n ** 63n - 1n;
const smallestInteger = -(2n ** 63n);

/** Keys and values are brought to their normal spelling. A bound that is no integer matches nothing. */
export function createRequirement(rules: LabelRules, entry: RequirementEntry): Requirement {
  const key = normalKey(rules, entry.key);
  const { operator, minValues } = entry;
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const values = new Set(normalValues(rules, key, entry.values ?? []));
      const complement = operator === 'NotIn';
      return make({ key, complement, values, mayBeAbsent: complement, minValues });
    }
    case 'Exists':
    case 'DoesNotExist': {
      const complement = operator === 'Exists';
      return make({ key, complement, mayBeAbsent: !complement, minValues });
    }
    default:
      return bounded(key, entry);
  }
}

/** Any value, but some value. */
export function exists(key: string): Requirement {
  return make({ key, complement: true });
}

export function oneOf(key: string, values: Iterable<string>): Requirement {
  return make({ key, complement: false, values: new Set(values) });
}

export function withMinValues(
  requirement: Requirement,
  minValues: number | undefined,
): Requirement {
  return { ...requirement, minValues };
}

export function allows(requirement: Requirement, value: string): boolean {
  return (
    requirement.values.has(value) !== requirement.complement &&
    within(value, requirement.gte, requirement.lte)
  );
}

/** How the set of values presents itself: bounds alone read as Exists, a contradiction as DoesNotExist. */
export function operatorOf({ complement, values, mayBeAbsent }: Requirement): RequirementOperator {
  if (complement) return values.size > 0 || mayBeAbsent ? 'NotIn' : 'Exists';
  return values.size > 0 ? 'In' : 'DoesNotExist';
}

/** True when nothing satisfies it: neither a value nor a node without the label. */
export function isContradiction({ complement, values, mayBeAbsent }: Requirement): boolean {
  return !complement && values.size === 0 && !mayBeAbsent;
}

/** Number of values; for a complement, the largest number less the excluded ones. */
export function sizeOf({ complement, values }: Requirement): number {
  return complement ? Number.MAX_SAFE_INTEGER - values.size : values.size;
}

/** What satisfies both. The key is that of `a`; operands must speak of the same label. */
export function intersect(a: Requirement, b: Requirement): Requirement {
  const { key } = a;
  const gte = larger(a.gte, b.gte);
  const lte = smaller(a.lte, b.lte);
  const minValues = larger(a.minValues, b.minValues);
  const complement = a.complement && b.complement;
  const mayBeAbsent = a.mayBeAbsent && b.mayBeAbsent;
  if (isCrossed(gte, lte)) return make({ key, complement: false, minValues });
  const values = new Set<string>();
  for (const value of combined(a, b)) if (within(value, gte, lte)) values.add(value);
  if (!complement) return make({ key, complement, values, mayBeAbsent, minValues });
  if (isExhausted(values, gte, lte)) return make({ key, complement: false, minValues });
  return make({ key, complement, values, mayBeAbsent, gte, lte, minValues });
}

/** Whether `intersect` would leave any value, without building it. Absence is no value. */
export function hasIntersection(a: Requirement, b: Requirement): boolean {
  const gte = larger(a.gte, b.gte);
  const lte = smaller(a.lte, b.lte);
  if (isCrossed(gte, lte)) return false;
  if (a.complement && b.complement) {
    const finite = gte !== undefined && lte !== undefined;
    return !finite || !isExhausted(a.values.union(b.values), gte, lte);
  }
  const [finite, other] = a.complement ? [b, a] : [a, b];
  for (const value of finite.values) {
    if (other.values.has(value) !== other.complement && within(value, gte, lte)) return true;
  }
  return false;
}

/** A base-10 integer of 64 bits, signs and leading zeros allowed; undefined for any other text. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value > largestInteger || value < smallestInteger ? undefined : value;
}

function make(parts: {
  readonly key: string;
  readonly complement: boolean;
  readonly values?: ReadonlySet<string>;
  readonly mayBeAbsent?: boolean;
  readonly gte?: bigint | undefined;
  readonly lte?: bigint | undefined;
  readonly minValues?: number | undefined;
}): Requirement {
  const { key, complement, values = nothing, mayBeAbsent = false, gte, lte, minValues } = parts;
  return { key, complement, values, mayBeAbsent, gte, lte, minValues };
}

function bounded(key: string, { operator, values, minValues }: RequirementEntry): Requirement {
  const limit = parseInteger(values?.[0] ?? '');
  if (limit === undefined || (operator === 'Gt' && limit === largestInteger)) {
    return make({ key, complement: false });
  }
  if (operator === 'Gt' || operator === 'Gte') {
    return make({ key, complement: true, gte: operator === 'Gt' ? limit + 1n : limit, minValues });
  }
  return make({ key, complement: true, lte: operator === 'Lt' ? limit - 1n : limit, minValues });
}

function combined(a: Requirement, b: Requirement): ReadonlySet<string> {
  if (a.complement) return b.complement ? a.values.union(b.values) : b.values.difference(a.values);
  return b.complement ? a.values.difference(b.values) : a.values.intersection(b.values);
}

function within(value: string, gte: bigint | undefined, lte: bigint | undefined): boolean {
  if (gte === undefined && lte === undefined) return true;
  const number = parseInteger(value);
  if (number === undefined) return false;
  return (gte === undefined || number >= gte) && (lte === undefined || number <= lte);
}

function isCrossed(gte: bigint | undefined, lte: bigint | undefined): boolean {
  return gte !== undefined && lte !== undefined && gte > lte;
}

function isExhausted(
  excluded: ReadonlySet<string>,
  gte: bigint | undefined,
  lte: bigint | undefined,
): boolean {
  if (gte === undefined || lte === undefined) return false;
  if (lte - gte >= BigInt(excluded.size)) return false;
  for (let number = gte; number <= lte; number++) if (!excluded.has(String(number))) return false;
  return true;
}

function larger<T extends bigint | number>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined) return b;
  return b === undefined || a > b ? a : b;
}

function smaller<T extends bigint | number>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined) return b;
  return b === undefined || a < b ? a : b;
}
