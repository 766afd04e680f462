// Admission policies and their bindings, which are kept and shown but never applied. In: the object. Out: defaults, and field
// errors in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import { conditionErrors, ruleErrors } from './admission-rules.ts';
import { dnsSubdomainErrors, qualifiedNameErrors } from './names.ts';
import { eachObject } from './pod-defaults.ts';
import { selectorErrors } from './selector.ts';

function matchDefaults(match: JsonObject): JsonObject {
  const filled = withDefaults(match, {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
  });
  const scoped = (rules: JsonObject, name: string): JsonObject =>
    eachObject(rules, name, (rule) => withDefaults(rule, { scope: '*' }));
  return scoped(scoped(filled, 'resourceRules'), 'excludeResourceRules');
}

export function policyDefaults(policy: ApiObject): ApiObject {
  const spec = withDefaults(objectAt(policy, 'spec') ?? {}, { failurePolicy: 'Fail' });
  const match = objectAt(spec, 'matchConstraints');
  const filled =
    match === undefined ? spec : withValue(spec, ['matchConstraints'], matchDefaults(match));
  return { ...policy, spec: filled };
}

export function bindingDefaults(binding: ApiObject): ApiObject {
  const match = objectAt(binding, 'spec', 'matchResources');
  if (match === undefined) return binding;
  return withValue(binding, ['spec', 'matchResources'], matchDefaults(match));
}

const failurePolicies = ['Fail', 'Ignore'];

export function policyErrors(policy: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec') ?? {};
  const failure = textAt(spec, 'failurePolicy');
  const match = objectAt(spec, 'matchConstraints');
  const kind = objectAt(spec, 'paramKind');
  return [
    ...(failurePolicies.includes(failure)
      ? []
      : [notSupported('spec.failurePolicy', failure, failurePolicies)]),
    ...(kind === undefined ? [] : kindErrors(kind)),
    ...(match === undefined
      ? [required('spec.matchConstraints')]
      : matchErrors(match, 'spec.matchConstraints')),
    ...conditionErrors(spec, 'spec.matchConditions'),
    ...objectsAt(spec, 'variables').flatMap((variable, i) => variableErrors(variable, i)),
    ...emptyErrors(spec),
    ...objectsAt(spec, 'validations').flatMap((validation, i) => validationErrors(validation, i)),
    ...objectsAt(spec, 'auditAnnotations').flatMap((annotation, i) =>
      annotationErrors(annotation, i, policy.metadata.name),
    ),
  ];
}

function kindErrors(kind: JsonObject): readonly FieldError[] {
  return ['apiVersion', 'kind']
    .filter((name) => textAt(kind, name) === '')
    .map((name) => required(`spec.paramKind.${name}`));
}

function matchErrors(match: JsonObject, field: string): readonly FieldError[] {
  const policy = stringAt(match, 'matchPolicy');
  const policies = ['Equivalent', 'Exact'];
  const rules = (name: string): readonly FieldError[] =>
    objectsAt(match, name).flatMap((rule, i) => ruleErrors(rule, `${field}.${name}[${i}]`));
  return [
    ...(policy === undefined || policies.includes(policy)
      ? []
      : [notSupported(`${field}.matchPolicy`, policy, policies)]),
    ...selectorErrors(at(match, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...selectorErrors(at(match, 'objectSelector'), `${field}.objectSelector`),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

function variableErrors(variable: JsonObject, index: number): readonly FieldError[] {
  const field = `spec.variables[${index}]`;
  const name = textAt(variable, 'name');
  const isName = /^[A-Za-z_]\w*$/.test(name);
  return [
    ...(name === '' ? [required(`${field}.name`, 'name is not specified')] : []),
    ...(name !== '' && !isName
      ? [invalid(`${field}.name`, name, 'must be a valid CEL identifier')]
      : []),
    ...(textAt(variable, 'expression') === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : []),
  ];
}

function emptyErrors(spec: JsonObject): readonly FieldError[] {
  const lists = ['validations', 'auditAnnotations'];
  if (lists.some((name) => listAt(spec, name).length > 0)) return [];
  const rule = 'validations or auditAnnotations must contain at least one item';
  return lists.map((name) => required(`spec.${name}`, rule));
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validationErrors(validation: JsonObject, index: number): readonly FieldError[] {
  const field = `spec.validations[${index}]`;
  const message = textAt(validation, 'message');
  const reason = stringAt(validation, 'reason');
  const known = ['Unauthorized', ...reasons];
  return [
    ...(textAt(validation, 'expression') === ''
      ? [required(`${field}.expression`, 'expression is not specified')]
      : []),
    ...(message.includes('\n')
      ? [invalid(`${field}.message`, message, 'must not contain line breaks')]
      : []),
    ...(reason === undefined || known.includes(reason)
      ? []
      : [notSupported(`${field}.reason`, reason, reasons)]),
  ];
}

function annotationErrors(
  annotation: JsonObject,
  index: number,
  policyName: string,
): readonly FieldError[] {
  const field = `spec.auditAnnotations[${index}]`;
  const key = `${policyName}/${textAt(annotation, 'key')}`;
  return [
    ...qualifiedNameErrors(key).map((rule) => invalid(`${field}.key`, key, rule)),
    ...(textAt(annotation, 'valueExpression') === ''
      ? [required(`${field}.valueExpression`, 'valueExpression is not specified')]
      : []),
  ];
}

const actions = ['Audit', 'Deny', 'Warn'];
const repeated =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

export function bindingErrors(binding: ApiObject): readonly FieldError[] {
  const spec = objectAt(binding, 'spec') ?? {};
  const name = textAt(spec, 'policyName');
  const match = objectAt(spec, 'matchResources');
  const reference = objectAt(spec, 'paramRef');
  return [
    ...(name === ''
      ? [required('spec.policyName')]
      : dnsSubdomainErrors(name).map((rule) => invalid('spec.policyName', name, rule))),
    ...(reference === undefined ? [] : referenceErrors(reference)),
    ...(match === undefined ? [] : matchErrors(match, 'spec.matchResources')),
    ...actionErrors(listAt(spec, 'validationActions').map(scalarText)),
  ];
}

function referenceErrors(reference: JsonObject): readonly FieldError[] {
  const field = 'spec.paramRef';
  const isNamed = textAt(reference, 'name') !== '';
  const isSelected = at(reference, 'selector') !== undefined;
  return [
    ...(isNamed || isSelected
      ? []
      : [required(field, 'one of name or selector must be specified')]),
    ...(stringAt(reference, 'parameterNotFoundAction') === undefined
      ? [required(`${field}.parameterNotFoundAction`)]
      : []),
  ];
}

function actionErrors(given: readonly string[]): readonly FieldError[] {
  const field = 'spec.validationActions';
  if (given.length === 0) return [required(field, 'at least one validation action is required')];
  return [
    ...given.flatMap((action, index) => {
      if (!actions.includes(action)) return [notSupported(`${field}[${index}]`, action, actions)];
      return given.indexOf(action) < index ? [duplicate(`${field}[${index}]`, action)] : [];
    }),
    ...(given.includes('Deny') && given.includes('Warn') ? [invalid(field, given, repeated)] : []),
  ];
}
