// Jobs and CronJobs: defaults, the selector that a Job makes for itself, and fields that are fixed once it runs.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  countAt,
  objectAt,
  sameJson,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { ownStatus } from '../registry/status-rules.ts';
import { policyDefaults, policyErrors } from './job-policies.ts';
import { dnsSubdomainName, type NameRule } from './names.ts';
import { templateDefaults } from './pod-defaults.ts';
import { templateErrors } from './pod-template.ts';

const template = ['spec', 'template'];

function jobSpecDefaults(given: JsonObject): JsonObject {
  const spec = policyDefaults(given);
  const isEndless = spec['completions'] === undefined && spec['parallelism'] !== undefined;
  return withDefaults(spec, {
    ...(isEndless ? {} : { completions: 1 }),
    parallelism: 1,
    // Where each index has a limit of its own, the one for all of them is out of the way.
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
}

/** A Job finds its pods by its own uid, under the old name of the label and the new one. */
function withOwnSelector(job: ApiObject): ApiObject {
  const { uid = '', name } = job.metadata;
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const own = objectAt(job, ...template, 'metadata', 'labels');
  const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  const labelled = withValue(job, [...template, 'metadata', 'labels'], { ...own, ...labels });
  return withMeta(withValue(labelled, ['spec', 'selector'], selector), {
    labels: { ...job.metadata.labels, ...labels },
  });
}

function jobErrors(job: ApiObject, path: readonly string[] = ['spec']): readonly FieldError[] {
  const field = path.join('.');
  const errors: FieldError[] = [];
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]) {
    const value = countAt(job, ...path, name);
    if (value < 0)
      errors.push(invalid(`${field}.${name}`, value, 'must be greater than or equal to 0'));
  }
  errors.push(...policyErrors(objectAt(job, ...path) ?? {}, field));
  errors.push(...templateErrors(job, [...path, 'template']));
  return [...errors, ...restartErrors(job, path)];
}

function restartErrors(job: ApiObject, path: readonly string[]): readonly FieldError[] {
  const field = `${path.join('.')}.template.spec.restartPolicy`;
  const policy = textAt(job, ...path, 'template', 'spec', 'restartPolicy');
  if (policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'Never' && policy !== 'OnFailure') {
    return [notSupported(field, policy, ['OnFailure', 'Never'])];
  }
  const isOnlyNever = objectAt(job, ...path, 'podFailurePolicy') !== undefined;
  if (!isOnlyNever || policy === 'Never') return [];
  return [invalid(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function fixedFields(job: ApiObject, before: ApiObject): readonly FieldError[] {
  const isUnstarted =
    at(before, 'spec', 'suspend') === true && at(before, 'status', 'startTime') === undefined;
  const fields = [
    'selector',
    ...(isUnstarted ? [] : ['template']),
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ];
  const isIndexed = stringAt(before, 'spec', 'completionMode') === 'Indexed';
  if (!isIndexed) fields.unshift('completions');
  return fields
    .filter((field) => !sameJson(at(job, 'spec', field), at(before, 'spec', field)))
    .map((field) => invalid(`spec.${field}`, at(job, 'spec', field) ?? null, 'field is immutable'));
}

export const jobStrategy: Strategy = {
  ...ownStatus(),
  generation: 'spec',
  orphansByDefault: true,
  deleteWarnings: ({ orphanDependents, propagationPolicy }) =>
    orphanDependents === undefined && propagationPolicy === undefined
      ? [
          'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
        ]
      : [],
  defaults: (job) => {
    const spec = jobSpecDefaults(objectAt(job, 'spec') ?? {});
    return templateDefaults(withValue(job, ['spec'], spec), template) as ApiObject;
  },
  prepareForStamped: (job) =>
    at(job, 'spec', 'manualSelector') === true ? job : withOwnSelector(job),
  validate: (job) => jobErrors(job),
  validateUpdate: (job, before) => [...jobErrors(job), ...fixedFields(job, before)],
};

/** Its jobs append a timestamp to the name. */
const cronJobName: NameRule = (name, generated) =>
  name.length > 52 ? ['must be no more than 52 characters'] : dnsSubdomainName(name, generated);

const policies = ['Allow', 'Forbid', 'Replace'];

function cronJobErrors(object: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const schedule = textAt(object, 'spec', 'schedule');
  if (schedule === '') errors.push(required('spec.schedule'));
  else errors.push(...scheduleErrors(schedule));
  const policy = textAt(object, 'spec', 'concurrencyPolicy');
  if (!policies.includes(policy))
    errors.push(notSupported('spec.concurrencyPolicy', policy, policies));
  return [...errors, ...jobErrors(object, ['spec', 'jobTemplate', 'spec'])];
}

function scheduleErrors(schedule: string): readonly FieldError[] {
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/.test(schedule))
    return [];
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== 5) {
    return [
      invalid(
        'spec.schedule',
        schedule,
        `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`,
      ),
    ];
  }
  const wrong = parts.find((part) => !/^[\d*,/?A-Za-z-]+$/.test(part));
  return wrong === undefined
    ? []
    : [
        invalid(
          'spec.schedule',
          schedule,
          `failed to parse int from ${wrong}: strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`,
        ),
      ];
}

export const cronJobStrategy: Strategy = {
  ...ownStatus(),
  nameErrors: cronJobName,
  generation: 'spec',
  defaults: (object) => {
    const spec = withDefaults(objectAt(object, 'spec') ?? {}, {
      concurrencyPolicy: 'Allow',
      failedJobsHistoryLimit: 1,
      successfulJobsHistoryLimit: 3,
      suspend: false,
    });
    const jobTemplate = withDefaults(objectAt(spec, 'jobTemplate') ?? {}, {
      metadata: {},
      spec: {},
    });
    const filled = { ...object, spec: { ...spec, jobTemplate } };
    return templateDefaults(filled, ['spec', 'jobTemplate', 'spec', 'template']) as ApiObject;
  },
  validate: cronJobErrors,
  validateUpdate: (object) => cronJobErrors(object),
};
