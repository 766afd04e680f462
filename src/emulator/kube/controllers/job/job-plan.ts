// What a Job does next. In: its spec and the pods it has had. Out: how it ends, or how many pods to make and remove.
// Pure.
// 1. An end that was announced stands. Otherwise failures come before successes, as in the original.
// 2. Never more than `parallelism` pods at once, never more successes asked for than `completions`.
// 3. Of an indexed job every index succeeds once and has at most one live pod.
import { isIndexed, type JobSpec } from './job-object.ts';
import { satisfiedRule } from './success-policy.ts';

export interface JobPods {
  /** Neither ended nor ending. */
  readonly active: readonly { readonly name: string; readonly index: number | undefined }[];
  /** The indexes of pods that are deleted and not at their end yet; undefined entries without indexes. */
  readonly terminating: readonly (number | undefined)[];
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: ReadonlySet<number>;
  /** Given up; undefined when failures of all indexes are counted together. */
  readonly failedIndexes?: ReadonlySet<number> | undefined;
}

export type JobEnd = {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
};

export interface JobPlan {
  readonly end: JobEnd | undefined;
  /** Indexes for new pods; undefined entries for jobs without indexes. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly string[];
}

interface JobFacts {
  readonly spec: JobSpec;
  readonly pods: JobPods;
  /** How long the job has been running; undefined when it is not. */
  readonly activeMs: number | undefined;
  readonly announced?: JobEnd | undefined;
  /** What the failure policy says of a pod that ends the whole job. */
  readonly policyFailure?: string | undefined;
}

export function planJob(facts: JobFacts): JobPlan {
  const { spec, pods } = facts;
  const end = endOf(facts);
  const everyone = pods.active.map(({ name }) => name);
  if (end !== undefined || spec.suspend === true) return { end, create: [], remove: everyone };
  const wanted = wantedActive(spec, pods);
  const remove = surplus(spec, pods, wanted);
  if (remove.length > 0) return { end, create: [], remove };
  // Where only failed pods are replaced, one that is on its way out still holds its place.
  const held = spec.podReplacementPolicy === 'Failed' ? pods.terminating : [];
  const room = Math.max(0, wanted - pods.active.length - held.length);
  return { end, create: nextIndexes(spec, pods, { room, held }), remove: [] };
}

function endOf(facts: JobFacts): JobEnd | undefined {
  const { spec, pods, announced, policyFailure } = facts;
  if (announced !== undefined) return announced;
  if (policyFailure !== undefined) return failed('PodFailurePolicy', policyFailure);
  return limitExceeded(facts) ?? indexesFailed(spec, pods) ?? success(spec, pods);
}

function failed(reason: string, message: string): JobEnd {
  return { type: 'Failed', reason, message };
}

function limitExceeded({ spec, pods, activeMs }: JobFacts): JobEnd | undefined {
  if (pods.failed > (spec.backoffLimit ?? 6)) {
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadlineMs = (spec.activeDeadlineSeconds ?? Infinity) * 1000;
  if (activeMs === undefined || activeMs < deadlineMs) return undefined;
  return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
}

function indexesFailed(spec: JobSpec, pods: JobPods): JobEnd | undefined {
  const count = pods.failedIndexes?.size ?? 0;
  if (count > (spec.maxFailedIndexes ?? Infinity)) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failed('MaxFailedIndexesExceeded', message);
  }
  const isAllOver = count + pods.completedIndexes.size >= (spec.completions ?? 0);
  return count > 0 && isAllOver ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

function success(spec: JobSpec, pods: JobPods): JobEnd | undefined {
  const rule = isIndexed(spec)
    ? satisfiedRule(spec.successPolicy, spec.completions ?? 0, pods.completedIndexes)
    : undefined;
  if (rule !== undefined) return { type: 'Complete', reason: 'SuccessPolicy', message: rule };
  if (!hasReached(spec, pods)) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'Complete', reason: 'CompletionsReached', message };
}

function hasReached(spec: JobSpec, pods: JobPods): boolean {
  const { completions } = spec;
  // Without a number, the first success says that the work is done; the others may finish.
  if (completions === undefined) return pods.succeeded > 0 && pods.active.length === 0;
  return doneOf(spec, pods) >= completions;
}

function doneOf(spec: JobSpec, pods: JobPods): number {
  return isIndexed(spec) ? pods.completedIndexes.size : pods.succeeded;
}

function wantedActive(spec: JobSpec, pods: JobPods): number {
  const { completions, parallelism = 1 } = spec;
  if (completions === undefined) {
    return pods.succeeded > 0 ? Math.min(parallelism, pods.active.length) : parallelism;
  }
  return Math.max(0, Math.min(parallelism, completions - doneOf(spec, pods)));
}

/** Pods without a place of their own first, then the youngest. */
function surplus(spec: JobSpec, pods: JobPods, wanted: number): readonly string[] {
  const seen = new Set<number>();
  const isOut = ({ index = Infinity }: { readonly index: number | undefined }): boolean => {
    if (!isIndexed(spec)) return false;
    const isMisplaced = index >= (spec.completions ?? 0) || seen.has(index);
    seen.add(index);
    return isMisplaced;
  };
  const out = pods.active.filter(isOut);
  const rest = pods.active.filter((pod) => !out.includes(pod));
  const tooMany = Math.max(0, rest.length - wanted);
  return [...out, ...rest.slice(rest.length - tooMany)].map(({ name }) => name);
}

function nextIndexes(
  spec: JobSpec,
  pods: JobPods,
  { room, held }: { readonly room: number; readonly held: readonly (number | undefined)[] },
): readonly (number | undefined)[] {
  if (!isIndexed(spec)) return Array.from({ length: room }, () => undefined);
  const taken = new Set([...pods.active.map(({ index }) => index), ...held]);
  const { completedIndexes: done, failedIndexes } = pods;
  const free: number[] = [];
  for (let index = 0; index < (spec.completions ?? 0) && free.length < room; index++) {
    const isOver = done.has(index) || failedIndexes?.has(index) === true;
    if (!taken.has(index) && !isOver) free.push(index);
  }
  return free;
}
