// A watch as a stream of lines. In: the watch and how its events are written. Out: chunks as they come, pulled only as
// fast as the client reads; the watch stops when the client goes, whichever comes first.
import type { Watch, WatchEvent } from '../api.ts';

export async function* watchLines(
  watch: Watch,
  options: { readonly encode: (event: WatchEvent) => string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { signal, encode } = options;
  const stop = (): void => watch.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const events = watch.take();
      if (events.length > 0) {
        yield events.map((event) => encode(event)).join('');
        continue;
      }
      if (watch.closed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      watch.wake(resolve);
      await promise;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    watch.stop();
  }
}
