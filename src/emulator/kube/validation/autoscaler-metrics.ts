// The metrics of a HorizontalPodAutoscaler. In: one metric. Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { parseQuantity } from '../../../model/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import { numberAt, objectAt, stringAt, textAt, type JsonObject } from '../json.ts';
import { parseApiVersion } from '../object.ts';
import { dnsLabelErrors, pathSegmentName } from './names.ts';

/** The field that belongs to a type of metric. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
/** In the order in which the server looks at them: only the first that is there is looked into. */
const looked = ['object', 'external', 'pods', 'resource', 'containerResource'];

export function metricErrors(metric: JsonObject, field: string): readonly FieldError[] {
  const type = textAt(metric, 'type');
  const wanted = sources[type];
  const present = looked.filter((name) => objectAt(metric, name) !== undefined);
  const [first] = present;
  const unknown = notSupported(`${field}.type`, type, Object.keys(sources));
  const missing = 'must populate information for the given metric source';
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : []),
    ...(wanted === undefined ? [unknown] : []),
    ...(first === undefined ? [] : sourceErrors(first, metric, `${field}.${first}`)),
    ...(wanted !== undefined && !present.includes(wanted)
      ? [required(`${field}.${wanted}`, missing)]
      : []),
    ...(present.length === 1
      ? []
      : present
          .filter((name) => name !== wanted)
          .map((name) =>
            forbidden(`${field}.${name}`, 'must populate the given metric source only'),
          )),
  ];
}

function sourceErrors(name: string, metric: JsonObject, field: string): readonly FieldError[] {
  const source = objectAt(metric, name) ?? {};
  const target = objectAt(source, 'target') ?? {};
  const has = (value: string): boolean => value in target;
  const either = { has, field: `${field}.target` };
  switch (name) {
    case 'object':
      return [
        ...targetErrors(objectAt(source, 'describedObject') ?? {}, `${field}.describedObject`),
        ...identifierErrors(source, field),
        ...amountErrors(target, `${field}.target`),
        ...valueErrors(either, 'must set either a target value or averageValue'),
      ];
    case 'external':
      return [
        ...identifierErrors(source, field),
        ...amountErrors(target, `${field}.target`),
        ...valueErrors(either, 'must set either a target value for metric or a per-pod target'),
        ...(has('value') && has('averageValue')
          ? [
              forbidden(
                `${field}.target.value`,
                'may not set both a target value for metric and a per-pod target',
              ),
            ]
          : []),
      ];
    case 'pods':
      return [
        ...identifierErrors(source, field),
        ...amountErrors(target, `${field}.target`),
        ...(has('averageValue')
          ? []
          : [
              required(
                `${field}.target.averageValue`,
                'must specify a positive target averageValue',
              ),
            ]),
      ];
    default:
      return [
        ...resourceNameErrors(source, name, field),
        ...amountErrors(target, `${field}.target`),
        ...utilizationErrors(either),
      ];
  }
}

interface Target {
  readonly has: (name: string) => boolean;
  readonly field: string;
}

function valueErrors({ has, field }: Target, rule: string): readonly FieldError[] {
  return has('value') || has('averageValue') ? [] : [required(`${field}.averageValue`, rule)];
}

function utilizationErrors({ has, field }: Target): readonly FieldError[] {
  const none = 'must set either a target raw value or a target utilization';
  const both = 'may not set both a target raw value and a target utilization';
  if (!has('averageUtilization') && !has('averageValue'))
    return [required(`${field}.averageUtilization`, none)];
  return has('averageUtilization') && has('averageValue')
    ? [forbidden(`${field}.averageValue`, both)]
    : [];
}

function resourceNameErrors(
  source: JsonObject,
  name: string,
  field: string,
): readonly FieldError[] {
  const errors =
    textAt(source, 'name') === ''
      ? [required(`${field}.name`, 'must specify a resource name')]
      : [];
  if (name === 'resource') return errors;
  const container = textAt(source, 'container');
  return [
    ...errors,
    ...(container === ''
      ? [required(`${field}.container`, 'must specify a container')]
      : dnsLabelErrors(container).map((rule) => invalid(`${field}.container`, container, rule))),
  ];
}

function identifierErrors(source: JsonObject, field: string): readonly FieldError[] {
  const name = textAt(source, 'metric', 'name');
  if (name === '') return [required(`${field}.metric.name`, 'must specify a metric name')];
  return pathSegmentName(name, false).map((rule) => invalid(`${field}.metric.name`, name, rule));
}

const targetTypes: ReadonlySet<string> = new Set(['Utilization', 'Value', 'AverageValue']);

function amountErrors(target: JsonObject, field: string): readonly FieldError[] {
  const type = textAt(target, 'type');
  const utilization = numberAt(target, 'averageUtilization');
  return [
    ...(type === '' ? [required(`${field}.type`, 'must specify a metric target type')] : []),
    ...(targetTypes.has(type)
      ? []
      : [invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue'].flatMap((name) => {
      const text = stringAt(target, name);
      if (text === undefined || parseQuantity(text).nano > 0n) return [];
      return [invalid(`${field}.${name}`, text, 'must be positive')];
    }),
    ...(utilization !== undefined && utilization < 1
      ? [invalid(`${field}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
  ];
}

/** Of what is scaled, and of the object that a metric describes. */
export function targetErrors(
  reference: JsonObject,
  field: string,
  version: (apiVersion: string) => string | undefined = versionProblem,
): readonly FieldError[] {
  const apiVersion = textAt(reference, 'apiVersion');
  const problem = version(apiVersion);
  return [
    ...segmentErrors(textAt(reference, 'kind'), `${field}.kind`),
    ...segmentErrors(textAt(reference, 'name'), `${field}.name`),
    ...(problem === undefined ? [] : [invalid(`${field}.apiVersion`, apiVersion, problem)]),
  ];
}

export function versionProblem(apiVersion: string): string | undefined {
  const isVersion = apiVersion === '' || parseApiVersion(apiVersion) !== undefined;
  return isVersion ? undefined : `unexpected GroupVersion string: ${apiVersion}`;
}

function segmentErrors(text: string, field: string): readonly FieldError[] {
  if (text === '') return [required(field)];
  return pathSegmentName(text, false).map((rule) => invalid(field, text, rule));
}
