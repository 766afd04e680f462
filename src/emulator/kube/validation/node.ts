// Nodes: taints, addresses of pods, and the provider's id, which once set stays.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../field-error.ts';
import { at, objectAt, objectsAt, stringAt, textAt, withDefaults } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { labelValueErrors, qualifiedNameErrors } from './names.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function taintErrors(node: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsAt(node, 'spec', 'taints').flatMap((taint, index) => {
    // The real server looks for taints in the spec and complains about the metadata.
    const field = `metadata.taints[${index}]`;
    const key = textAt(taint, 'key');
    const value = textAt(taint, 'value');
    const effect = textAt(taint, 'effect');
    const errors: FieldError[] = qualifiedNameErrors(key).map((error) =>
      invalid(`${field}.key`, key, error),
    );
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) errors.push(invalid(`${field}.value`, value, wrong.join(';')));
    if (effect === '') errors.push(required(`${field}.effect`));
    else if (!effects.includes(effect))
      errors.push(notSupported(`${field}.effect`, effect, effects));
    const id = `${effect} ${key}`;
    if (seen.has(id)) {
      errors.push({
        ...duplicate(field, taint),
        detail: 'taints must be unique by key and effect pair',
      });
    }
    seen.add(id);
    return errors;
  });
}

const nodeInfo = Object.fromEntries(
  [
    'architecture',
    'bootID',
    'containerRuntimeVersion',
    'kernelVersion',
    'kubeProxyVersion',
    'kubeletVersion',
    'machineID',
    'operatingSystem',
    'osImage',
    'systemUUID',
  ].map((field) => [field, '']),
);

/** Fields of the status that are always written, empty or not. */
const emptyStatus = { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo };

function fixedOnceSet(node: ApiObject, before: ApiObject, field: string): readonly FieldError[] {
  const old = textAt(before, 'spec', field);
  if (old === '' || old === stringAt(node, 'spec', field)) return [];
  return [
    forbidden(`spec.${field}`, 'node updates may not change ' + field + ' except from "" to valid'),
  ];
}

export const nodeStrategy: Strategy = {
  defaults: (node) => {
    const spec = objectAt(node, 'spec') ?? {};
    const status = withDefaults(objectAt(node, 'status') ?? {}, emptyStatus);
    // What a node can take is what it has, unless it says otherwise.
    const capacity = at(status, 'capacity');
    const full = capacity === undefined ? status : withDefaults(status, { allocatable: capacity });
    return node['spec'] === spec && node['status'] === full
      ? node
      : { ...node, spec, status: full };
  },
  prepareForUpdate: withStatusOf,
  validate: taintErrors,
  validateUpdate: (node, before) => [
    ...taintErrors(node),
    ...fixedOnceSet(node, before, 'providerID'),
    ...fixedOnceSet(node, before, 'podCIDR'),
  ],
};
