// How many reconciles a controller may have under way, and how fast it may retry, from the CPU it was given.
// In: millicores and the bounds of the controller. Out: whole numbers within those bounds.

/** One core gives `min`, sixty give `max`, on a line between. */
export function scaledConcurrency(options: {
  readonly cpuMilli: number;
  readonly min: number;
  readonly max: number;
}): number {
  const { cpuMilli, min, max } = options;
  const cores = Math.ceil(cpuMilli / 1000);
  const scaled = Math.trunc(((max - min) / 59) * (cores - 1)) + min;
  return Math.min(max, Math.max(min, scaled));
}

/** A retry bucket that grows with concurrency: `minPerSecond` at `minConcurrency`, bursts of ten seconds. */
export function scaledBucket(options: {
  readonly minPerSecond: number;
  readonly minConcurrency: number;
  readonly concurrency: number;
}): { readonly perSecond: number; readonly burst: number } {
  const { minPerSecond, minConcurrency, concurrency } = options;
  const perSecond = Math.ceil(concurrency * (minPerSecond / minConcurrency));
  return { perSecond, burst: perSecond * 10 };
}
