// Timing for benchmarks of small things. In: a piece of work. Out: calls per second, from the median sample: what
// the work costs when neither the garbage collector nor a noisy neighbour happens to strike.
import { measure } from 'mitata';

export async function callsPerSecond(work: () => void): Promise<number> {
  const { p50 } = await measure(work);
  return 1e9 / p50;
}

/** `12,345,678`. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
