// PersistentVolumes and claims on them: what is filled in, and that a claim keeps asking for what it got.
import { compareQuantities, parseQuantity } from '../../../model/quantity.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, notSupported, required, invalid } from '../field-error.ts';
import {
  at,
  isObject,
  listAt,
  objectAt,
  sameJson,
  stringAt,
  textAt,
  withDefaults,
  without,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { toTimestamp } from '../../../base/clock.ts';
import { selectorErrors } from './selector.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function modeErrors(object: ApiObject, words = ''): readonly FieldError[] {
  const given = listAt(object, 'spec', 'accessModes');
  if (given.length === 0) return [required('spec.accessModes', words)];
  return given
    .filter((mode) => typeof mode !== 'string' || !modes.includes(mode))
    .map((mode) => notSupported('spec.accessModes', mode, modes));
}

function claimErrors(claim: ApiObject): readonly FieldError[] {
  const storage = stringAt(claim, 'spec', 'resources', 'requests', 'storage');
  const errors = [
    ...selectorErrors(at(claim, 'spec', 'selector'), 'spec.selector'),
    ...modeErrors(claim, 'at least 1 access mode is required'),
  ];
  if (storage === undefined) errors.push(required('spec.resources[storage]'));
  else if (parseQuantity(storage).nano <= 0n) {
    errors.push(invalid('spec.resources[storage]', storage, 'must be greater than zero'));
  }
  return errors;
}

const claimWords =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';

function claimUpdateErrors(claim: ApiObject, before: ApiObject): readonly FieldError[] {
  const errors = [...claimErrors(claim)];
  const isBound = stringAt(before, 'status', 'phase') === 'Bound';
  const old = stringAt(before, 'spec', 'resources', 'requests', 'storage') ?? '0';
  const now = stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '0';
  const rest = (source: ApiObject): JsonObject => {
    const spec = objectAt(source, 'spec') ?? {};
    const open = isBound ? without(without(spec, 'resources'), 'volumeAttributesClassName') : spec;
    // A claim without a volume or class may be given one: that is how it is bound.
    const unbound =
      textAt(before, 'spec', 'volumeName') === '' ? without(open, 'volumeName') : open;
    return at(before, 'spec', 'storageClassName') === undefined
      ? without(unbound, 'storageClassName')
      : unbound;
  };
  if (!sameJson(rest(claim), rest(before))) errors.push(forbidden('spec', claimWords));
  else if (isBound && compareQuantities(parseQuantity(now), parseQuantity(old)) < 0) {
    errors.push(
      forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
    );
  }
  return errors;
}

export const volumeClaimStrategy: Strategy = {
  returnsDeleted: true,
  defaults: (claim) => {
    const spec = withDefaults(objectAt(claim, 'spec') ?? {}, { volumeMode: 'Filesystem' });
    return spec === claim['spec'] ? claim : { ...claim, spec };
  },
  prepareForCreate: (claim) => ({ ...claim, status: { phase: 'Pending' } }),
  prepareForUpdate: withStatusOf,
  validate: claimErrors,
  validateUpdate: claimUpdateErrors,
};

const notSources: ReadonlySet<string> = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

function sourcesOf(volume: ApiObject): readonly string[] {
  const spec = objectAt(volume, 'spec') ?? {};
  return Object.keys(spec).filter((field) => !notSources.has(field) && isObject(spec[field]));
}

function volumeErrors(volume: ApiObject): readonly FieldError[] {
  const errors = [...modeErrors(volume)];
  const capacity = objectAt(volume, 'spec', 'capacity');
  if (capacity === undefined || Object.keys(capacity).length === 0)
    errors.push(required('spec.capacity'));
  if (capacity?.['storage'] === undefined)
    errors.push(notSupported('spec.capacity', capacity ?? null, ['storage']));
  const sources = sourcesOf(volume);
  if (sources.length === 0) errors.push(required('spec', 'must specify a volume type'));
  for (const extra of sources.slice(1)) {
    errors.push(forbidden(`spec.${extra}`, 'may not specify more than 1 volume type'));
  }
  return errors;
}

export const volumeStrategy: Strategy = {
  returnsDeleted: true,
  defaults: (volume) => {
    const spec = withDefaults(objectAt(volume, 'spec') ?? {}, {
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    });
    const path = objectAt(spec, 'hostPath');
    const filled =
      path === undefined ? spec : withValue(spec, ['hostPath'], withDefaults(path, { type: '' }));
    return filled === volume['spec'] ? volume : { ...volume, spec: filled };
  },
  prepareForCreate: (volume, { nowMs }) => ({
    ...volume,
    status: { phase: 'Pending', lastPhaseTransitionTime: toTimestamp(nowMs) },
  }),
  prepareForUpdate: withStatusOf,
  prepareForStatusUpdate: (volume, before, { nowMs }) => {
    const changed = stringAt(volume, 'status', 'phase') !== stringAt(before, 'status', 'phase');
    const status = objectAt(volume, 'status') ?? {};
    const stamped = changed ? { ...status, lastPhaseTransitionTime: toTimestamp(nowMs) } : status;
    return { ...before, metadata: volume.metadata, status: stamped };
  },
  validate: volumeErrors,
  validateUpdate: (volume, before) => {
    const errors = [...volumeErrors(volume)];
    const [source] = sourcesOf(before);
    if (source !== undefined && !sameJson(at(volume, 'spec', source), at(before, 'spec', source))) {
      errors.push(
        forbidden(
          'spec.persistentvolumesource',
          'spec.persistentvolumesource is immutable after creation\n',
        ),
      );
    }
    return errors;
  },
};
