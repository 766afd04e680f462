// Job: pods that run to their end. In: the job and its pods. Out: pods made and removed, counts that survive the
// pods, conditions when it ends, and its own deletion after a while if it asks for it.
// A pod carries a finalizer until its end is in the job's counts, so no result is lost and none counted twice.
import { toTimestamp } from '../../../../base/clock.ts';
import type { Json } from '../../../../api/meta.ts';
import { numberAt, objectsAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { controllerOf, isActive, isReady, podFromTemplate, type PodTemplate } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import { findCondition, isTrue, withCondition, type Condition } from '../runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { writeStatus } from '../runtime/status.ts';
import {
  backoffMs,
  formatIndexes,
  planJob,
  type JobEnd,
  type JobPods,
  type JobSpec,
} from './job-plan.ts';

const tracking = 'batch.kubernetes.io/job-tracking';
const indexKey = 'batch.kubernetes.io/job-completion-index';

type JobStatus = {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly conditions?: readonly Condition[];
};

interface Counted {
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
  readonly counted: readonly ApiObject[];
}

export const jobController: ControllerFactory = (context) => new JobController(context);

class JobController implements Controller {
  readonly name = 'job-controller';
  readonly #context: ControllerContext;
  readonly #jobs: Informer;
  readonly #pods: Informer;
  /** When the last pod of a job failed, by the job's uid. */
  readonly #failedMs = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informers.of(address.jobs);
    this.#pods = context.informers.of(address.pods);
    this.#pods.addIndex('controller', (pod) => [controllerOf(pod)?.uid ?? '']);
    this.#jobs.onChange(({ before, after }) => {
      const job = after ?? before;
      if (after === undefined) this.#failedMs.delete(job?.metadata.uid ?? '');
      if (job !== undefined) context.enqueue(objectKey(job));
    });
    this.#pods.onChange(({ before, after }) => {
      const pod = after ?? before;
      const owner = pod === undefined ? undefined : controllerOf(pod);
      if (owner?.kind === 'Job') context.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
      else if (after?.metadata.finalizers?.includes(tracking) === true) this.#untrack(after);
    });
  }

  reconcile(key: string): Again {
    const job = this.#jobs.get(key);
    if (job === undefined) return undefined;
    const pods = this.#pods.indexed('controller', job.metadata.uid ?? '');
    const status = statusOf(job);
    if (isTrue(status.conditions, 'Complete') || isTrue(status.conditions, 'Failed')) {
      for (const pod of pods) this.#untrack(pod);
      return this.#expire(job, status);
    }
    if (job.metadata.deletionTimestamp !== undefined) {
      for (const pod of pods) if (!isActive(pod)) this.#untrack(pod);
      return undefined;
    }
    return this.#sync(job, pods, status);
  }

  #sync(job: ApiObject, pods: readonly ApiObject[], status: JobStatus): Again {
    const { spec, template } = specOf(job);
    const nowMs = this.#context.clock.now();
    const startTime = startOf(spec, status, nowMs);
    const activeMs = startTime === undefined ? undefined : nowMs - Date.parse(startTime);
    const counted = countEnded(status, pods);
    const active = pods.filter((pod) => isActive(pod));
    const plan = planJob({ spec, pods: viewOf(pods, active, counted, template), activeMs });
    const end = declaredEnd(status) ?? plan.end;
    const waitMs = end === undefined ? this.#retryWaitMs(job, counted, nowMs) : 0;
    const made = end === undefined && waitMs === 0 ? plan.create : [];
    for (const name of plan.remove) this.#removePod(job, active, name);
    for (const index of made) this.#createPod(job, template, index);
    const left = active.length - plan.remove.length + made.length;
    const terminating = pods.filter((pod) => isTerminating(pod)).length + plan.remove.length;
    this.#report(job, { status, counted, end, left, terminating, startTime, active });
    for (const pod of counted.counted) this.#untrack(pod);
    return waitMs > 0 ? waitMs : untilDeadlineMs(spec, activeMs);
  }

  /** After failures the next pod waits, counted from the last failure. */
  #retryWaitMs(job: ApiObject, counted: Counted, nowMs: number): number {
    const uid = job.metadata.uid ?? '';
    const fresh = counted.counted.filter((pod) => stringAt(pod, 'status', 'phase') !== 'Succeeded');
    if (fresh.length > 0) {
      this.#failedMs.set(uid, Math.max(...fresh.map((pod) => endedMs(pod, nowMs))));
    }
    const lastMs = this.#failedMs.get(uid) ?? -Infinity;
    return Math.max(0, lastMs + backoffMs(counted.failed) - nowMs);
  }

  #createPod(job: ApiObject, template: PodTemplate, index: number | undefined): void {
    const { client, events } = this.#context;
    const { name, namespace, uid = '' } = job.metadata;
    const indexed = index === undefined ? {} : { [indexKey]: `${index}` };
    const object = podFromTemplate({
      template: index === undefined ? template : withIndex(template, name, index),
      owner: job,
      labels: {
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': name,
        'controller-uid': uid,
        'job-name': name,
        ...indexed,
      },
      annotations: indexed,
    });
    const meta = object['metadata'] as JsonObject;
    const metadata: Json = {
      ...meta,
      ...(index === undefined ? {} : { generateName: `${name}-${index}-` }),
      finalizers: [...((meta['finalizers'] ?? []) as readonly string[]), tracking],
    };
    const pod = client.create(address.pods, { ...object, metadata }, namespace);
    const message = `Created pod: ${pod.metadata.name}`;
    events.say({ about: job, reason: 'SuccessfulCreate', message });
  }

  #removePod(job: ApiObject, active: readonly ApiObject[], name: string): void {
    const pod = active.find(({ metadata }) => metadata.name === name);
    if (pod === undefined) return;
    const { client, events } = this.#context;
    client.delete(address.pods, pod);
    events.say({ about: job, reason: 'SuccessfulDelete', message: `Deleted pod: ${name}` });
  }

  #untrack(pod: ApiObject): void {
    const { finalizers = [] } = pod.metadata;
    if (!finalizers.includes(tracking)) return;
    const kept = finalizers.filter((finalizer) => finalizer !== tracking);
    const { namespace, name } = pod.metadata;
    this.#context.client.merge(
      address.pods,
      { namespace, name },
      { metadata: { finalizers: kept.length === 0 ? null : kept } },
    );
  }

  #report(
    job: ApiObject,
    facts: {
      readonly status: JobStatus;
      readonly counted: Counted;
      readonly end: JobEnd | undefined;
      readonly left: number;
      readonly terminating: number;
      readonly startTime: string | undefined;
      readonly active: readonly ApiObject[];
    },
  ): void {
    const { status, counted, end, left, terminating, startTime, active } = facts;
    const { client, clock } = this.#context;
    const nowMs = clock.now();
    const isOver = end !== undefined && left === 0 && terminating === 0;
    const isIndexed = specOf(job).spec.completionMode === 'Indexed';
    const completedIndexes = formatIndexes(counted.completed);
    const completionTime = toTimestamp(nowMs);
    const wanted = {
      ...(startTime === undefined ? {} : { startTime }),
      active: left,
      ready: end === undefined ? active.filter((pod) => isReady(pod)).length : 0,
      succeeded: isIndexed ? counted.completed.size : counted.succeeded,
      failed: counted.failed,
      terminating,
      uncountedTerminatedPods: {},
      ...(isIndexed ? { completedIndexes } : {}),
      ...(isOver && end.type === 'Complete' ? { completionTime } : {}),
      conditions: conditionsOf({ job, status, end, isOver, nowMs }),
    };
    const spelledOut = ['ready', 'terminating', 'uncountedTerminatedPods'];
    writeStatus(client, address.jobs, job, { status: wanted, spelledOut });
    if (isOver) this.#sayOver(job, end);
  }

  #sayOver(job: ApiObject, { type, reason, message }: JobEnd): void {
    const { events } = this.#context;
    if (type === 'Complete')
      events.say({ about: job, reason: 'Completed', message: 'Job completed' });
    else events.say({ about: job, type: 'Warning', reason, message });
  }

  #expire(job: ApiObject, { conditions }: JobStatus): Again {
    const { ttlSecondsAfterFinished } = specOf(job).spec;
    if (ttlSecondsAfterFinished === undefined) return undefined;
    if (job.metadata.deletionTimestamp !== undefined) return undefined;
    const ended = findCondition(conditions, 'Complete') ?? findCondition(conditions, 'Failed');
    const { clock, client } = this.#context;
    const dueMs = Date.parse(ended?.lastTransitionTime ?? '') + ttlSecondsAfterFinished * 1000;
    if (dueMs > clock.now()) return dueMs - clock.now();
    client.delete(address.jobs, job, { propagationPolicy: 'Foreground' });
    return undefined;
  }
}

function specOf(job: ApiObject): { readonly spec: JobSpec; readonly template: PodTemplate } {
  const spec = job['spec'] as unknown as JobSpec & { readonly template: PodTemplate };
  return { spec, template: spec.template };
}

function statusOf(job: ApiObject): JobStatus {
  return (job['status'] ?? {}) as JobStatus;
}

/** A suspended job has not started; resuming it starts it anew. */
function startOf({ suspend }: JobSpec, status: JobStatus, nowMs: number): string | undefined {
  return suspend === true ? undefined : (status.startTime ?? toTimestamp(nowMs));
}

function untilDeadlineMs({ activeDeadlineSeconds }: JobSpec, activeMs: number | undefined): Again {
  if (activeDeadlineSeconds === undefined || activeMs === undefined) return undefined;
  return Math.max(1, activeDeadlineSeconds * 1000 - activeMs);
}

/** Ends that are not in the counts yet; a tracked pod that is deleted before its end has failed. */
function countEnded(status: JobStatus, pods: readonly ApiObject[]): Counted {
  const completed = parseIndexes(status.completedIndexes ?? '');
  let { succeeded = 0, failed = 0 } = status;
  const counted: ApiObject[] = [];
  for (const pod of pods) {
    if (pod.metadata.finalizers?.includes(tracking) !== true || isActive(pod)) continue;
    counted.push(pod);
    if (stringAt(pod, 'status', 'phase') === 'Succeeded') {
      succeeded++;
      const index = indexOf(pod);
      if (index !== undefined) completed.add(index);
    } else failed++;
  }
  return { succeeded, failed, completed, counted };
}

function viewOf(
  pods: readonly ApiObject[],
  active: readonly ApiObject[],
  counted: Counted,
  template: PodTemplate,
): JobPods {
  const restarts =
    template.spec['restartPolicy'] === 'OnFailure'
      ? active.reduce((sum, pod) => sum + restartsOf(pod), 0)
      : 0;
  return {
    active: active.map((pod) => ({ name: pod.metadata.name, index: indexOf(pod) })),
    terminating: pods.filter((pod) => isTerminating(pod)).length,
    succeeded: counted.succeeded,
    failed: counted.failed + restarts,
    completedIndexes: counted.completed,
  };
}

function isTerminating(pod: ApiObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return pod.metadata.deletionTimestamp !== undefined;
}

function restartsOf(pod: ApiObject): number {
  return [
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
    ...objectsAt(pod, 'status', 'containerStatuses'),
  ].reduce((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0);
}

function endedMs(pod: ApiObject, nowMs: number): number {
  const ends = objectsAt(pod, 'status', 'containerStatuses')
    .map((status) => stringAt(status, 'state', 'terminated', 'finishedAt'))
    .filter((time) => time !== undefined);
  return ends.length === 0 ? nowMs : Math.max(...ends.map((time) => Date.parse(time)));
}

/** An end that was announced stays, whatever the pods do afterwards. */
function declaredEnd({ conditions }: JobStatus): JobEnd | undefined {
  const success = findCondition(conditions, 'SuccessCriteriaMet');
  const failure = findCondition(conditions, 'FailureTarget');
  const found = success ?? failure;
  if (found === undefined) return undefined;
  const { reason = '', message = '' } = found;
  return { type: success === undefined ? 'Failed' : 'Complete', reason, message };
}

function conditionsOf(facts: {
  readonly job: ApiObject;
  readonly status: JobStatus;
  readonly end: JobEnd | undefined;
  readonly isOver: boolean;
  readonly nowMs: number;
}): readonly Condition[] {
  const { job, status, end, isOver, nowMs } = facts;
  const add = (conditions: readonly Condition[], type: string, says: Omit<JobEnd, 'type'>) => {
    const { reason, message } = says;
    const wanted = { type, status: 'True', reason, message, lastProbeTime: toTimestamp(nowMs) };
    return withCondition(conditions, wanted as Condition, nowMs);
  };
  let conditions = suspension(job, status, nowMs);
  if (end === undefined) return conditions;
  const announced = end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  conditions = add(conditions, announced, end);
  return isOver ? add(conditions, end.type, end) : conditions;
}

function suspension(job: ApiObject, status: JobStatus, nowMs: number): readonly Condition[] {
  const { conditions = [] } = status;
  const isSuspended = specOf(job).spec.suspend === true;
  if (isSuspended === isTrue(conditions, 'Suspended')) return conditions;
  const wanted: Condition = {
    type: 'Suspended',
    status: isSuspended ? 'True' : 'False',
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  };
  return withCondition(conditions, wanted, nowMs);
}

function indexOf(pod: ApiObject): number | undefined {
  const index = pod.metadata.annotations?.[indexKey];
  return index === undefined ? undefined : Number(index);
}

function parseIndexes(text: string): Set<number> {
  const indexes = new Set<number>();
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let index = first; index <= last; index++) indexes.add(index);
  }
  return indexes;
}

function withIndex(template: PodTemplate, jobName: string, index: number): PodTemplate {
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } },
  };
  const told = (containers: Json | undefined): Json =>
    ((containers ?? []) as readonly JsonObject[]).map((container) => ({
      ...container,
      env: [...((container['env'] ?? []) as readonly Json[]), variable],
    }));
  const { initContainers } = template.spec;
  return {
    ...template,
    spec: {
      ...template.spec,
      hostname: `${jobName}-${index}`,
      containers: told(template.spec['containers']),
      ...(initContainers === undefined ? {} : { initContainers: told(initContainers) }),
    },
  };
}
