// Nodes: taints, addresses of pods, and the provider's id, which once set stays.
import { isIP } from 'node:net';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  withDefaults,
} from '../json.ts';
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
        ...duplicate(field, {
          Key: key,
          Value: value,
          Effect: effect,
          TimeAdded: at(taint, 'timeAdded') ?? null,
        }),
        detail: 'taints must be unique by key and effect pair',
      });
    }
    seen.add(id);
    return errors;
  });
}

/** Either form of the ranges of a node's pods stands for both. */
function rangesOf(node: ApiObject): readonly string[] {
  const all = listAt(node, 'spec', 'podCIDRs').map((range) => scalarText(range));
  const one = textAt(node, 'spec', 'podCIDR');
  return all.length > 0 || one === '' ? all : [one];
}

function isRange(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return (
    family > 0 &&
    rest.length === 0 &&
    /^\d+$/.test(bits) &&
    Number(bits) <= (family === 4 ? 32 : 128)
  );
}

function rangeErrors(node: ApiObject): readonly FieldError[] {
  return rangesOf(node).flatMap((range, index) =>
    isRange(range)
      ? []
      : [
          invalid(
            `spec.podCIDRs[${index}]`,
            range,
            'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
          ),
        ],
  );
}

function addressErrors(node: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsAt(node, 'status', 'addresses').flatMap((item, index) => {
    const shown = { Type: textAt(item, 'type'), Address: textAt(item, 'address') };
    const key = `${shown.Type} ${shown.Address}`;
    const isTwice = seen.has(key);
    seen.add(key);
    return isTwice ? [duplicate(`status.addresses[${index}]`, shown)] : [];
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
  validate: (node) => [...taintErrors(node), ...rangeErrors(node)],
  validateStatusUpdate: addressErrors,
  validateUpdate: (node, before) => [
    ...taintErrors(node),
    ...rangeErrors(node),
    ...fixedOnceSet(node, before, 'providerID'),
    ...fixedOnceSet(node, before, 'podCIDR'),
  ],
};
