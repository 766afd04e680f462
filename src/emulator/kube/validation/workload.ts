// Deployments, ReplicaSets, StatefulSets, DaemonSets, ReplicationControllers: defaults, the selector that must match the
// template and may never change, and counts that are not negative.
import type { Json } from '../../../api/meta.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  countAt,
  numberAt,
  objectAt,
  sameJson,
  textAt,
  withDefaults,
  without,
  withValue,
  type JsonObject,
} from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus, statusKeepingLabels, withStatusOf } from '../registry/status-rules.ts';
import { labelSelectorTest } from '../selector/label-selector.ts';
import { dnsLabelErrors, dnsLabelName, dnsSubdomainName } from './names.ts';
import { eachObject, templateDefaults } from './pod-defaults.ts';
import { alwaysRestarts, templateErrors } from './pod-template.ts';
import { replicaCountErrors } from './replica-counts.ts';
import { isEmptySelector, selectorErrors } from './selector.ts';

const template = ['spec', 'template'];
type Texts = Record<string, string>;

function withSpecDefaults(object: ApiObject, defaults: JsonObject): ApiObject {
  const spec = withDefaults(objectAt(object, 'spec') ?? {}, defaults);
  return templateDefaults(withValue(object, ['spec'], spec), template) as ApiObject;
}

function nonNegative(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) => {
    const value = countAt(object, 'spec', field);
    return value < 0 ? [invalid(`spec.${field}`, value, 'must be greater than or equal to 0')] : [];
  });
}

/** A selector that does not select the template's own pods would make them without end. */
function matchErrors(object: ApiObject, emptyWords: string): readonly FieldError[] {
  const selector = at(object, 'spec', 'selector');
  const labels = (objectAt(object, ...template, 'metadata', 'labels') ?? {}) as Texts;
  const wrong = selectorErrors(selector, 'spec.selector');
  if (wrong.length > 0)
    return [...wrong, invalid('spec.selector', selector ?? null, 'invalid label selector')];
  const errors: FieldError[] = [];
  if (selector === undefined) errors.push(required('spec.selector'));
  else if (isEmptySelector(selector)) errors.push(invalid('spec.selector', selector, emptyWords));
  if (!isEmptySelector(selector ?? {}) || selector === undefined) {
    if (labelSelectorTest(selector)(labels)) return errors;
    errors.push(
      invalid(
        'spec.template.metadata.labels',
        labels,
        '`selector` does not match template `labels`',
      ),
    );
  }
  return errors;
}

function fixedSelector(object: ApiObject, before: ApiObject): readonly FieldError[] {
  const selector = at(object, 'spec', 'selector');
  if (sameJson(selector, at(before, 'spec', 'selector'))) return [];
  return [invalid('spec.selector', selector ?? null, 'field is immutable')];
}

function bothWays(
  rules: (object: ApiObject) => readonly FieldError[],
  onUpdate: (object: ApiObject, before: ApiObject) => readonly FieldError[] = fixedSelector,
): Pick<Strategy, 'validate' | 'validateUpdate'> {
  return {
    validate: rules,
    validateUpdate: (object, before) => [...rules(object), ...onUpdate(object, before)],
  };
}

function percentOrCount(value: Json | undefined, field: string): readonly FieldError[] {
  if (typeof value === 'number') {
    return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  }
  if (typeof value !== 'string' || /^[0-9]+%$/.test(value)) return [];
  return [
    invalid(
      field,
      value,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ];
}

function rollingDefaults(object: ApiObject, field: string, defaults: JsonObject): ApiObject {
  const strategy = withDefaults(objectAt(object, 'spec', field) ?? {}, { type: 'RollingUpdate' });
  if (strategy['type'] !== 'RollingUpdate') return withValue(object, ['spec', field], strategy);
  const rolling = withDefaults(objectAt(strategy, 'rollingUpdate') ?? {}, defaults);
  return withValue(object, ['spec', field], withValue(strategy, ['rollingUpdate'], rolling));
}

function isZero(value: Json | undefined): boolean {
  return value === 0 || value === '0%';
}

function rolloutErrors(object: ApiObject): readonly FieldError[] {
  const field = 'spec.strategy';
  const type = textAt(object, 'spec', 'strategy', 'type');
  const rolling = objectAt(object, 'spec', 'strategy', 'rollingUpdate');
  if (type !== 'RollingUpdate' && type !== 'Recreate') {
    const shown = at(object, 'spec', 'strategy') ?? {};
    return [notSupported(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  if (rolling === undefined) return [];
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return [forbidden(`${field}.rollingUpdate`, detail)];
  }
  const { maxUnavailable, maxSurge } = rolling;
  const unavailable = `${field}.rollingUpdate.maxUnavailable`;
  const errors = [
    ...percentOrCount(maxUnavailable, unavailable),
    ...percentOrCount(maxSurge, `${field}.rollingUpdate.maxSurge`),
  ];
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    errors.push(invalid(unavailable, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'));
  }
  return errors;
}

function deploymentErrors(object: ApiObject): readonly FieldError[] {
  const errors = [
    ...nonNegative(object, ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
    ...matchErrors(object, 'empty selector is invalid for deployment'),
    ...templateErrors(object, template),
    ...alwaysRestarts(object, template),
    ...rolloutErrors(object),
  ];
  const deadline = numberAt(object, 'spec', 'progressDeadlineSeconds');
  if (deadline !== undefined && deadline <= countAt(object, 'spec', 'minReadySeconds')) {
    const detail = 'must be greater than minReadySeconds';
    errors.push(invalid('spec.progressDeadlineSeconds', deadline, detail));
  }
  return errors;
}

export const deploymentStrategy: Strategy = {
  ...ownStatus(),
  generation: 'spec',
  defaults: (object) =>
    rollingDefaults(
      withSpecDefaults(object, {
        progressDeadlineSeconds: 600,
        replicas: 1,
        revisionHistoryLimit: 10,
      }),
      'strategy',
      { maxSurge: '25%', maxUnavailable: '25%' },
    ),
  prepareForStatusUpdate: statusKeepingLabels,
  validateStatusUpdate: replicaCountErrors,
  ...bothWays(deploymentErrors),
};

export const replicaSetStrategy: Strategy = {
  ...ownStatus({ replicas: 0 }),
  generation: 'spec',
  defaults: (object) => withSpecDefaults(object, { replicas: 1 }),
  ...bothWays((object) => [
    ...nonNegative(object, ['replicas', 'minReadySeconds']),
    ...matchErrors(object, 'empty selector is invalid for deployment'),
    ...templateErrors(object, template),
    ...alwaysRestarts(object, template),
  ]),
};

const claimDefaults = (claim: JsonObject): JsonObject => {
  const spec = withDefaults(objectAt(claim, 'spec') ?? {}, { volumeMode: 'Filesystem' });
  return withDefaults(
    { ...claim, spec },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {},
      status: { phase: 'Pending' },
    },
  );
};

const changeableOfStatefulSet = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function statefulSetUpdate(object: ApiObject, before: ApiObject): readonly FieldError[] {
  const rest = (source: ApiObject): JsonObject =>
    changeableOfStatefulSet.reduce(
      (spec, field) => without(spec, field),
      objectAt(source, 'spec') ?? {},
    );
  if (sameJson(rest(object), rest(before))) return [];
  const listed = changeableOfStatefulSet.map((field) => `'${field}'`);
  return [
    forbidden(
      'spec',
      `updates to statefulset spec for fields other than ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)} are forbidden`,
    ),
  ];
}

/** Written even when it is empty, and then nobody's. */
function withServiceName(object: ApiObject): ApiObject {
  return withValue(
    object,
    ['spec'],
    withDefaults(objectAt(object, 'spec') ?? {}, { serviceName: '' }),
  );
}

function serviceNameErrors(object: ApiObject): readonly FieldError[] {
  const name = textAt(object, 'spec', 'serviceName');
  if (name === '') return [];
  return dnsLabelErrors(name).map((error) => invalid('spec.serviceName', name, error));
}

const statefulSetStatus = ownStatus({ replicas: 0, availableReplicas: 0 });

export const statefulSetStrategy: Strategy = {
  prepareForCreate: (object, rules) =>
    withServiceName(statefulSetStatus.prepareForCreate(object, rules)),
  prepareForUpdate: (object, before, rules) =>
    withServiceName(statefulSetStatus.prepareForUpdate(object, before, rules)),
  nameErrors: dnsLabelName,
  generation: 'spec',
  defaults: (object) => {
    const filled = withSpecDefaults(object, {
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    const spec = eachObject(objectAt(filled, 'spec') ?? {}, 'volumeClaimTemplates', claimDefaults);
    return rollingDefaults(withValue(filled, ['spec'], spec), 'updateStrategy', { partition: 0 });
  },
  ...bothWays(
    (object) => [
      ...nonNegative(object, ['replicas', 'minReadySeconds']),
      ...serviceNameErrors(object),
      ...matchErrors(object, 'empty selector is invalid for statefulset'),
      ...templateErrors(object, template),
      ...alwaysRestarts(object, template),
    ],
    statefulSetUpdate,
  ),
};

const templateGeneration = 'deprecated.daemonset.template.generation';

function withTemplateGeneration(object: ApiObject, generation: number): ApiObject {
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
  return withMeta(object, { annotations });
}

export const daemonSetStrategy: Strategy = {
  generation: 'spec',
  defaults: (object) => {
    const filled = withSpecDefaults(object, { revisionHistoryLimit: 10 });
    const rolling = rollingDefaults(filled, 'updateStrategy', { maxSurge: 0, maxUnavailable: 1 });
    const isCounted = object.metadata.annotations?.[templateGeneration] !== undefined;
    return isCounted ? rolling : withTemplateGeneration(rolling, 1);
  },
  prepareForCreate: (object) => ({
    ...object,
    status: {
      currentNumberScheduled: 0,
      desiredNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
    },
  }),
  prepareForUpdate: (object, before) => {
    const kept = withStatusOf(object, before);
    const old = Number(before.metadata.annotations?.[templateGeneration] ?? 0);
    const isSame = sameJson(at(object, ...template), at(before, ...template));
    return withTemplateGeneration(kept, isSame ? old : old + 1);
  },
  ...bothWays((object) => [
    ...nonNegative(object, ['minReadySeconds', 'revisionHistoryLimit']),
    ...matchErrors(object, 'empty selector is invalid for daemonset'),
    ...templateErrors(object, template),
    ...alwaysRestarts(object, template),
  ]),
};

export const replicationControllerStrategy: Strategy = {
  ...ownStatus({ replicas: 0 }),
  generation: 'spec',
  orphansByDefault: true,
  defaults: (object) => {
    const filled = withSpecDefaults(object, { replicas: 1 });
    const labels = objectAt(filled, ...template, 'metadata', 'labels');
    if (labels === undefined) return filled;
    const selected = withValue(
      filled,
      ['spec', 'selector'],
      at(filled, 'spec', 'selector') ?? labels,
    );
    return selected.metadata.labels === undefined
      ? withMeta(selected, { labels: labels as Texts })
      : selected;
  },
  ...bothWays(
    (object) => {
      const selector = objectAt(object, 'spec', 'selector') ?? {};
      const labels = (objectAt(object, ...template, 'metadata', 'labels') ?? {}) as Texts;
      const errors = [...nonNegative(object, ['replicas', 'minReadySeconds'])];
      if (Object.keys(selector).length === 0) errors.push(required('spec.selector'));
      else if (!labelSelectorTest({ matchLabels: selector })(labels)) {
        errors.push(
          invalid(
            'spec.template.metadata.labels',
            labels,
            '`selector` does not match template `labels`',
          ),
        );
      }
      return [...errors, ...templateErrors(object, template), ...alwaysRestarts(object, template)];
    },
    () => [],
  ),
};

export const controllerRevisionStrategy: Strategy = {
  nameErrors: dnsSubdomainName,
  validateUpdate: (object, before) =>
    sameJson(object['data'], before['data'])
      ? []
      : [invalid('data', object['data'] ?? null, 'field is immutable')],
};
