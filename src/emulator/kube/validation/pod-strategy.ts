// Pods: what is filled in, what may be wrong, and the little that may change after they are made.
import {
  at,
  isEmpty,
  numberAt,
  objectAt,
  objectsAt,
  sameJson,
  stringAt,
  textAt,
  withDefaults,
  without,
  type JsonObject,
} from '../json.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { duplicate, forbidden, invalid } from '../field-error.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy, Subresource } from '../registry/resource-kind.ts';
import { withStatusOf } from '../registry/status-rules.ts';
import { qualifiedNameErrors } from './names.ts';
import { eachObject, podSpecDefaults } from './pod-defaults.ts';
import { podSpecErrors } from './pod-spec.ts';
import { qosClass } from './qos.ts';

function specOf(pod: ApiObject): JsonObject {
  return objectAt(pod, 'spec') ?? {};
}

function withSpec(pod: ApiObject, spec: JsonObject): ApiObject {
  return pod['spec'] === spec ? pod : { ...pod, spec };
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

function containerCountErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  return ['containers', 'initContainers'].flatMap((field) => {
    if (objectsAt(spec, field).length === objectsAt(before, field).length) return [];
    return [forbidden(`spec.${field}`, 'pod updates may not add or remove containers')];
  });
}

function onlyAddedTolerations(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const now = objectsAt(spec, 'tolerations');
  const isKept = (old: JsonObject): boolean =>
    now.some((toleration) =>
      sameJson(without(toleration, 'tolerationSeconds'), without(old, 'tolerationSeconds')),
    );
  if (objectsAt(before, 'tolerations').every((old) => isKept(old))) return [];
  return [
    forbidden(
      'spec.tolerations',
      'existing toleration can not be modified except its tolerationSeconds',
    ),
  ];
}

function onlyDeletedGates(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const old = new Set(objectsAt(before, 'schedulingGates').map((gate) => stringAt(gate, 'name')));
  const added = objectsAt(spec, 'schedulingGates').findIndex(
    (gate) => !old.has(stringAt(gate, 'name')),
  );
  if (added < 0) return [];
  return [
    forbidden(
      `spec.schedulingGates[${added}].name`,
      'only deletion is allowed, but found new scheduling gate',
    ),
  ];
}

/** The spec with everything that may change put back to what it was. */
function munged(spec: JsonObject, before: JsonObject): JsonObject {
  const withImages = (field: string) => {
    const old = objectsAt(before, field);
    return objectsAt(spec, field).map((container, index) => ({
      ...container,
      image: old[index]?.['image'] ?? '',
    }));
  };
  const same: Record<string, JsonObject[string]> = { ...spec };
  for (const field of ['containers', 'initContainers']) {
    if (spec[field] !== undefined) same[field] = withImages(field);
  }
  const isGated = objectsAt(before, 'schedulingGates').length > 0;
  const kept = [
    'activeDeadlineSeconds',
    'schedulingGates',
    'tolerations',
    ...(isGated ? ['nodeSelector', 'affinity'] : []),
  ];
  for (const field of kept) {
    const old = before[field];
    if (old === undefined) delete same[field];
    else same[field] = old;
  }
  return same;
}

function updateErrors(pod: ApiObject, before: ApiObject): readonly FieldError[] {
  const spec = specOf(pod);
  const old = specOf(before);
  if (spec === old || sameJson(spec, old)) return [];
  const counts = containerCountErrors(spec, old);
  if (counts.length > 0) return counts;
  const errors = [
    ...podSpecErrors(spec, 'spec'),
    ...onlyAddedTolerations(spec, old),
    ...onlyDeletedGates(spec, old),
  ];
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  const oldDeadline = numberAt(old, 'activeDeadlineSeconds');
  if (oldDeadline !== undefined && deadline === undefined) {
    errors.push(
      invalid(
        'spec.activeDeadlineSeconds',
        null,
        'must not update from a positive integer to nil value',
      ),
    );
  } else if (oldDeadline !== undefined && deadline !== undefined && deadline > oldDeadline) {
    errors.push(
      invalid(
        'spec.activeDeadlineSeconds',
        deadline,
        'must be less than or equal to previous value',
      ),
    );
  }
  if (!sameJson(munged(spec, old), old)) {
    errors.push(
      forbidden(
        'spec',
        `pod updates may not change fields other than ${changeable}\n${changedFields(munged(spec, old), old)}`,
      ),
    );
  }
  return errors;
}

function changedFields(spec: JsonObject, before: JsonObject): string {
  const names = new Set([...Object.keys(spec), ...Object.keys(before)]);
  return [...names]
    .filter((name) => !sameJson(spec[name], before[name]))
    .toSorted()
    .join(', ');
}

export const podStrategy: Strategy = {
  generation: 'spec',
  returnsDeleted: true,
  defaults: (pod) => withConditionTimes(withSpec(pod, podSpecDefaults(specOf(pod), true))),
  prepareForCreate: (pod) => ({
    ...pod,
    status: { phase: 'Pending', qosClass: qosClass(pod['spec']), ...gatedCondition(pod) },
  }),
  prepareForUpdate: withStatusOf,
  prepareForStatusUpdate: (pod, before) => {
    const { ownerReferences } = before.metadata;
    const { ownerReferences: _, ...rest } = pod.metadata;
    return {
      ...before,
      status: pod['status'] ?? {},
      metadata: ownerReferences === undefined ? rest : { ...rest, ownerReferences },
    };
  },
  validate: (pod) => podSpecErrors(specOf(pod), 'spec'),
  validateUpdate: updateErrors,
  validateStatusUpdate: conditionErrors,
  graceSeconds: (pod, wanted) => {
    const seconds = wanted ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30;
    const phase = stringAt(pod, 'status', 'phase');
    // Nobody runs it, or it has run: there is nobody to be graceful to.
    const isIdle =
      textAt(pod, 'spec', 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded';
    if (isIdle) return 0;
    return seconds < 0 ? 1 : seconds;
  },
};

function conditionErrors(pod: ApiObject): readonly FieldError[] {
  return objectsAt(pod, 'status', 'conditions').flatMap((condition, index) => {
    const type = textAt(condition, 'type');
    return qualifiedNameErrors(type).map((error) =>
      invalid(`status.conditions[${index}].Type`, type, error),
    );
  });
}

/** Times of conditions are written even when nobody has set them. */
function withConditionTimes(pod: ApiObject): ApiObject {
  const status = objectAt(pod, 'status');
  if (status === undefined) return pod;
  const timed = eachObject(status, 'conditions', (condition) =>
    withDefaults(condition, { lastProbeTime: null, lastTransitionTime: null }),
  );
  return timed === status ? pod : { ...pod, status: timed };
}

function gatedCondition(pod: ApiObject): JsonObject {
  if (objectsAt(pod, 'spec', 'schedulingGates').length === 0) return {};
  return {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastProbeTime: null,
        lastTransitionTime: null,
      },
    ],
  };
}

export const ephemeralContainers: Subresource = {
  name: 'ephemeralcontainers',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate: (pod, before) => {
    const added = at(pod, 'spec', 'ephemeralContainers');
    const spec = without(specOf(before), 'ephemeralContainers');
    return {
      ...before,
      metadata: pod.metadata,
      spec: added === undefined ? spec : { ...spec, ephemeralContainers: added },
    };
  },
  validateUpdate: (pod, before) => {
    const now = objectsAt(pod, 'spec', 'ephemeralContainers');
    const taken = ['containers', 'initContainers'].flatMap((field) =>
      objectsAt(pod, 'spec', field).map((container) => textAt(container, 'name')),
    );
    const twice = now.flatMap((container, index) => {
      const name = textAt(container, 'name');
      const isTaken = taken.includes(name);
      taken.push(name);
      return isTaken ? [duplicate(`spec.ephemeralContainers[${index}].name`, name)] : [];
    });
    if (twice.length > 0) return twice;
    return objectsAt(before, 'spec', 'ephemeralContainers').flatMap((old, index) => {
      const same = now.find((container) => stringAt(container, 'name') === stringAt(old, 'name'));
      if (same !== undefined && sameJson(same, old)) return [];
      const name = textAt(old, 'name');
      const detail =
        same === undefined
          ? `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`
          : `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n`;
      return [
        forbidden(
          same === undefined ? 'spec.ephemeralContainers' : `spec.ephemeralContainers[${index}]`,
          detail,
        ),
      ];
    });
  },
};

export const resize: Subresource = {
  name: 'resize',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate: (pod, before) => {
    const spec: Record<string, JsonObject[string]> = { ...specOf(before) };
    for (const field of ['containers', 'initContainers']) {
      if (spec[field] === undefined) continue;
      const now = objectsAt(pod, 'spec', field);
      spec[field] = objectsAt(before, 'spec', field).map((container) => {
        const wanted = now.find((candidate) => candidate['name'] === container['name']);
        const { resources, resizePolicy } = wanted ?? container;
        return {
          ...container,
          resources: resources ?? {},
          ...(isEmpty(resizePolicy) ? {} : { resizePolicy: resizePolicy ?? [] }),
        };
      });
    }
    return { ...before, metadata: pod.metadata, spec };
  },
  validateUpdate: (pod, before) => {
    const errors = [...podSpecErrors(specOf(pod), 'spec')];
    if (qosClass(pod['spec']) !== qosClass(before['spec'])) {
      errors.push(
        invalid(
          'spec',
          qosClass(pod['spec']),
          'Pod QOS Class may not change as a result of resizing',
        ),
      );
    }
    return errors;
  },
};
