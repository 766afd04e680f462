// Failures of a Job whose indexes fail each by itself. In: its pods. Out: the indexes that are given up, and per index
// the failed pod that its next one replaces.
// A pod says in annotations how often its index had failed before it. The last failed pod of an index therefore stays until
// its successor is there: nothing else remembers the count.
import type { ApiObject } from '../../object.ts';
import { isActive } from '../pods.ts';
import { judgeFailure } from './failure-policy.ts';
import { parseIndexes } from './indexes.ts';
import {
  hasFailed,
  hasPlace,
  indexOf,
  isTracked,
  type JobSpec,
  type JobStatus,
} from './job-object.ts';

const failuresKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredKey = 'batch.kubernetes.io/job-index-ignored-failure-count';

export interface IndexFailures {
  readonly failed: ReadonlySet<number>;
  readonly replaced: ReadonlyMap<number, ApiObject>;
}

/** Undefined for jobs that count failures of all indexes together. */
export function indexFailures(
  spec: JobSpec,
  status: JobStatus,
  facts: { readonly pods: readonly ApiObject[]; readonly completed: ReadonlySet<number> },
): IndexFailures | undefined {
  if (spec.backoffLimitPerIndex === undefined) return undefined;
  const ended = facts.pods.filter(
    (pod) => isTracked(pod) && hasPlace(spec, pod) && hasFailed(spec, pod),
  );
  const failed = parseIndexes(status.failedIndexes ?? '', spec.completions);
  for (const pod of ended) if (isGivenUp(spec, pod)) failed.add(indexOf(pod) ?? 0);
  const live = facts.pods.filter((pod) => isActive(pod)).map((pod) => indexOf(pod) ?? 0);
  return {
    failed,
    replaced: lastOfEach(ended, facts.completed.union(failed).union(new Set(live))),
  };
}

function lastOfEach(
  ended: readonly ApiObject[],
  without: ReadonlySet<number>,
): ReadonlyMap<number, ApiObject> {
  const last = new Map<number, ApiObject>();
  for (const pod of ended) {
    const index = indexOf(pod) ?? 0;
    const known = last.get(index);
    if (without.has(index)) continue;
    if (known === undefined || failuresBefore(known) <= failuresBefore(pod)) last.set(index, pod);
  }
  return last;
}

function isGivenUp(spec: JobSpec, pod: ApiObject): boolean {
  const action = judgeFailure(spec.podFailurePolicy, pod)?.action;
  if (action === 'FailIndex') return true;
  if (action === 'Ignore') return false;
  return countIn(pod, failuresKey) >= (spec.backoffLimitPerIndex ?? Infinity);
}

/** All failures of the index before this pod, those that do not count included. */
export function failuresBefore(pod: ApiObject): number {
  return countIn(pod, failuresKey) + countIn(pod, ignoredKey);
}

/** What the pod that replaces this one says about its index; a first one replaces none. */
export function failureAnnotations(
  spec: JobSpec,
  replaced: ApiObject | undefined,
): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [failuresKey]: '0' };
  const isIgnored = judgeFailure(spec.podFailurePolicy, replaced)?.action === 'Ignore';
  const failures = countIn(replaced, failuresKey) + (isIgnored ? 0 : 1);
  const ignored = countIn(replaced, ignoredKey) + (isIgnored ? 1 : 0);
  return { [failuresKey]: `${failures}`, ...(ignored === 0 ? {} : { [ignoredKey]: `${ignored}` }) };
}

function countIn(pod: ApiObject, key: string): number {
  const text = pod.metadata.annotations?.[key] ?? '';
  return /^\d+$/.test(text) ? Number(text) : 0;
}
