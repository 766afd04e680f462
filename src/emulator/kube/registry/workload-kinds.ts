// Groups apps, batch, autoscaling and policy: what runs pods, and what limits how they may be disturbed.
import { at, countAt, numberAt, objectsAt, stringAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { cronJobStrategy, jobStrategy } from '../validation/job.ts';
import { disruptionBudgetStrategy } from '../validation/disruption-budget.ts';
import {
  controllerRevisionStrategy,
  daemonSetStrategy,
  deploymentStrategy,
  replicaSetStrategy,
  statefulSetStrategy,
} from '../validation/workload.ts';
import { autoscalerErrors } from '../validation/autoscaler.ts';
import {
  autoscalerColumns,
  autoscalerDefaults,
  autoscalerV1,
  minimumDefault,
} from './autoscaler.ts';
import { builtIn } from './built-in-kind.ts';
import {
  age,
  ageColumn,
  column,
  count,
  labelText,
  lengthOf,
  nameColumn,
  orNone,
  ownerText,
  selectorText,
  shortDuration,
  templateColumns,
  text,
  textOr,
} from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';
import { replicaScaling } from './scaling.ts';
import { ownStatus } from './status-rules.ts';

const readyText = (object: ApiObject): string =>
  `${countAt(object, 'status', 'readyReplicas')}/${countAt(object, 'spec', 'replicas')}`;

const scaling = replicaScaling((object) => selectorText(at(object, 'spec', 'selector')));

export const appsKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'apps',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    columns: [column('Controller', ownerText), column('Revision', count('revision'))],
    strategy: controllerRevisionStrategy,
  }),
  builtIn({
    group: 'apps',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    subresources: ['status'],
    allColumns: [
      nameColumn,
      column('Desired', count('status', 'desiredNumberScheduled'), 'integer'),
      column('Current', count('status', 'currentNumberScheduled'), 'integer'),
      column('Ready', count('status', 'numberReady'), 'integer'),
      column('Up-to-date', count('status', 'updatedNumberScheduled'), 'integer'),
      column('Available', count('status', 'numberAvailable'), 'integer'),
      column('Node Selector', (object) =>
        orNone(labelText(at(object, 'spec', 'template', 'spec', 'nodeSelector'))),
      ),
      ageColumn,
      ...templateColumns(),
    ],
    strategy: daemonSetStrategy,
  }),
  builtIn({
    group: 'apps',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: ['scale', 'status'],
    allColumns: [
      nameColumn,
      column('Ready', readyText),
      column('Up-to-date', count('status', 'updatedReplicas')),
      column('Available', count('status', 'availableReplicas')),
      ageColumn,
      ...templateColumns(),
    ],
    strategy: deploymentStrategy,
    scaling,
  }),
  builtIn({
    group: 'apps',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    subresources: ['scale', 'status'],
    allColumns: [
      nameColumn,
      column('Desired', count('spec', 'replicas'), 'integer'),
      column('Current', count('status', 'replicas'), 'integer'),
      column('Ready', count('status', 'readyReplicas'), 'integer'),
      ageColumn,
      ...templateColumns(),
    ],
    fieldSelectors: {
      'status.replicas': (object) => String(countAt(object, 'status', 'replicas')),
    },
    strategy: replicaSetStrategy,
    scaling,
  }),
  builtIn({
    group: 'apps',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    subresources: ['scale', 'status'],
    allColumns: [
      nameColumn,
      column('Ready', readyText),
      ageColumn,
      ...templateColumns().slice(0, 2),
    ],
    strategy: statefulSetStrategy,
    scaling,
  }),
];

function completions(job: ApiObject): string {
  const succeeded = countAt(job, 'status', 'succeeded');
  const wanted = numberAt(job, 'spec', 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = countAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: ApiObject, nowMs: number): string {
  const start = stringAt(job, 'status', 'startTime');
  if (start === undefined) return '';
  const end = stringAt(job, 'status', 'completionTime');
  return shortDuration((end === undefined ? nowMs : Date.parse(end)) - Date.parse(start));
}

function jobStatus(job: ApiObject): string {
  const has = (type: string): boolean =>
    objectsAt(job, 'status', 'conditions').some(
      (condition) =>
        stringAt(condition, 'type') === type && stringAt(condition, 'status') === 'True',
    );
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return (
    ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => has(type)) ?? 'Running'
  );
}

const jobTemplate = ['spec', 'jobTemplate', 'spec'];

export const batchKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    subresources: ['status'],
    allColumns: [
      nameColumn,
      column('Schedule', text('spec', 'schedule')),
      column('Timezone', textOr('<none>', 'spec', 'timeZone')),
      column(
        'Suspend',
        (object) => (at(object, 'spec', 'suspend') === true ? 'True' : 'False'),
        'boolean',
      ),
      column('Active', lengthOf('status', 'active'), 'integer'),
      column('Last Schedule', (object, nowMs) => {
        const last = stringAt(object, 'status', 'lastScheduleTime');
        return last === undefined ? '<none>' : age(last, nowMs);
      }),
      ageColumn,
      ...templateColumns([...jobTemplate, 'template', 'spec'], [...jobTemplate, 'selector']),
    ],
    strategy: cronJobStrategy,
  }),
  builtIn({
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    subresources: ['status'],
    allColumns: [
      nameColumn,
      column('Status', jobStatus),
      column('Completions', completions),
      column('Duration', jobDuration),
      ageColumn,
      ...templateColumns(),
    ],
    fieldSelectors: {
      'status.successful': (job) => String(countAt(job, 'status', 'succeeded')),
    },
    strategy: jobStrategy,
  }),
];

const autoscalerStatus = {
  ...ownStatus({ desiredReplicas: 0, currentMetrics: null }),
  defaults: autoscalerDefaults,
  validate: (object: ApiObject) => autoscalerErrors(object),
  validateUpdate: (object: ApiObject, before: ApiObject) => autoscalerErrors(object, before),
};

/** The older version is judged by what it means in the newer one. */
const oldAutoscalerErrors = (object: ApiObject, before?: ApiObject) =>
  autoscalerErrors(
    autoscalerV1.toStorage(object),
    before === undefined ? undefined : autoscalerV1.toStorage(before),
  );

export const autoscalingKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: ['status'],
    allColumns: autoscalerColumns,
    strategy: autoscalerStatus,
  }),
  builtIn({
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: ['status'],
    allColumns: autoscalerColumns,
    strategy: {
      ...ownStatus({ currentMetrics: null, desiredReplicas: 0 }),
      defaults: minimumDefault,
      validate: (object) => oldAutoscalerErrors(object),
      validateUpdate: oldAutoscalerErrors,
    },
    storageVersion: 'v2',
    convert: autoscalerV1,
  }),
];

const amountOr = (...path: readonly string[]) => textOr('N/A', ...path);

export const policyKinds: readonly ResourceKind[] = [
  builtIn({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    subresources: ['status'],
    columns: [
      column('Min Available', amountOr('spec', 'minAvailable')),
      column('Max Unavailable', amountOr('spec', 'maxUnavailable')),
      column('Allowed Disruptions', count('status', 'disruptionsAllowed'), 'integer'),
    ],
    strategy: disruptionBudgetStrategy,
  }),
];
