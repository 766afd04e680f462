// All stories as tests. In: how to reach an open terminal. Out: one test per story, in a namespace of its own.
import { describe, expect, test } from 'vitest';
import { accessStories } from './access.ts';
import { chartStories } from './charts.ts';
import { creatingStories } from './creating.ts';
import { customStories } from './custom.ts';
import { nodeStories } from './nodes.ts';
import { readingStories } from './reading.ts';
import { streamStories } from './streams.ts';
import { hasHelm } from './programs.ts';
import type { Story, Terminal } from './terminal.ts';
import { Mismatch, play, type Stories } from './transcript.ts';
import { workloadStories } from './workloads.ts';
import { writingStories } from './writing.ts';

const suites: Readonly<Record<string, Stories>> = {
  'to those who look,': readingStories,
  'to those who make objects,': creatingStories,
  'to those who change objects,': writingStories,
  'to those who run workloads,': workloadStories,
  'to those who look after nodes,': nodeStories,
  'to those who want into a pod,': streamStories,
  'to those who ask for access,': accessStories,
  'to those who use our kinds,': customStories,
};

/** Stories share the machine's time: they wait for each other's processes, not for each other. */
export function describeStories(open: () => Terminal, timeoutMs: number): void {
  const all = hasHelm ? { ...suites, 'to those who use helm,': chartStories } : suites;
  describe.concurrent.each(Object.entries(all))('%s', (_, stories) => {
    // A story that looks a moment too early, or too late on a machine that is busy, is told again from the start.
    test.each(Object.entries(stories))(
      '%s',
      { timeout: timeoutMs, retry: 2 },
      async (_name, told) => {
        expect(await tell(await open().story(), told)).toBe('as told');
      },
    );
  });
}

async function tell(story: Story, told: Stories[string] = ''): Promise<string> {
  try {
    await (typeof told === 'string' ? play(story, told) : told(story));
    return 'as told';
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}
