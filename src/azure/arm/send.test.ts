import { describe, expect, test } from 'vitest';
import { hasCode } from '../../base/errors.ts';
import { ArmError } from './arm-error.ts';
import { type Scripted, scriptedArm } from './scripted-arm.ts';

const vm = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/a';
const call = { method: 'GET', path: vm, apiVersion: '2025-04-01' } as const;
const ok: Scripted = { status: 200, body: { id: 'a' } };
const busy = (seconds?: string): Scripted => ({
  status: 429,
  headers: seconds === undefined ? {} : { 'retry-after': seconds },
  body: { error: { code: 'TooManyRequests', message: 'slow down' } },
});
const broken: Scripted = { status: 500, body: { error: { code: 'InternalServerError' } } };

describe('a call', () => {
  test('says who asks, for what, and in which version', async () => {
    const { arm, sent, settle, signal } = scriptedArm([ok]);
    const answer = await settle(
      arm.send({ ...call, method: 'PUT', body: { a: 1 }, query: { $filter: "x eq 'y'" }, signal }),
    );
    expect(answer).toMatchObject({ status: 200, body: { id: 'a' } });
    const [request] = sent;
    expect([request?.method, request?.body]).toEqual(['PUT', '{"a":1}']);
    expect(request?.url).toBe(
      `https://management.azure.com${vm}?api-version=2025-04-01&%24filter=x+eq+%27y%27`,
    );
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer token-0',
      'user-agent': 'karpenter-aks/v0.1.0',
      'content-type': 'application/json',
      'x-ms-client-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-ms-correlation-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('takes no token to an address outside the cloud', async () => {
    const { arm, sent, settle, signal } = scriptedArm([ok]);
    const foreign = { method: 'GET', path: 'https://evil.example/steal', signal } as const;
    await expect(settle(arm.send(foreign))).rejects.toMatchObject({ code: 'ForeignAddress' });
    expect(sent).toEqual([]);
  });

  test('whose token is refused is made once more with a fresh one', async () => {
    const { arm, sent, forgotten, settle, signal } = scriptedArm([{ status: 401 }, ok]);
    await settle(arm.send({ ...call, signal }));
    expect(forgotten).toEqual(['token-0']);
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });

  test.each([
    ['408', { status: 408 }],
    ['429', busy()],
    ['500', broken],
    ['503', { status: 503 }],
    ['no connection', new Error('ECONNRESET')],
    ['no answer', 'hang'],
  ] as const)('is repeated after %s', async (_, fault) => {
    const { arm, sent, settle, signal } = scriptedArm([fault, fault, fault, ok]);
    await settle(arm.send({ ...call, signal }));
    expect(sent).toHaveLength(4);
  });

  test('whose answer is cut off is repeated', async () => {
    const { arm, sent, settle, signal } = scriptedArm([{ status: 200, text: '{"id":' }, ok]);
    expect((await settle(arm.send({ ...call, signal }))).body).toEqual({ id: 'a' });
    expect(sent).toHaveLength(2);
  });

  test('is given up after four tries', async () => {
    const { arm, sent, settle, signal } = scriptedArm(() => broken);
    await expect(settle(arm.send({ ...call, signal }))).rejects.toBeInstanceOf(ArmError);
    expect(sent).toHaveLength(4);
  });

  test('that names no cause of passing nature is not repeated', async () => {
    const { arm, sent, settle, signal } = scriptedArm(() => ({ status: 409 }));
    await expect(settle(arm.send({ ...call, signal }))).rejects.toMatchObject({ status: 409 });
    expect(sent).toHaveLength(1);
  });

  test.each([
    { fault: broken, calls: 1 },
    { fault: new Error('ECONNRESET'), calls: 1 },
    { fault: busy('1'), calls: 12 },
  ])('that must not be made twice is repeated only if it was refused', async (row) => {
    const { arm, sent, settle, signal } = scriptedArm(() => row.fault);
    await settle(arm.send({ ...call, repeat: 'refused', signal })).catch(() => undefined);
    expect(sent).toHaveLength(row.calls);
  });

  test('waits as long as Azure says', async () => {
    const { arm, sent, settle, signal } = scriptedArm([busy('17'), ok]);
    await settle(arm.send({ ...call, signal }));
    expect(sent[1]?.atMs).toBeGreaterThanOrEqual(17_000);
  });

  test('that is aborted while it waits ends at once', async () => {
    const { arm, clock, sent } = scriptedArm([busy('3600')]);
    const stop = new AbortController();
    const pending = expect(arm.send({ ...call, signal: stop.signal })).rejects.toThrow();
    await clock.advance(1000);
    stop.abort();
    await pending;
    expect([sent.length, clock.pending().timers]).toEqual([1, []]);
  });

  test('carries Azure’s code, words and details in its error', async () => {
    const { arm, settle, signal } = scriptedArm(() => ({
      status: 409,
      body: {
        error: {
          code: 'OperationNotAllowed',
          message: 'quota',
          details: [{ code: 'a', message: 'b', target: 'c' }],
        },
      },
    }));
    const error: unknown = await settle(arm.send({ ...call, signal })).catch((e: unknown) => e);
    expect(hasCode(error, 'OperationNotAllowed')).toBe(true);
    expect(error).toMatchObject({
      status: 409,
      text: 'quota',
      details: [{ code: 'a', message: 'b', target: 'c' }],
    });
  });

  test('is counted by the type of its resource, never by its name', async () => {
    const { arm, registry, settle, signal } = scriptedArm([ok]);
    await settle(arm.send({ ...call, signal }));
    const text = await registry.text();
    expect(text).toContain(
      'karpenter_azure_request_duration_seconds_count{method="GET",resource_type="Microsoft.Compute/virtualMachines",status="200"} 1',
    );
  });
});

describe('calls of one subscription', () => {
  test('all wait when one was refused for too many', async () => {
    const { arm, clock, sent, settle, signal } = scriptedArm([busy('30'), ok, ok, ok]);
    const first = arm.send({ ...call, signal });
    await clock.settle();
    await settle(
      Promise.all([first, arm.send({ ...call, signal }), arm.send({ ...call, signal })]),
    );
    expect(sent.slice(1).every(({ atMs }) => atMs >= 30_000)).toBe(true);
    // One by one afterwards, no faster than the budget refills.
    const times = sent.slice(1).map(({ atMs }) => atMs);
    expect(new Set(times).size).toBe(3);
  });

  test('of another kind or provider do not wait for them', async () => {
    const { arm, clock, sent, settle, signal } = scriptedArm(({ method, url }) =>
      method === 'GET' && url.includes('Compute') && sent.length === 1 ? busy('30') : ok,
    );
    const first = arm.send({ ...call, signal });
    await clock.settle();
    const nic = vm.replace(
      'Microsoft.Compute/virtualMachines',
      'Microsoft.Network/networkInterfaces',
    );
    await settle(
      Promise.all([
        arm.send({ ...call, method: 'PUT', body: {}, signal }),
        arm.send({ ...call, path: nic, signal }),
      ]),
    );
    expect(clock.monotonic()).toBe(0);
    await settle(first);
  });

  test('do not wait because one resource is busy', async () => {
    const { arm, clock, sent, settle, signal } = scriptedArm([
      {
        ...(busy('30') as object),
        status: 429,
        body: { error: { code: 'AnotherOperationInProgress' } },
      },
      ok,
      ok,
    ]);
    const first = arm.send({ ...call, signal });
    await clock.settle();
    await settle(arm.send({ ...call, signal }));
    expect([clock.monotonic(), sent.length]).toEqual([0, 2]);
    await settle(first);
  });

  test('go no faster than the bucket of the subscription refills, whichever provider they ask', async () => {
    const { arm, sent, settle, signal } = scriptedArm(() => ok);
    const nic = vm.replace('Microsoft.Compute', 'Microsoft.Network');
    await settle(
      Promise.all(
        Array.from({ length: 300 }, (_, i) =>
          arm.send({ ...call, path: i % 2 === 0 ? vm : nic, signal }),
        ),
      ),
    );
    expect([sent[249]?.atMs, sent[299]?.atMs]).toEqual([0, 2000]);
  });

  test('go no faster than the budget refills when little of it is left', async () => {
    const { arm, sent, settle, signal } = scriptedArm(() => ({
      status: 200,
      headers: { 'x-ms-ratelimit-remaining-subscription-reads': '3' },
      body: {},
    }));
    await settle(arm.send({ ...call, signal }));
    await settle(Promise.all(Array.from({ length: 51 }, () => arm.send({ ...call, signal }))));
    expect(sent.at(-1)?.atMs).toBeCloseTo(1920, -2);
  });
});
