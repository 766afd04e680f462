// An indexed Job's success policy. In: its spec. Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import type { Json } from '../../../api/meta.ts';
import { invalid, required, tooLong, tooMany } from '../field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt, type JsonObject } from '../json.ts';

const mostRules = 20;
const longestIndexes = 64 * 1024;

export function successPolicyErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const policy = objectAt(spec, 'successPolicy');
  if (policy === undefined) return [];
  if (stringAt(spec, 'completionMode') !== 'Indexed')
    return [invalid(field, goPolicy(policy), 'requires indexed completion mode')];
  const rules = objectsAt(policy, 'rules');
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(`${field}.rules`, none)] : []),
    ...(rules.length > mostRules ? [tooMany(`${field}.rules`, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => successRuleErrors(spec, rule, `${field}.rules[${index}]`)),
  ];
}

/** The server shows the whole policy as its own language has it. */
function goPolicy(policy: JsonObject): Json {
  return {
    Rules: objectsAt(policy, 'rules').map((rule) => ({
      SucceededIndexes: stringAt(rule, 'succeededIndexes') ?? null,
      SucceededCount: numberAt(rule, 'succeededCount') ?? null,
    })),
  };
}

function successRuleErrors(
  spec: JsonObject,
  rule: JsonObject,
  field: string,
): readonly FieldError[] {
  const completions = numberAt(spec, 'completions') ?? 0;
  const indexes = stringAt(rule, 'succeededIndexes');
  const count = numberAt(rule, 'succeededCount');
  const none = 'at least one of succeededCount or succeededIndexes must be specified';
  if (indexes === undefined && count === undefined) return [required(field, none)];
  const read = indexes === undefined ? undefined : readIndexes(indexes, completions);
  const errors = indexErrors(indexes ?? '', read, `${field}.succeededIndexes`);
  if (count === undefined) return errors;
  const total = typeof read === 'string' ? 0 : read;
  return [...errors, ...countErrors({ count, completions, total }, `${field}.succeededCount`)];
}

function indexErrors(
  text: string,
  read: number | string | undefined,
  field: string,
): readonly FieldError[] {
  const why = `error parsing succeededIndexes: ${read}`;
  return [
    ...(text.length > longestIndexes ? [tooLong(field, longestIndexes)] : []),
    ...(typeof read === 'string' ? [invalid(field, text, why)] : []),
  ];
}

function countErrors(
  of: { readonly count: number; readonly completions: number; readonly total: number | undefined },
  field: string,
): readonly FieldError[] {
  const { count, completions, total = Infinity } = of;
  const errors: FieldError[] = [];
  if (count < 0) errors.push(invalid(field, count, 'must be greater than or equal to 0'));
  const atMost = (limit: number, of: string): FieldError =>
    invalid(field, count, `must be less than or equal to ${limit} (the number of ${of})`);
  if (count > completions) errors.push(atMost(completions, 'specified completions'));
  if (count > total) errors.push(atMost(total, 'indexes in the specified succeededIndexes field'));
  return errors;
}

/** How many indexes the text names, or what is wrong with it. */
function readIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last = -Infinity;
  let total = 0;
  for (const interval of text.split(',')) {
    const read = readInterval(interval, completions);
    if (typeof read === 'string') return read;
    const [first, end] = read;
    if (last >= first) return outOfOrder(last, first);
    total += end - first + 1;
    last = end;
  }
  return total;
}

function readInterval(interval: string, completions: number): readonly [number, number] | string {
  const parts = interval.split('-');
  if (parts.length > 2) {
    return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  for (const part of parts) {
    if (!/^[+]?\d+$/.test(part))
      return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
  }
  const [first = 0, end] = parts.map(Number);
  return end !== undefined && first >= end ? outOfOrder(first, end) : [first, end ?? first];
}

function outOfOrder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
