// What a Job does next. In: its spec and the pods it has had. Out: how it ends, or how many pods to make and remove.
// Pure.
// 1. A finished job is never continued. 2. Never more than `parallelism` pods at once, never more successes asked
// for than `completions`. 3. Of an indexed job every index succeeds once and has at most one live pod.

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly completionMode?: 'NonIndexed' | 'Indexed';
  readonly suspend?: boolean;
  readonly ttlSecondsAfterFinished?: number;
}

export interface JobPods {
  /** Neither ended nor ending. */
  readonly active: readonly { readonly name: string; readonly index: number | undefined }[];
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: ReadonlySet<number>;
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

export function planJob(options: {
  readonly spec: JobSpec;
  readonly pods: JobPods;
  /** How long the job has been running; undefined before it started. */
  readonly activeMs: number | undefined;
}): JobPlan {
  const { spec, pods } = options;
  const end = endOf(options);
  const everyone = pods.active.map(({ name }) => name);
  if (end !== undefined) return { end, create: [], remove: everyone };
  if (spec.suspend === true) return { end, create: [], remove: everyone };
  const { parallelism = 1 } = spec;
  const wanted = wantedActive(spec, pods, parallelism);
  const surplus = pods.active.length - wanted;
  if (surplus > 0) return { end, create: [], remove: everyone.slice(-surplus) };
  // A pod that is on its way out still holds its place.
  const room = Math.max(0, wanted - pods.active.length - pods.terminating);
  return { end, create: nextIndexes(spec, pods, room), remove: [] };
}

function endOf(options: {
  readonly spec: JobSpec;
  readonly pods: JobPods;
  readonly activeMs: number | undefined;
}): JobEnd | undefined {
  const { spec, pods, activeMs } = options;
  if (pods.failed > (spec.backoffLimit ?? 6)) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  const deadlineMs = (spec.activeDeadlineSeconds ?? Infinity) * 1000;
  if (activeMs !== undefined && activeMs >= deadlineMs) {
    const message = 'Job was active longer than specified deadline';
    return { type: 'Failed', reason: 'DeadlineExceeded', message };
  }
  if (!hasSucceeded(spec, pods)) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'Complete', reason: 'CompletionsReached', message };
}

function hasSucceeded(spec: JobSpec, pods: JobPods): boolean {
  const { completions } = spec;
  // Without a number, the first success says that the work is done; the others may finish.
  if (completions === undefined) return pods.succeeded > 0 && pods.active.length === 0;
  if (spec.completionMode === 'Indexed') return pods.completedIndexes.size >= completions;
  return pods.succeeded >= completions;
}

function wantedActive(spec: JobSpec, pods: JobPods, parallelism: number): number {
  const { completions } = spec;
  if (completions === undefined) {
    return pods.succeeded > 0 ? Math.min(parallelism, pods.active.length) : parallelism;
  }
  const done = spec.completionMode === 'Indexed' ? pods.completedIndexes.size : pods.succeeded;
  return Math.max(0, Math.min(parallelism, completions - done));
}

function nextIndexes(spec: JobSpec, pods: JobPods, room: number): readonly (number | undefined)[] {
  if (spec.completionMode !== 'Indexed') return Array.from({ length: room }, () => undefined);
  const taken = new Set(pods.active.map(({ index }) => index));
  const free: number[] = [];
  for (let index = 0; index < (spec.completions ?? 0) && free.length < room; index++) {
    if (!taken.has(index) && !pods.completedIndexes.has(index)) free.push(index);
  }
  return free;
}

/** `0-2,5`: how a status writes a set of indexes. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].toSorted((a, b) => a - b);
  const ranges: [first: number, last: number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === index) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) => {
      if (first === last) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}

/** The wait before a job tries again after so many failures in a row: 10 s, doubling up to 10 minutes. */
export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(600_000, 10_000 * 2 ** (failures - 1));
}
