import { describe, expect, test } from 'vitest';
import type { HttpReply } from '../../base/http-server.ts';
import { createLogger } from '../../base/log.ts';
import { ping, probeHandler, type Checks } from './probes.ts';

async function ask(target: string, ready: Checks) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', output: { write: (line) => void lines.push(line) } });
  const { pathname: path, searchParams: query } = new URL(target, 'http://probe');
  const request = {
    method: 'GET',
    path,
    query,
    headers: {},
    signal: new AbortController().signal,
    body: () => Promise.resolve(new Uint8Array()),
  };
  const reply: HttpReply = await probeHandler({ ready, log })(request);
  return { status: reply.status, body: reply.body, logged: lines.length };
}

const allWell: Checks = { readyz: ping, manager: async () => undefined };
const notAll: Checks = {
  readyz: ping,
  manager: () => 'caches are not filled',
  crd: () => {
    throw new Error('no NodePool kind');
  },
};

describe('a probe', () => {
  test.each([
    { target: '/healthz', ready: notAll, status: 200, body: 'ok' },
    { target: '/healthz/ping', ready: notAll, status: 200, body: 'ok' },
    { target: '/readyz', ready: allWell, status: 200, body: 'ok' },
    { target: '/readyz/', ready: allWell, status: 200, body: 'ok' },
    {
      target: '/readyz?verbose',
      ready: allWell,
      status: 200,
      body: '[+]manager ok\n[+]readyz ok\nreadyz check passed\n',
    },
    {
      target: '/readyz?verbose&exclude=manager&exclude=nothing',
      ready: allWell,
      status: 200,
      body:
        '[+]manager excluded: ok\n[+]readyz ok\n' +
        'warn: some health checks cannot be excluded: no matches for "nothing"\nreadyz check passed\n',
    },
    {
      target: '/readyz',
      ready: notAll,
      status: 500,
      body:
        '[-]crd failed: reason withheld\n[-]manager failed: reason withheld\n[+]readyz ok\n' +
        'readyz check failed\n',
    },
    {
      target: '/readyz?exclude=crd&exclude=manager',
      ready: notAll,
      status: 200,
      body: 'ok',
    },
    { target: '/readyz/manager', ready: allWell, status: 200, body: 'ok' },
    {
      target: '/readyz/crd',
      ready: notAll,
      status: 500,
      body: 'internal server error: no NodePool kind\n',
    },
    { target: '/readyz/unknown', ready: allWell, status: 404, body: '404 page not found\n' },
    { target: '/', ready: allWell, status: 404, body: '404 page not found\n' },
    { target: '/readyz/manager/more', ready: allWell, status: 404, body: '404 page not found\n' },
  ])('of $target answers $status', async ({ target, ready, status, body }) => {
    expect(await ask(target, ready)).toMatchObject({ status, body });
  });

  test('that fails says why in the log', async () => {
    expect((await ask('/readyz', notAll)).logged).toBe(2);
  });
});
