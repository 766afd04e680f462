// A loop that looks after the whole, not after single objects: a controller with one key. In: a function.
// Out: a ControllerSpec that runs it once at the start, again after its `requeueAfterMs`, and with backoff when
// it throws. Never two runs at once. A run that names no time is the last, unless a source wakes the loop.
import type { ControllerSpec } from './controller.ts';
import type { Source } from './source.ts';

/** The only key of a singleton; sources that wake one report this. */
export const singletonKey = 'singleton';

export function singleton(
  options: Omit<ControllerSpec, 'type' | 'concurrency' | 'sources'> & {
    /** What else wakes the loop. */
    readonly sources?: readonly Source[];
  },
): ControllerSpec {
  return { ...options, concurrency: 1, sources: [atStart, ...(options.sources ?? [])] };
}

const atStart: Source = {
  name: 'start',
  start(keys) {
    keys.add(singletonKey);
    return () => undefined;
  },
  synced: () => Promise.resolve(),
};
