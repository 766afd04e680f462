// CronJob: makes a Job at every time of a schedule. In: the cron job, its jobs, the clock. Out: jobs, the deletion of
// old ones, status.
// 1. A time makes at most one job: the job is named after it. 2. Times missed while suspended or down are not made up,
// only the latest one is, and only within the starting deadline.
import { Cron } from 'croner';
import { toTimestamp } from '../../../base/clock.ts';
import type { Json } from '../../../api/meta.ts';
import { stringAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { controllerOf, controllerReference } from './pods.ts';
import { address } from './runtime/addresses.ts';
import { findCondition, isTrue, type Condition } from './runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';
import { writeStatus } from './runtime/status.ts';

/** More missed times than this mean a broken clock, not work to be done. */
const mostMissed = 100;

interface CronSpec {
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspend?: boolean;
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: { readonly metadata?: JsonObject; readonly spec: JsonObject };
}

type CronStatus = {
  readonly active?: readonly { readonly uid: string }[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
};

export const cronJobController: ControllerFactory = (context) => new CronJobController(context);

class CronJobController implements Controller {
  readonly name = 'cronjob-controller';
  readonly #context: ControllerContext;
  readonly #cronJobs: Informer;
  readonly #jobs: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#cronJobs = context.informers.of(address.cronJobs);
    this.#jobs = context.informers.of(address.jobs);
    this.#jobs.addIndex('controller', (job) => [controllerOf(job)?.uid ?? '']);
    this.#cronJobs.onChange(({ before, after }) => {
      const cronJob = after ?? before;
      if (cronJob !== undefined) context.enqueue(objectKey(cronJob));
    });
    this.#jobs.onChange(({ before, after }) => {
      const job = after ?? before;
      const owner = job === undefined ? undefined : controllerOf(job);
      if (owner?.kind === 'CronJob') context.enqueue(`${job?.metadata.namespace}/${owner.name}`);
    });
  }

  reconcile(key: string): Again {
    const cronJob = this.#cronJobs.get(key);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    const jobs = this.#jobs.indexed('controller', cronJob.metadata.uid ?? '');
    const spec = specOf(cronJob);
    this.#trimHistory(spec, jobs);
    const schedule = parseSchedule(spec);
    if (schedule === undefined) {
      const message = `unparseable schedule: ${JSON.stringify(spec.schedule)}`;
      const about = { about: cronJob, type: 'Warning' as const, reason: 'UnparseableSchedule' };
      this.#context.events.say({ ...about, message });
      return undefined;
    }
    return this.#run(cronJob, jobs, schedule);
  }

  #run(cronJob: ApiObject, jobs: readonly ApiObject[], schedule: Cron): Again {
    const isSuspended = specOf(cronJob).suspend === true;
    const scheduledMs = isSuspended ? undefined : this.#due(cronJob, schedule);
    const started = scheduledMs === undefined ? undefined : this.#start(cronJob, jobs, scheduledMs);
    this.#report(
      cronJob,
      started === undefined ? jobs : [...jobs, started],
      started && scheduledMs,
    );
    if (isSuspended) return undefined;
    const nowMs = this.#context.clock.now();
    const nextMs = schedule.nextRun(new Date(nowMs))?.getTime();
    return nextMs === undefined ? undefined : nextMs - nowMs;
  }

  /** The latest time that has come and has had no job yet. */
  #due(cronJob: ApiObject, schedule: Cron): number | undefined {
    const { startingDeadlineSeconds } = specOf(cronJob);
    const nowMs = this.#context.clock.now();
    const { lastScheduleTime } = statusOf(cronJob);
    const since = Date.parse(lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '');
    const deadlineMs =
      startingDeadlineSeconds === undefined ? -Infinity : nowMs - startingDeadlineSeconds * 1000;
    let dueMs: number | undefined;
    let missed = 0;
    let next = schedule.nextRun(new Date(Math.max(since, deadlineMs)));
    while (next !== null && next.getTime() <= nowMs) {
      dueMs = next.getTime();
      missed++;
      // Far behind: the times in between do not matter, only the latest does.
      const from = missed > mostMissed ? new Date(nowMs - 24 * 3600_000) : next;
      next = schedule.nextRun(from.getTime() > next.getTime() ? from : next);
    }
    if (missed > mostMissed) {
      const message =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      const about = { about: cronJob, type: 'Warning' as const, reason: 'TooManyMissedTimes' };
      this.#context.events.say({ ...about, message });
    }
    return dueMs;
  }

  #start(
    cronJob: ApiObject,
    jobs: readonly ApiObject[],
    scheduledMs: number,
  ): ApiObject | undefined {
    const { client, events } = this.#context;
    const { concurrencyPolicy = 'Allow' } = specOf(cronJob);
    const running = jobs.filter((job) => !isFinished(job));
    if (concurrencyPolicy === 'Forbid' && running.length > 0) {
      const message =
        'Not starting job because prior execution is running and concurrency policy is Forbid';
      events.say({ about: cronJob, reason: 'JobAlreadyActive', message });
      return undefined;
    }
    if (concurrencyPolicy === 'Replace') for (const job of running) this.#deleteJob(cronJob, job);
    const job = client.createIfAbsent(
      address.jobs,
      jobFor(cronJob, scheduledMs),
      cronJob.metadata.namespace,
    );
    if (job === undefined) return undefined;
    const message = `Created job ${job.metadata.name}`;
    events.say({ about: cronJob, reason: 'SuccessfulCreate', message });
    return job;
  }

  #deleteJob(cronJob: ApiObject, job: ApiObject): void {
    const { client, events } = this.#context;
    client.delete(address.jobs, job, { propagationPolicy: 'Background' });
    const message = `Deleted job ${job.metadata.name}`;
    events.say({ about: cronJob, reason: 'SuccessfulDelete', message });
  }

  #trimHistory(spec: CronSpec, jobs: readonly ApiObject[]): void {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
    const trim = (type: string, limit: number): void => {
      const ended = jobs
        .filter((job) => isTrue(conditionsOf(job), type))
        .filter((job) => job.metadata.deletionTimestamp === undefined)
        .toSorted((a, b) => (startedAt(a) < startedAt(b) ? -1 : 1));
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
        this.#context.client.delete(address.jobs, job, { propagationPolicy: 'Background' });
      }
    };
    trim('Complete', successfulJobsHistoryLimit);
    trim('Failed', failedJobsHistoryLimit);
  }

  #report(cronJob: ApiObject, jobs: readonly ApiObject[], scheduledMs: number | undefined): void {
    const status = statusOf(cronJob);
    const lastScheduleTime =
      scheduledMs === undefined ? status.lastScheduleTime : toTimestamp(scheduledMs);
    const ends = jobs
      .map((job) => stringAt(job, 'status', 'completionTime'))
      .filter((time) => time !== undefined);
    const lastSuccess = [...ends, status.lastSuccessfulTime ?? ''].toSorted().at(-1) ?? '';
    const active: Json = jobs
      .filter((job) => !isFinished(job) && job.metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        uid: metadata.uid ?? '',
        resourceVersion: metadata.resourceVersion ?? '',
      }));
    const { active: known = [] } = status;
    const isSame =
      known.map(({ uid }) => uid).join() ===
      (active as readonly { uid: string }[]).map(({ uid }) => uid).join();
    const wanted = {
      active: isSame ? known : active,
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccess === '' ? {} : { lastSuccessfulTime: lastSuccess }),
    };
    const { client } = this.#context;
    writeStatus(client, address.cronJobs, cronJob, { status: wanted, spelledOut: [] });
  }
}

function jobFor(cronJob: ApiObject, scheduledMs: number): JsonObject {
  const { jobTemplate } = specOf(cronJob);
  const annotations = (jobTemplate.metadata?.['annotations'] ?? {}) as JsonObject;
  const scheduled = toTimestamp(scheduledMs);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...jobTemplate.metadata,
      name: `${cronJob.metadata.name}-${Math.floor(scheduledMs / 60_000)}`,
      namespace: cronJob.metadata.namespace ?? '',
      annotations: { ...annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: jobTemplate.spec,
  };
}

function parseSchedule({ schedule, timeZone }: CronSpec): Cron | undefined {
  try {
    return new Cron(schedule, { timezone: timeZone ?? 'UTC', paused: true });
  } catch {
    return undefined;
  }
}

function specOf(cronJob: ApiObject): CronSpec {
  return cronJob['spec'] as unknown as CronSpec;
}

function statusOf(cronJob: ApiObject): CronStatus {
  return (cronJob['status'] ?? {}) as CronStatus;
}

function conditionsOf(job: ApiObject): readonly Condition[] {
  return (job['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
}

function isFinished(job: ApiObject): boolean {
  const conditions = conditionsOf(job);
  return (
    findCondition(conditions, 'Complete')?.status === 'True' ||
    findCondition(conditions, 'Failed')?.status === 'True'
  );
}

function startedAt(job: ApiObject): string {
  return stringAt(job, 'status', 'startTime') ?? job.metadata.creationTimestamp ?? '';
}
