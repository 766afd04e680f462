// A requirement made visible: its written form for the API, its printed form for messages, and one concrete
// value for a label. In: a requirement. Out: entries, text, a value.
// 1. Gt and Lt never come back out: they reappear as Gte n+1 and Lte n-1.
// 2. The written form loses nothing. NotIn and DoesNotExist leave absence open, so what does not is preceded by Exists;
//    the original reads the two entries as the one it would have written. Only the printed form is silent about it.
import type { Random } from '../base/random.ts';
import {
  largestInteger,
  operatorOf,
  type Requirement,
  type RequirementEntry,
} from './requirement.ts';

const printedValues = 5;

/** One entry, or several when each can state only a part. Values are sorted. */
export function toEntries(requirement: Requirement): RequirementEntry[] {
  const { key, minValues } = requirement;
  const shared = { key, ...(minValues !== undefined && { minValues }) };
  return statements(requirement).map((statement) => ({ ...shared, ...statement }));
}

/** `key In [a b] minValues 2`: at most five values, bounds after them. */
export function describeRequirement(requirement: Requirement): string {
  const { key, gte, lte, minValues } = requirement;
  const values = [...requirement.values].toSorted();
  const others = values.length - printedValues;
  const shown = others > 0 ? [...values.slice(0, printedValues), `and ${others} others`] : values;
  return [
    `${key} ${operatorOf(requirement)}`,
    ...(values.length > 0 ? [`[${shown.join(' ')}]`] : []),
    ...(gte === undefined ? [] : [`>=${gte}`]),
    ...(lte === undefined ? [] : [`<=${lte}`]),
    ...(minValues === undefined ? [] : [`minValues ${minValues}`]),
  ].join(' ');
}

/**
 * One value that satisfies the requirement, or undefined when none does. Of a finite set the first in text
 * order; of anything else an integer, drawn from `random` or else the smallest.
 */
export function pickValue(requirement: Requirement, random?: Random): string | undefined {
  const { complement, values } = requirement;
  if (!complement) return [...values].toSorted()[0];
  // A label value cannot carry a minus sign.
  const first = requirement.gte === undefined || requirement.gte < 0n ? 0n : requirement.gte;
  const last = requirement.lte ?? largestInteger;
  const span = last - first + 1n;
  const start = random === undefined || span <= 0n ? 0n : draw63(random) % span;
  // Each step meets another excluded value, so one step more than there are of them is enough.
  for (let step = 0n; step < span && step <= BigInt(values.size); step++) {
    const candidate = String(first + ((start + step) % span));
    if (!values.has(candidate)) return candidate;
  }
  return undefined;
}

function statements(requirement: Requirement): Omit<RequirementEntry, 'key'>[] {
  const { gte, lte, mayBeAbsent } = requirement;
  const bounds = [
    ...(gte === undefined ? [] : [{ operator: 'Gte' as const, values: [String(gte)] }]),
    ...(lte === undefined ? [] : [{ operator: 'Lte' as const, values: [String(lte)] }]),
  ];
  const values = [...requirement.values].toSorted();
  const operator = operatorOf(requirement);
  const set = values.length > 0 ? { operator, values } : { operator };
  // Bounds demand a value by themselves.
  if (bounds.length > 0) return values.length > 0 ? [...bounds, set] : bounds;
  const seemsOptional = operator === 'NotIn' || operator === 'DoesNotExist';
  return seemsOptional && !mayBeAbsent ? [{ operator: 'Exists' }, set] : [set];
}

function draw63(random: Random): bigint {
  return (BigInt(random.integer(2 ** 31)) << 32n) | BigInt(random.integer(2 ** 32));
}
