// HorizontalPodAutoscalers: bounds, target and behaviour. In: the object in its newest version. Out: field errors, in the
// server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { parseQuantity } from '../../../model/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { metricErrors, targetErrors, versionProblem } from './autoscaler-metrics.ts';

const longestWindowSeconds = 3600;
const longestPeriodSeconds = 1800;

export function autoscalerErrors(object: ApiObject, before?: ApiObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const target = objectAt(spec, 'scaleTargetRef') ?? {};
  const known = objectAt(before, 'spec', 'scaleTargetRef');
  return [
    ...boundErrors(spec),
    ...targetErrors(target, 'spec.scaleTargetRef', groupProblem(target, known)),
    ...objectsAt(spec, 'metrics').flatMap((metric, i) =>
      metricErrors(metric, `spec.metrics[${i}]`),
    ),
    ...zeroErrors(spec),
    ...['scaleUp', 'scaleDown'].flatMap((direction) => {
      const rules = objectAt(spec, 'behavior', direction);
      return rules === undefined ? [] : ruleErrors(rules, `spec.behavior.${direction}`);
    }),
  ];
}

/** All that can be scaled has a group, but for one kind. What was let in before may stay. */
function groupProblem(
  target: JsonObject,
  before: JsonObject | undefined,
): (apiVersion: string) => string | undefined {
  const isSame = (field: string): boolean => textAt(target, field) === textAt(before, field);
  if (before !== undefined && isSame('kind') && isSame('apiVersion')) return () => undefined;
  if (textAt(target, 'kind') === 'ReplicationController') return versionProblem;
  return (apiVersion) =>
    versionProblem(apiVersion) ??
    (apiVersion.includes('/') ? undefined : 'apiVersion must specify API group');
}

function boundErrors(spec: JsonObject): readonly FieldError[] {
  const min = numberAt(spec, 'minReplicas');
  const max = numberAt(spec, 'maxReplicas') ?? 0;
  return [
    ...(min !== undefined && min < 1
      ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')]
      : []),
    ...(max < 1 ? [invalid('spec.maxReplicas', max, 'must be greater than 0')] : []),
    ...(min !== undefined && max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
  ];
}

/** What pods say about themselves is silent when there are none. */
function zeroErrors(spec: JsonObject): readonly FieldError[] {
  if (numberAt(spec, 'minReplicas') !== 0) return [];
  const hasOutside = objectsAt(spec, 'metrics').some((metric) =>
    ['Object', 'External'].includes(textAt(metric, 'type')),
  );
  const rule =
    'must specify at least one Object or External metric to support scaling to zero replicas';
  return hasOutside ? [] : [forbidden('spec.metrics', rule)];
}

const choices = ['Disabled', 'Max', 'Min'];

function ruleErrors(rules: JsonObject, field: string): readonly FieldError[] {
  const choice = stringAt(rules, 'selectPolicy');
  const policies = objectsAt(rules, 'policies');
  const tolerance = stringAt(rules, 'tolerance');
  return [
    ...windowErrors(numberAt(rules, 'stabilizationWindowSeconds'), field),
    ...(choice === undefined || choices.includes(choice)
      ? []
      : [notSupported(`${field}.selectPolicy`, choice, choices)]),
    ...(policies.length === 0
      ? [required(`${field}.policies`, 'must specify at least one Policy')]
      : []),
    ...policies.flatMap((policy, index) => policyErrors(policy, `${field}.policies[${index}]`)),
    ...(tolerance !== undefined && parseQuantity(tolerance).nano < 0n
      ? [invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ];
}

function windowErrors(seconds: number | undefined, field: string): readonly FieldError[] {
  if (seconds === undefined) return [];
  const at = `${field}.stabilizationWindowSeconds`;
  const tooLong = `must be less than or equal to ${longestWindowSeconds}`;
  return [
    ...(seconds < 0 ? [invalid(at, seconds, 'must be greater than or equal to zero')] : []),
    ...(seconds > longestWindowSeconds ? [invalid(at, seconds, tooLong)] : []),
  ];
}

const policyTypes = ['Percent', 'Pods'];

function policyErrors(policy: JsonObject, field: string): readonly FieldError[] {
  const type = textAt(policy, 'type');
  const value = numberAt(policy, 'value') ?? 0;
  const period = numberAt(policy, 'periodSeconds') ?? 0;
  const tooLong = `must be less than or equal to ${longestPeriodSeconds}`;
  return [
    ...(policyTypes.includes(type) ? [] : [notSupported(`${field}.type`, type, policyTypes)]),
    ...(value <= 0 ? [invalid(`${field}.value`, value, 'must be greater than zero')] : []),
    ...(period <= 0
      ? [invalid(`${field}.periodSeconds`, period, 'must be greater than zero')]
      : []),
    ...(period > longestPeriodSeconds ? [invalid(`${field}.periodSeconds`, period, tooLong)] : []),
  ];
}
