import { describe, expect, test } from 'vitest';
import { begin } from './operation.ts';
import { type Scripted, scriptedArm } from './scripted-arm.ts';

const path = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/a';
const monitor =
  'https://management.azure.com/subscriptions/s/providers/Microsoft.Compute/operations/1';
const accepted = (headers: Record<string, string>, state?: string): Scripted => ({
  status: 201,
  headers,
  body: state === undefined ? {} : { properties: { provisioningState: state } },
});
const status = (text: string, rest: object = {}): Scripted => ({
  status: 200,
  body: { status: text, ...rest },
});
const byMonitor = { 'azure-asyncoperation': monitor };
const byLocation = { location: monitor };

type Method = 'PUT' | 'PATCH' | 'POST' | 'DELETE';

async function outcome(method: Method, script: readonly Scripted[]) {
  const { arm, sent, settle, signal } = scriptedArm(script);
  const work = async (): Promise<string> => {
    const operation = await begin(arm, { method, path, apiVersion: '2025-04-01', signal });
    await operation.done(signal);
    return 'done';
  };
  const ended = await settle(work()).catch((error: unknown) => (error as { code: string }).code);
  return { ended, calls: sent.length, endMs: sent.at(-1)?.atMs };
}

describe('an operation', () => {
  test.each<[string, Method, Scripted[], number]>([
    [
      'its monitor says so',
      'PUT',
      [accepted(byMonitor), status('InProgress'), status('Succeeded')],
      3,
    ],
    [
      'another header names the monitor',
      'PUT',
      [accepted({ 'operation-location': monitor }), status('succeeded')],
      2,
    ],
    [
      'its location no longer says 202',
      'POST',
      [{ status: 202, headers: byLocation }, { status: 202 }, { status: 204 }],
      3,
    ],
    [
      'the resource says so',
      'PUT',
      [accepted({}, 'Creating'), accepted({}, 'Creating'), accepted({}, 'Succeeded')],
      3,
    ],
    ['the first answer says so', 'PUT', [accepted(byMonitor, 'Succeeded')], 1],
    ['nothing speaks of work', 'PATCH', [{ status: 200, body: {} }], 1],
    ['there was nothing to delete', 'DELETE', [{ status: 204 }], 1],
    [
      'what it deletes took the monitor along',
      'DELETE',
      [{ status: 202, headers: byMonitor }, { status: 404 }],
      2,
    ],
  ])('is over when %s', async (_, method, script, calls) => {
    expect(await outcome(method, script)).toMatchObject({ ended: 'done', calls });
  });

  test.each<[string, Method, Scripted[], string]>([
    [
      'with Azure’s own code',
      'PUT',
      [
        accepted(byMonitor),
        status('Failed', { error: { code: 'AllocationFailed', message: 'x' } }),
      ],
      'AllocationFailed',
    ],
    [
      'when it was cancelled',
      'PUT',
      [accepted(byMonitor), status('Canceled')],
      'OperationCanceled',
    ],
    [
      'when the resource says so',
      'PUT',
      [accepted({}, 'Creating'), accepted({}, 'Failed')],
      'OperationFailed',
    ],
    ['when its monitor is refused', 'PUT', [accepted(byMonitor), { status: 403 }], 'UnknownError'],
    ['when there is no way to follow it', 'POST', [{ status: 202 }], 'OperationUnknown'],
  ])('fails %s', async (_, method, script, code) => {
    expect((await outcome(method, script)).ended).toBe(code);
  });

  test('survives a monitor that fails for a while', async () => {
    const broken: Scripted = { status: 503 };
    const script = [
      accepted(byMonitor),
      ...Array.from({ length: 9 }, () => broken),
      status('Succeeded'),
    ];
    expect((await outcome('PUT', script)).ended).toBe('done');
  });

  test('is asked for every three seconds, or as Azure says', async () => {
    const plain = [accepted(byMonitor), status('InProgress'), status('Succeeded')];
    expect((await outcome('PUT', plain)).endMs).toBe(6000);
    const slow = { ...byMonitor, 'retry-after': '10' };
    expect((await outcome('PUT', [accepted(slow), status('Succeeded')])).endMs).toBe(10_000);
  });

  test('is given up after half an hour', async () => {
    const { arm, clock, settle, signal } = scriptedArm(({ method }) =>
      method === 'PUT' ? accepted(byMonitor) : status('InProgress'),
    );
    const operation = await settle(begin(arm, { method: 'PUT', path, signal }));
    await expect(settle(operation.done(signal))).rejects.toMatchObject({ code: 'OperationStuck' });
    expect(clock.monotonic()).toBe(30 * 60 * 1000);
  });

  test('ends with its signal and leaves no timer', async () => {
    const { arm, clock, settle, signal } = scriptedArm(({ method }) =>
      method === 'PUT' ? accepted(byMonitor) : status('InProgress'),
    );
    const operation = await settle(begin(arm, { method: 'PUT', path, signal }));
    const stop = new AbortController();
    const waiting = expect(operation.done(stop.signal)).rejects.toThrow();
    await clock.advance(10_000);
    stop.abort();
    await waiting;
    expect(clock.pending().timers).toEqual([]);
  });
});
