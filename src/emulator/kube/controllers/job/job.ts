// Job: pods that run to their end. In: the job and its pods. Out: pods made and removed, counts that survive the
// pods, conditions when it ends, and its own deletion after a while if it asks for it.
// 1. A pod carries a finalizer until its end is in the job's counts, so no result is lost and none counted twice.
// 2. A pod that the job itself removes, because it is suspended or has too many, is no failure.
// 3. A job that names another manager is left alone.
import type { ApiObject } from '../../object.ts';
import { controllerOf, isActive } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import { findCondition, isTrue } from '../runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { writeStatus } from '../runtime/status.ts';
import { announcedEnd, suspensionChanges } from './job-conditions.ts';
import { momentOf, policyFailure, settledPods, viewOf, type Moment } from './job-moment.ts';
import {
  isTerminating,
  isTracked,
  specOf,
  statusOf,
  tracking,
  type JobSpec,
  type JobStatus,
} from './job-object.ts';
import { planJob, type JobEnd } from './job-plan.ts';
import { jobPod } from './job-pod.ts';
import { isOver, reportedStatus, spelledOut, type Outcome } from './job-status.ts';
import { indexWaitMs, RetryWaits } from './retry-wait.ts';

const ownName = 'kubernetes.io/job-controller';

export const jobController: ControllerFactory = (context) => new JobController(context);

class JobController implements Controller {
  readonly name = 'job-controller';
  readonly #context: ControllerContext;
  readonly #jobs: Informer;
  readonly #pods: Informer;
  readonly #waits = new RetryWaits();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informers.of(address.jobs);
    this.#pods = context.informers.of(address.pods);
    this.#pods.addIndex('controller', (pod) => [controllerOf(pod)?.uid ?? '']);
    this.#jobs.onChange(({ before, after }) => {
      const job = after ?? before;
      if (after === undefined) this.#waits.forget(job?.metadata.uid ?? '');
      if (job !== undefined) context.enqueue(objectKey(job));
    });
    this.#pods.onChange(({ before, after }) => {
      const pod = after ?? before;
      const owner = pod === undefined ? undefined : controllerOf(pod);
      if (owner?.kind === 'Job') context.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
      else if (after !== undefined) this.#untrack(after);
    });
  }

  reconcile(key: string): Again {
    const job = this.#jobs.get(key);
    if (job === undefined) return undefined;
    const pods = this.#podsOf(job);
    if (isFinished(statusOf(job))) {
      for (const pod of pods) this.#untrack(pod);
      return this.#expire(job);
    }
    if (!isOwn(job)) return undefined;
    if (job.metadata.deletionTimestamp !== undefined) {
      for (const pod of pods) if (!isActive(pod)) this.#untrack(pod);
      return undefined;
    }
    return this.#sync(momentOf(job, pods, this.#context.clock.now()));
  }

  #podsOf(job: ApiObject): readonly ApiObject[] {
    return isOwn(job) ? this.#pods.indexed('controller', job.metadata.uid ?? '') : [];
  }

  #sync(moment: Moment): Again {
    const { job, spec, status, active, pods, ended, startTime, nowMs } = moment;
    const uid = job.metadata.uid ?? '';
    this.#waits.record(uid, ended);
    const isRunning = spec.suspend !== true && startTime !== undefined;
    const activeMs = isRunning ? nowMs - Date.parse(startTime) : undefined;
    const plan = planJob({
      spec,
      pods: viewOf(moment),
      activeMs,
      announced: announcedEnd(status),
      policyFailure: policyFailure(spec, pods),
    });
    const removed = active.filter(({ metadata }) => plan.remove.includes(metadata.name));
    for (const pod of removed) this.#removePod(job, pod, plan.end === undefined);
    const { made, waitMs } = this.#createPods(moment, plan.create);
    const left = active.length - removed.length + made;
    const terminating = pods.filter((pod) => isTerminating(pod)).length + removed.length;
    this.#report(moment, { end: plan.end, left, terminating });
    for (const pod of settledPods(moment, plan.end)) this.#untrack(pod);
    return waitMs > 0 ? waitMs : untilDeadlineMs(spec, activeMs);
  }

  /** Those whose wait after a failure is over; when there are none, the shortest wait. */
  #createPods(
    { job, indexes, nowMs }: Moment,
    wanted: readonly (number | undefined)[],
  ): { readonly made: number; readonly waitMs: number } {
    const replaced = (index: number | undefined): ApiObject | undefined =>
      index === undefined ? undefined : indexes?.replaced.get(index);
    const waits = wanted.map((index) =>
      indexes === undefined
        ? this.#waits.waitMs(job.metadata.uid ?? '', nowMs)
        : indexWaitMs(replaced(index), nowMs),
    );
    const due = wanted.filter((_, i) => waits[i] === 0);
    const { client, events } = this.#context;
    for (const index of due) {
      const object = jobPod(job, index, replaced(index));
      const pod = client.create(address.pods, object, job.metadata.namespace);
      const message = `Created pod: ${pod.metadata.name}`;
      events.say({ about: job, reason: 'SuccessfulCreate', message });
    }
    return {
      made: due.length,
      waitMs: due.length === 0 && waits.length > 0 ? Math.min(...waits) : 0,
    };
  }

  #removePod(job: ApiObject, pod: ApiObject, isOnlyTooMany: boolean): void {
    const { client, events } = this.#context;
    if (isOnlyTooMany) this.#untrack(pod);
    client.delete(address.pods, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    events.say({ about: job, reason: 'SuccessfulDelete', message });
  }

  #untrack(pod: ApiObject): void {
    if (!isTracked(pod)) return;
    const { namespace, name, finalizers = [] } = pod.metadata;
    const kept = finalizers.filter((finalizer) => finalizer !== tracking);
    this.#context.client.merge(
      address.pods,
      { namespace, name },
      { metadata: { finalizers: kept.length === 0 ? null : kept } },
    );
  }

  #report(moment: Moment, facts: Outcome): void {
    const { job, spec, status } = moment;
    const { client, events } = this.#context;
    writeStatus(client, address.jobs, job, { status: reportedStatus(moment, facts), spelledOut });
    if (isOver(facts)) this.#sayOver(job, facts.end);
    if (facts.end !== undefined || !suspensionChanges(spec, status)) return;
    const reason = spec.suspend === true ? 'Suspended' : 'Resumed';
    events.say({ about: job, reason, message: `Job ${reason.toLowerCase()}` });
  }

  #sayOver(job: ApiObject, { type, reason, message }: JobEnd): void {
    const { events } = this.#context;
    if (type === 'Complete')
      events.say({ about: job, reason: 'Completed', message: 'Job completed' });
    else events.say({ about: job, type: 'Warning', reason, message });
  }

  #expire(job: ApiObject): Again {
    const { conditions } = statusOf(job);
    const { ttlSecondsAfterFinished } = specOf(job);
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

function untilDeadlineMs({ activeDeadlineSeconds }: JobSpec, activeMs: number | undefined): Again {
  if (activeDeadlineSeconds === undefined || activeMs === undefined) return undefined;
  return Math.max(1, activeDeadlineSeconds * 1000 - activeMs);
}

function isFinished({ conditions }: JobStatus): boolean {
  return isTrue(conditions, 'Complete') || isTrue(conditions, 'Failed');
}

function isOwn(job: ApiObject): boolean {
  return (specOf(job).managedBy ?? ownName) === ownName;
}
