// An Arm for tests whose other side is a script. In: answers, one a call, or a function that gives them. Out: the Arm, virtual
// time, and what was sent.
import { silentLogger } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { armMetrics } from './arm-metrics.ts';
import { Arm } from './send.ts';
import type { WireAnswer, WireRequest } from './transport.ts';

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of a body: exactly these characters. */
  readonly text?: string;
}

/** An Error is no answer at all; `hang` is none, ever. */
export type Scripted = ScriptedAnswer | Error | 'hang';

export interface Sent extends WireRequest {
  readonly atMs: number;
}

export interface ScriptedArm {
  readonly arm: Arm;
  readonly clock: VirtualClock;
  readonly sent: Sent[];
  readonly registry: MetricsRegistry;
  readonly forgotten: string[];
  readonly signal: AbortSignal;
  settle<T>(work: Promise<T>): Promise<T>;
}

export function scriptedArm(
  script: readonly Scripted[] | ((request: WireRequest) => Scripted),
): ScriptedArm {
  const clock = new VirtualClock();
  const registry = new MetricsRegistry();
  const sent: Sent[] = [];
  const forgotten: string[] = [];
  const next =
    typeof script === 'function'
      ? script
      : () => script[Math.min(sent.length, script.length) - 1] ?? new Error('no script');
  const arm = new Arm({
    endpoint: 'https://management.azure.com',
    transport: (request) => {
      sent.push({ ...request, atMs: clock.monotonic() });
      return answer(next(request), request.signal);
    },
    tokens: {
      token: () => Promise.resolve(`token-${forgotten.length}`),
      forget: (token) => void forgotten.push(token),
    },
    clock,
    random: seededRandom(1),
    log: silentLogger,
    metrics: armMetrics(registry),
    userAgent: 'karpenter-aks/v0.1.0',
  });
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const watched = work.finally(() => {
      isOver = true;
    });
    watched.catch(() => undefined);
    await clock.runUntil(() => isOver);
    return await watched;
  };
  return { arm, clock, sent, registry, forgotten, signal: new AbortController().signal, settle };
}

function answer(scripted: Scripted, signal: AbortSignal): Promise<WireAnswer> {
  if (scripted instanceof Error) return Promise.reject(scripted);
  if (scripted === 'hang') {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
  const { status, headers = {}, body } = scripted;
  const text = scripted.text ?? (body === undefined ? '' : JSON.stringify(body));
  return Promise.resolve({ status, headers, text });
}
