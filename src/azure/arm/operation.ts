// Work that Azure accepts now and finishes later. In: the call that starts it. Out: its first answer, and a way to wait for
// the end. What the first answer says decides how the end is learnt:
//   Azure-AsyncOperation or Operation-Location   a monitor that tells the status
//   Location                                     202 as long as it runs
//   provisioningState in the body                the resource itself, asked again
// 1. A call that fails for a moment does not end the wait; Azure naming a failure does.
// 2. A wait ends: with the work, with its signal, or when it took longer than any work of Azure's does.
import { sleep } from '../../base/clock.ts';
import { asError, CodedError } from '../../base/errors.ts';
import { ArmError, isArmNotFound, operationError, retryAfterMs } from './arm-error.ts';
import type { Arm, ArmAnswer, ArmCall } from './send.ts';

export interface Operation<T> {
  readonly accepted: ArmAnswer<T>;
  /** Throws what made it fail. */
  done(signal: AbortSignal): Promise<void>;
}

const pollMs = 3000;
const shortestPollMs = 1000;
const longestWaitMs = 30 * 60 * 1000;
/** One odd answer about a machine that is doing well must not cost the machine. */
const mostRefusals = 3;

interface Progress {
  readonly status: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks once. */
type Look = (signal: AbortSignal) => Promise<Progress>;

export async function begin<T>(arm: Arm, call: ArmCall): Promise<Operation<T>> {
  const accepted = await arm.send<T>(call);
  const look = lookFor(arm, call, accepted);
  return {
    accepted,
    done: async (signal) => {
      if (look !== undefined) await poll(arm, { call, look, headers: accepted.headers, signal });
    },
  };
}

/** Waits for a resource that somebody else is working on. */
export async function settled(arm: Arm, call: ArmCall): Promise<void> {
  const look: Look = (signal) => lookAtResource(arm, call, signal);
  await poll(arm, { call, look, headers: {}, signal: call.signal });
}

function lookFor(arm: Arm, call: ArmCall, accepted: ArmAnswer<unknown>): Look | undefined {
  const { headers, status, body } = accepted;
  if (isTerminal(provisioningStateOf(body))) return undefined;
  const monitor = headers['azure-asyncoperation'] ?? headers['operation-location'];
  if (monitor !== undefined) return (signal) => lookAtMonitor(arm, monitor, signal);
  const { location } = headers;
  if (location !== undefined) return (signal) => lookAtLocation(arm, location, signal);
  if (call.method === 'PUT' || call.method === 'PATCH') {
    return provisioningStateOf(body) === ''
      ? undefined
      : (signal) => lookAtResource(arm, call, signal);
  }
  if (status !== 202) return undefined;
  throw new CodedError('OperationUnknown', 'azure accepted work without saying how to follow it', {
    fields: { call: `${call.method} ${call.path}` },
  });
}

async function poll(
  arm: Arm,
  wait: {
    readonly call: ArmCall;
    readonly look: Look;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { call, look, signal } = wait;
  const endMs = arm.clock.monotonic() + longestWaitMs;
  let { headers } = wait;
  let refusals = 0;
  while (arm.clock.monotonic() < endMs) {
    const delayMs = Math.max(shortestPollMs, retryAfterMs(headers) ?? pollMs);
    await sleep(arm.clock, delayMs, { signal, label: 'azure operation' });
    const progress = await tryLook(look, call, signal);
    if (progress instanceof Error) {
      refusals = isPassing(progress) ? refusals : refusals + 1;
      if (refusals >= mostRefusals) throw progress;
      continue;
    }
    if (/^succeeded$/i.test(progress.status)) return;
    if (isTerminal(progress.status)) throw failure(progress, call);
    ({ headers } = progress);
  }
  throw new CodedError('OperationStuck', 'azure did not finish what it accepted', {
    fields: { call: `${call.method} ${call.path}`, waitedMs: longestWaitMs },
  });
}

async function tryLook(
  look: Look,
  { method }: ArmCall,
  signal: AbortSignal,
): Promise<Progress | Error> {
  try {
    return await look(signal);
  } catch (error) {
    signal.throwIfAborted();
    // What is deleted takes its monitor with it.
    if (method === 'DELETE' && isArmNotFound(error)) {
      return { status: 'Succeeded', body: undefined, headers: {} };
    }
    return asError(error);
  }
}

function isPassing(error: Error): boolean {
  return !(error instanceof ArmError) || error.status === 429 || error.status >= 500;
}

async function lookAtMonitor(arm: Arm, path: string, signal: AbortSignal): Promise<Progress> {
  const { body, headers } = await arm.send<{ readonly status?: string }>({
    method: 'GET',
    path,
    signal,
  });
  return { status: body?.status ?? '', body, headers };
}

async function lookAtLocation(arm: Arm, path: string, signal: AbortSignal): Promise<Progress> {
  const { status, body, headers } = await arm.send({ method: 'GET', path, signal });
  return { status: status === 202 ? 'InProgress' : 'Succeeded', body, headers };
}

async function lookAtResource(arm: Arm, call: ArmCall, signal: AbortSignal): Promise<Progress> {
  const { path, apiVersion } = call;
  const { body, headers } = await arm.send({
    method: 'GET',
    path,
    ...(apiVersion !== undefined && { apiVersion }),
    signal,
  });
  return { status: provisioningStateOf(body) || 'Succeeded', body, headers };
}

function failure({ status, body }: Progress, { method, path }: ArmCall): ArmError {
  const call = `${method} ${path}`;
  const hasError = typeof body === 'object' && body !== null && 'error' in body;
  if (hasError) return operationError(body, call);
  return new ArmError({ status: 0, code: `Operation${status}`, text: `it ended ${status}`, call });
}

function isTerminal(status: string): boolean {
  return /^(succeeded|failed|canceled)$/i.test(status);
}

function provisioningStateOf(body: unknown): string {
  const resource = body as
    | { readonly properties?: { readonly provisioningState?: string } }
    | undefined;
  return resource?.properties?.provisioningState ?? '';
}
