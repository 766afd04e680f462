// One container's life: start, ready, end, and again as its pod's restart policy says. In: its record, its program and a policy. Out:
// the record's state as it changes; resolves when the container will not run again, rejects when it is stopped from outside.
import { sleep } from '../../../base/clock.ts';
import type { PodHost } from './pod-host.ts';
import type { Program } from './pod-program.ts';
import type { ContainerRecord } from './pod-status.ts';

export interface ContainerRun {
  readonly host: PodHost;
  readonly record: ContainerRecord;
  readonly program: Program;
  readonly restartPolicy: string;
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

const firstBackoffMs = 10_000;
const longestBackoffMs = 300_000;
/** A program that ran as long is forgiven its earlier ends. */
const forgivenMs = 600_000;

export async function runContainer(run: ContainerRun): Promise<void> {
  const { host, record, program, signal, changed } = run;
  for (let ends = 0; ; ends++) {
    await sleep(host.clock, host.delays('containerStartMs'), { signal, label: 'container start' });
    const startedMs = host.clock.now();
    record.state = { kind: 'running', startedMs, isReady: program.readyAfterMs === 0 };
    changed();
    await live(run, startedMs);
    const { exitCode } = program;
    const finishedMs = host.clock.now();
    const isFinal = !restarts(run.restartPolicy, exitCode);
    record.state = { kind: 'terminated', startedMs, finishedMs, exitCode, isFinal };
    changed();
    if (isFinal) return;
    if (finishedMs - startedMs >= forgivenMs) ends = 0;
    await backOff(run, ends);
    record.restarts++;
  }
}

async function live({ host, record, program, signal, changed }: ContainerRun, startedMs: number) {
  const { runsForMs = Number.POSITIVE_INFINITY, readyAfterMs } = program;
  if (readyAfterMs > 0 && readyAfterMs < runsForMs) {
    await sleep(host.clock, readyAfterMs, { signal, label: 'container ready' });
    record.state = { kind: 'running', startedMs, isReady: true };
    changed();
  }
  if (runsForMs === Number.POSITIVE_INFINITY) await forever(signal);
  const leftMs = startedMs + runsForMs - host.clock.now();
  await sleep(host.clock, leftMs, { signal, label: 'container end' });
}

/** A timer for every program that serves until it is stopped would be one for nothing. */
function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new DOMException('the container was stopped', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function restarts(policy: string, exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** The first time at once, then ever later. */
async function backOff(run: ContainerRun, ends: number): Promise<void> {
  const { host, record, signal, changed } = run;
  record.last = record.state;
  if (ends === 0) return;
  record.state = { kind: 'waiting', reason: 'CrashLoopBackOff' };
  changed();
  const waitMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(ends - 1, 10));
  await sleep(host.clock, waitMs, { signal, label: 'container back-off' });
}
