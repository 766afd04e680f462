// Timing for benchmarks. In: a piece of work. Out: calls per second, from the fastest of several rounds, since
// a noisy neighbour can only ever make a round slower.

const warmUpMs = 200;
const roundMs = 200;
const rounds = 5;

export function callsPerSecond(work: () => void): number {
  timeFor(work, warmUpMs);
  let best = 0;
  for (let round = 0; round < rounds; round++) best = Math.max(best, timeFor(work, roundMs));
  return best;
}

function timeFor(work: () => void, ms: number): number {
  const started = performance.now();
  let calls = 0;
  let elapsed: number;
  do {
    for (let i = 0; i < 16; i++) work();
    calls += 16;
    elapsed = performance.now() - started;
  } while (elapsed < ms);
  return (calls / elapsed) * 1000;
}

/** `12,345,678`. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
