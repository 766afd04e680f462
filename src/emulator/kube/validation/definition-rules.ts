// The CEL rules of a schema as its definition brings them. In: the schema. Out: complaints about rules that say nothing,
// do not parse, or cannot be what they are for; those of the type checker begin as the server's do.
import { ruleChecker, type RuleProblem } from '../../../api/crd/validation/rule-check.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import { isObject, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../json.ts';

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

export function ruleErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const rules = objectsAt(schema, 'x-kubernetes-validations');
  const check = rules.length === 0 ? () => [] : ruleChecker(schema);
  const own = rules.flatMap((rule, index) =>
    oneRuleErrors(rule, check, `${field}.x-kubernetes-validations[${index}]`),
  );
  return [...own, ...childErrors(schema, field)];
}

function childErrors(schema: JsonObject, field: string): readonly FieldError[] {
  const properties = Object.entries(objectAt(schema, 'properties') ?? {}).flatMap(([name, child]) =>
    isObject(child) ? ruleErrors(child, `${field}.properties[${name}]`) : [],
  );
  const below = ['items', 'additionalProperties'].flatMap((name) => {
    const child = objectAt(schema, name);
    return child === undefined ? [] : ruleErrors(child, `${field}.${name}`);
  });
  return [...properties, ...below];
}

function oneRuleErrors(
  rule: JsonObject,
  check: ReturnType<typeof ruleChecker>,
  field: string,
): readonly FieldError[] {
  const text = textAt(rule, 'rule');
  if (text.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
  const errors: FieldError[] = [];
  const message = textAt(rule, 'message');
  if (/[\n\r]/.test(message)) {
    errors.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
  }
  const reason = stringAt(rule, 'reason');
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(`${field}.reason`, reason, reasons));
  }
  if (errors.length > 0) return errors;
  const shown = shownRule(rule);
  const problems = check({
    rule: text,
    messageExpression: stringAt(rule, 'messageExpression'),
    hasOptionalOld: rule['optionalOldSelf'] === true,
  });
  return problems.map(({ part, problem }: RuleProblem) =>
    invalid(`${field}.${part}`, shown, problem),
  );
}

/** The rule as the server shows it: all its fields, under the names of its own language. */
function shownRule(rule: JsonObject): JsonObject {
  return {
    Rule: textAt(rule, 'rule'),
    Message: textAt(rule, 'message'),
    MessageExpression: textAt(rule, 'messageExpression'),
    Reason: stringAt(rule, 'reason') ?? null,
    FieldPath: textAt(rule, 'fieldPath'),
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  };
}
