// Whether a written requirement makes sense. In: an entry of a NodePool, a pod or an overlay. Out: every fault
// it has, and values that are unknown but harmless because known ones stand beside them.
// Keys are judged in their normal spelling.
import { labelValueFaults, qualifiedNameFaults } from './label-name.ts';
import { type LabelRules, normalKey, restrictionFaults } from './label-rules.ts';
import { parseInteger } from './requirement.ts';

/** An entry as it came in: the operator has not been checked yet. */
export interface WrittenRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

export interface RequirementVerdict {
  readonly faults: readonly string[];
  /** Values of a closed set that no node will ever have; worth a log line, not a refusal. */
  readonly unknownValues: readonly string[];
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
const comparisons = new Set(['Gt', 'Lt', 'Gte', 'Lte']);

export function validateRequirement(
  rules: LabelRules,
  written: WrittenRequirement,
): RequirementVerdict {
  const key = normalKey(rules, written.key);
  const values = written.values ?? [];
  const known = closedSet(rules, key, written.operator);
  const faults = [
    ...operatorFaults(key, written.operator),
    ...restrictionFaults(rules, key),
    ...qualifiedNameFaults(key).map((fault) => `key ${key} is not a qualified name, ${fault}`),
    ...values.flatMap((value) =>
      labelValueFaults(value).map((fault) => `value ${value} of key ${key} is invalid, ${fault}`),
    ),
    ...countFaults(key, written),
    ...(known === undefined ? [] : knownValueFaults(key, written, known)),
  ];
  const unknownValues = known === undefined ? [] : values.filter((value) => !known.has(value));
  return { faults, unknownValues };
}

function operatorFaults(key: string, operator: string): string[] {
  if (operators.includes(operator)) return [];
  return [
    `key ${key} has the unsupported operator ${operator}, use one of ${operators.join(', ')}`,
  ];
}

function countFaults(key: string, written: WrittenRequirement): string[] {
  if (comparisons.has(written.operator)) return boundFaults(key, written);
  return written.operator === 'In' ? choiceFaults(key, written) : [];
}

function boundFaults(key: string, { operator, values = [] }: WrittenRequirement): string[] {
  const number = values.length === 1 ? parseInteger(values[0] ?? '') : undefined;
  if (number !== undefined && number >= 0n) return [];
  return [`key ${key} with operator ${operator} needs exactly one value, an integer of at least 0`];
}

function choiceFaults(key: string, { values = [], minValues = 0 }: WrittenRequirement): string[] {
  const faults: string[] = [];
  if (values.length === 0) faults.push(`key ${key} with operator In needs at least one value`);
  if (values.length < minValues) {
    faults.push(`key ${key} with minValues ${minValues} needs at least that many values`);
  }
  return faults;
}

function closedSet(
  rules: LabelRules,
  key: string,
  operator: string,
): ReadonlySet<string> | undefined {
  return operator === 'In' && rules.wellKnown.has(key) ? rules.knownValues.get(key) : undefined;
}

function knownValueFaults(
  key: string,
  { values = [], minValues = 0 }: WrittenRequirement,
  known: ReadonlySet<string>,
): string[] {
  const usable = values.filter((value) => known.has(value)).length;
  const choice = [...known].toSorted().join(', ');
  if (usable === 0) {
    return [`key ${key} has no valid value in [${values.join(' ')}], use one of ${choice}`];
  }
  if (usable >= minValues) return [];
  return [`key ${key} has ${usable} valid values, minValues asks for ${minValues} of ${choice}`];
}
