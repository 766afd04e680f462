// What a Job says about failures and success beyond plain counts: per index, by policies, by another manager. In: its
// spec. Out: defaults and field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required, tooLong } from '../field-error.ts';
import {
  isObject,
  listAt,
  numberAt,
  objectAt,
  stringAt,
  textAt,
  withValue,
  type JsonObject,
} from '../json.ts';
import { failurePolicyErrors } from './job-failure-policy.ts';
import { successPolicyErrors } from './job-success-policy.ts';
import { prefixedPathErrors } from './prefixed-path.ts';

const indexed = 'Indexed';
const mostAtOnce = 100_000;
const longestManager = 63;

/** A condition that names no status is one that holds. */
export function policyDefaults(spec: JsonObject): JsonObject {
  const rules = listAt(spec, 'podFailurePolicy', 'rules');
  if (rules.length === 0) return spec;
  const filled = rules.map((rule) => {
    const patterns = listAt(rule, 'onPodConditions');
    if (!isObject(rule) || patterns.length === 0) return rule;
    const complete = patterns.map((pattern) =>
      isObject(pattern) && textAt(pattern, 'status') === ''
        ? { ...pattern, status: 'True' }
        : pattern,
    );
    return { ...rule, onPodConditions: complete };
  });
  return withValue(spec, ['podFailurePolicy', 'rules'], filled);
}

export function policyErrors(spec: JsonObject, field: string): readonly FieldError[] {
  return [
    ...managerErrors(spec, `${field}.managedBy`),
    ...modeErrors(spec, field),
    ...failurePolicyErrors(spec, `${field}.podFailurePolicy`),
    ...successPolicyErrors(spec, `${field}.successPolicy`),
    ...replacementErrors(spec, `${field}.podReplacementPolicy`),
  ];
}

function managerErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const manager = stringAt(spec, 'managedBy');
  if (manager === undefined) return [];
  return [
    ...prefixedPathErrors(manager, field),
    ...(manager.length > longestManager ? [tooLong(field, longestManager)] : []),
  ];
}

function modeErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const mode = stringAt(spec, 'completionMode');
  const errors: FieldError[] = [];
  if (numberAt(spec, 'maxFailedIndexes') !== undefined) {
    if (numberAt(spec, 'backoffLimitPerIndex') === undefined) {
      errors.push(required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
    }
  }
  // In a template there may be none: only jobs themselves get a default.
  if (mode !== undefined && mode !== indexed && mode !== 'NonIndexed') {
    errors.push(notSupported(`${field}.completionMode`, mode, ['NonIndexed', indexed]));
  }
  return [
    ...errors,
    ...(mode === indexed ? indexedErrors(spec, field) : []),
    ...(mode === 'NonIndexed' ? unindexedErrors(spec, field) : []),
  ];
}

function unindexedErrors(spec: JsonObject, field: string): readonly FieldError[] {
  return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((name) => {
    const value = numberAt(spec, name);
    if (value === undefined) return [];
    return [invalid(`${field}.${name}`, value, 'requires indexed completion mode')];
  });
}

function indexedErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const completions = numberAt(spec, 'completions');
  const parallelism = numberAt(spec, 'parallelism') ?? 0;
  const failed = numberAt(spec, 'maxFailedIndexes') ?? 0;
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required(`${field}.completions`, `when completion mode is ${indexed}`));
  }
  if (parallelism > mostAtOnce) {
    const rule = `must be less than or equal to ${mostAtOnce} when completion mode is ${indexed}`;
    errors.push(invalid(`${field}.parallelism`, parallelism, rule));
  }
  if (failed > (completions ?? Infinity)) {
    const rule = 'must be less than or equal to completions';
    errors.push(invalid(`${field}.maxFailedIndexes`, failed, rule));
  }
  if (failed > mostAtOnce) {
    const rule = `must be less than or equal to ${mostAtOnce}`;
    errors.push(invalid(`${field}.maxFailedIndexes`, failed, rule));
  }
  return errors;
}

function replacementErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const policy = stringAt(spec, 'podReplacementPolicy');
  const known =
    objectAt(spec, 'podFailurePolicy') === undefined
      ? ['Failed', 'TerminatingOrFailed']
      : ['Failed'];
  return policy === undefined || known.includes(policy) ? [] : [notSupported(field, policy, known)];
}
