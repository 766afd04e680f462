// A Job's pod failure policy. In: its spec. Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import type { Json } from '../../../api/meta.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../field-error.ts';
import {
  at,
  isArray,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import { qualifiedNameErrors } from './names.ts';

const mostRules = 20;
const mostExitCodes = 255;

export function failurePolicyErrors(spec: JsonObject, field: string): readonly FieldError[] {
  const policy = objectAt(spec, 'podFailurePolicy');
  if (policy === undefined) return [];
  const rules = objectsAt(policy, 'rules');
  return [
    ...(rules.length > mostRules ? [tooMany(`${field}.rules`, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => failureRuleErrors(spec, rule, `${field}.rules[${index}]`)),
  ];
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** `["Count" "FailIndex"]`: how the server lists what it would take. */
function listed(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function failureRuleErrors(
  spec: JsonObject,
  rule: JsonObject,
  field: string,
): readonly FieldError[] {
  const exitCodes = objectAt(rule, 'onExitCodes');
  const conditions = objectsAt(rule, 'onPodConditions');
  const errors = [
    ...actionErrors(spec, textAt(rule, 'action'), `${field}.action`),
    ...(exitCodes === undefined ? [] : exitCodeErrors(spec, exitCodes, `${field}.onExitCodes`)),
    ...conditionErrors(conditions, `${field}.onPodConditions`),
  ];
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported';
  const none = 'specifying one of OnExitCodes and OnPodConditions is required';
  const hasConditions = conditions.length > 0;
  if ((exitCodes !== undefined) !== hasConditions) return errors;
  return [...errors, { field, type: 'Invalid', detail: hasConditions ? both : none }];
}

function actionErrors(spec: JsonObject, action: string, field: string): readonly FieldError[] {
  if (action === '') return [required(field, listed(actions))];
  if (!actions.includes(action)) return [notSupported(field, action, actions)];
  const isLost = action === 'FailIndex' && numberAt(spec, 'backoffLimitPerIndex') === undefined;
  return isLost ? [invalid(field, action, 'requires the backoffLimitPerIndex to be set')] : [];
}

const operators = ['In', 'NotIn'];

function exitCodeErrors(spec: JsonObject, rule: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(rule, 'operator');
  const errors: FieldError[] = [];
  if (operator === '') errors.push(required(`${field}.operator`, listed(operators)));
  else if (!operators.includes(operator))
    errors.push(notSupported(`${field}.operator`, operator, operators));
  const container = stringAt(rule, 'containerName');
  if (container !== undefined && !containerNames(spec).includes(container)) {
    const where = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${field}.containerName`, container, where));
  }
  return [...errors, ...codeErrors(at(rule, 'values') ?? null, operator, `${field}.values`)];
}

function containerNames(spec: JsonObject): readonly string[] {
  return ['containers', 'initContainers'].flatMap((list) =>
    objectsAt(spec, 'template', 'spec', list).map((container) => textAt(container, 'name')),
  );
}

function codeErrors(values: Json, operator: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const codes = isArray(values) ? values : [];
  if (codes.length === 0) errors.push(invalid(field, values, 'at least one value is required'));
  if (codes.length > mostExitCodes) errors.push(tooMany(field, codes.length, mostExitCodes));
  for (const [index, code] of codes.entries()) {
    const at = `${field}[${index}]`;
    if (operator === 'In' && code === 0)
      errors.push(invalid(at, code, 'must not be 0 for the In operator'));
    if (codes.indexOf(code) < index) errors.push(duplicate(at, code));
  }
  const isOrdered = codes.every((code, i) => i === 0 || Number(codes[i - 1]) <= Number(code));
  if (!isOrdered) errors.push(invalid(field, codes, 'must be ordered'));
  return errors;
}

const statuses = ['False', 'True', 'Unknown'];

function conditionErrors(patterns: readonly JsonObject[], field: string): readonly FieldError[] {
  const errors = patterns.flatMap((pattern, index) => {
    const at = `${field}[${index}]`;
    const type = textAt(pattern, 'type');
    const status = textAt(pattern, 'status');
    return [
      ...qualifiedNameErrors(type).map((rule) => invalid(`${at}.type`, type, rule)),
      ...(statuses.includes(status) ? [] : [notSupported(`${at}.status`, status, statuses)]),
    ];
  });
  if (patterns.length <= mostRules) return errors;
  return [tooMany(field, patterns.length, mostRules), ...errors];
}
