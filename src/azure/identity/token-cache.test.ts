import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { TokenCache } from './token-cache.ts';

const hourMs = 60 * 60 * 1000;
const minuteMs = 60 * 1000;

function cacheWith(lifeMs: number, refreshMs?: number) {
  const clock = new VirtualClock();
  const state = { asked: 0, fails: false };
  const cache = new TokenCache({
    clock,
    scope: 'https://management.azure.com//.default',
    credential: {
      getToken: () => {
        state.asked++;
        if (state.fails) return Promise.reject(new Error('no directory'));
        return Promise.resolve({
          token: `token-${state.asked}`,
          expiresOnTimestamp: clock.now() + lifeMs,
          ...(refreshMs !== undefined && { refreshAfterTimestamp: clock.now() + refreshMs }),
        });
      },
    },
  });
  return { clock, cache, state };
}

describe('a token', () => {
  test('is asked for once, however many want it', async () => {
    const { cache, state } = cacheWith(hourMs);
    const tokens = await Promise.all([cache.token(), cache.token(), cache.token()]);
    expect([new Set(tokens), state.asked]).toEqual([new Set(['token-1']), 1]);
  });

  test.each([
    { lifeMs: hourMs, keptMs: 55 * minuteMs },
    { lifeMs: 24 * hourMs, keptMs: 2 * hourMs - 5 * minuteMs },
    { lifeMs: 24 * hourMs, refreshMs: hourMs, keptMs: hourMs },
  ])('is renewed in time: %j', async ({ lifeMs, refreshMs, keptMs }) => {
    const { clock, cache } = cacheWith(lifeMs, refreshMs);
    await cache.token();
    await clock.advance(keptMs - 1);
    expect(await cache.token()).toBe('token-1');
    await clock.advance(1);
    expect(await cache.token()).toBe('token-2');
  });

  test('that is still good serves while no new one can be had', async () => {
    const { clock, cache, state } = cacheWith(hourMs);
    await cache.token();
    state.fails = true;
    await clock.advance(57 * minuteMs);
    expect(await cache.token()).toBe('token-1');
    await clock.advance(4 * minuteMs);
    await expect(cache.token()).rejects.toThrow('no directory');
  });

  test('that was refused is not handed out again', async () => {
    const { cache } = cacheWith(hourMs);
    const refused = await cache.token();
    cache.forget(refused);
    expect(await cache.token()).toBe('token-2');
    cache.forget(refused);
    expect(await cache.token()).toBe('token-2');
  });

  test('that never comes is not waited for without end', async () => {
    const clock = new VirtualClock();
    const cache = new TokenCache({
      clock,
      scope: 's',
      credential: { getToken: () => new Promise<never>(() => undefined) },
    });
    const waiting = expect(cache.token()).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    await clock.advance(minuteMs);
    await waiting;
  });
});
