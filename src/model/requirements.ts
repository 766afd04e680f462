// What the labels of a node may be, all keys together. In: written requirements, labels, pods' terms. Out: a
// map from key to requirement in which every key appears once, already intersected.
// The order in which requirements are added never changes the result. Maps are never changed.
import { label } from '../api/labels.ts';
import type { LabelRules } from './label-rules.ts';
import { describeRequirement, toEntries } from './requirement-form.ts';
import {
  exists,
  intersect,
  oneOf,
  type Requirement,
  createRequirement,
  type RequirementEntry,
} from './requirement.ts';

export type Requirements = ReadonlyMap<string, Requirement>;

export const noRequirements: Requirements = new Map();

/** What no node meets: there is no name that it could have. */
export const noNode: Requirements = new Map([[label.hostname, oneOf(label.hostname, [])]]);

export function requirementsOf(list: Iterable<Requirement>): Requirements {
  return addAll(new Map(), list);
}

export function requirementsFromEntries(
  rules: LabelRules,
  entries: readonly RequirementEntry[],
): Requirements {
  return requirementsOf(entries.map((entry) => createRequirement(rules, entry)));
}

/** Labels as they are on a node: exactly this value for each key. */
export function requirementsFromLabels(
  rules: LabelRules,
  labels: Readonly<Record<string, string>> | undefined,
): Requirements {
  return requirementsFromEntries(
    rules,
    Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  );
}

/** All of `sets` at once. Operands that say nothing cost nothing. */
export function mergeRequirements(...sets: readonly Requirements[]): Requirements {
  const [first = noRequirements, ...others] = sets.filter((set) => set.size > 0);
  if (others.length === 0) return first;
  const merged = new Map(first);
  for (const other of others) addAll(merged, other.values());
  return merged;
}

/** `requirements` with this requirement instead of whatever the key had. */
export function replaceRequirement(requirements: Requirements, value: Requirement): Requirements {
  return new Map(requirements).set(value.key, value);
}

export function withoutKeys(requirements: Requirements, ...keys: readonly string[]): Requirements {
  const rest = new Map(requirements);
  for (const key of keys) rest.delete(key);
  return rest;
}

/** A key nobody mentioned may have any value, for whoever needs it to have one. */
export function requirementOn(requirements: Requirements, key: string): Requirement {
  return requirements.get(key) ?? exists(key);
}

export function hasMinValues(requirements: Requirements): boolean {
  for (const { minValues } of requirements.values()) if (minValues !== undefined) return true;
  return false;
}

/** The written form, by key. */
export function toRequirementEntries(requirements: Requirements): RequirementEntry[] {
  return [...requirements]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, value]) => toEntries(value));
}

/** Sorted and comma-separated; restricted keys (the placeholder hostname) are our own business. */
export function describeRequirements(rules: LabelRules, requirements: Requirements): string {
  return [...requirements.values()]
    .filter(({ key }) => !rules.restricted.has(key))
    .map(describeRequirement)
    .toSorted()
    .join(', ');
}

function addAll(
  target: Map<string, Requirement>,
  list: Iterable<Requirement>,
): Map<string, Requirement> {
  for (const added of list) {
    const known = target.get(added.key);
    target.set(added.key, known === undefined ? added : intersect(added, known));
  }
  return target;
}
