// How long a Job waits before its next pod after failures: 10 s, doubling up to 10 minutes, counted from the last one.
// In: pods as they end. Out: milliseconds. A success ends the row of failures.
import { objectsAt, stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { EndedPods } from './ended-pods.ts';
import { hasSucceeded } from './job-object.ts';
import { failuresBefore } from './index-failures.ts';

interface FailureRow {
  readonly failures: number;
  readonly lastMs: number;
}

const noFailures: FailureRow = { failures: 0, lastMs: 0 };

export class RetryWaits {
  /** By the job's uid. */
  readonly #rows = new Map<string, FailureRow>();

  forget(uid: string): void {
    this.#rows.delete(uid);
  }

  /** To be called once per pod that ended. */
  record(uid: string, { newlySucceeded, newlyFailed }: EndedPods): void {
    let row = this.#rows.get(uid) ?? noFailures;
    const ended = [...newlySucceeded, ...newlyFailed].map((pod) => ({ pod, atMs: endedMs(pod) }));
    for (const { pod, atMs } of ended.toSorted((a, b) => a.atMs - b.atMs)) {
      row = hasSucceeded(pod) ? noFailures : { failures: row.failures + 1, lastMs: atMs };
    }
    this.#rows.set(uid, row);
  }

  waitMs(uid: string, nowMs: number): number {
    return remainingMs(this.#rows.get(uid) ?? noFailures, nowMs);
  }
}

/** The same for one index, counted by what the failed pod says of those before it. */
export function indexWaitMs(failedPod: ApiObject | undefined, nowMs: number): number {
  if (failedPod === undefined) return 0;
  return remainingMs(
    { failures: failuresBefore(failedPod) + 1, lastMs: endedMs(failedPod) },
    nowMs,
  );
}

function remainingMs({ failures, lastMs }: FailureRow, nowMs: number): number {
  return Math.max(0, lastMs + backoffMs(failures) - nowMs);
}

export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(600_000, 10_000 * 2 ** (failures - 1));
}

/** When its last container ended, else when it was no longer ready, was deleted, or was made. */
function endedMs(pod: ApiObject): number {
  const ends = objectsAt(pod, 'status', 'containerStatuses').map((status) =>
    stringAt(status, 'state', 'terminated', 'finishedAt'),
  );
  const times = ends.filter((time) => time !== undefined).map((time) => Date.parse(time));
  if (times.length > 0 && times.length === ends.length) return Math.max(...times);
  const unready = objectsAt(pod, 'status', 'conditions').find(
    (condition) => condition['type'] === 'Ready' && condition['status'] === 'False',
  );
  const since = stringAt(unready, 'lastTransitionTime');
  if (since !== undefined) return Date.parse(since);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return Date.parse(creationTimestamp ?? '');
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}
