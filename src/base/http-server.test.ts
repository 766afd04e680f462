import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { hasCode } from './errors.ts';
import { HttpServer, type HttpHandler } from './http-server.ts';
import { silentLogger } from './log.ts';
import { VirtualClock } from './virtual-clock.ts';

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(handler: HttpHandler, maxBodyBytes?: number): Promise<string> {
  const limit = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  server = await HttpServer.listen({ handler, log: silentLogger, ...limit });
  return server.url;
}

describe('the http server', () => {
  test('hands method, path, query, headers and body to the handler', async () => {
    const url = await serve(async (request) => ({
      status: 201,
      headers: { 'x-a': 'b' },
      body: JSON.stringify([
        request.method,
        request.path,
        request.query.get('q'),
        request.headers['x-in'],
        new TextDecoder().decode(await request.body()),
      ]),
    }));
    const reply = await fetch(`${url}/a%2Fb?q=1`, {
      method: 'POST',
      body: 'hello',
      headers: { 'X-In': 'y' },
    });
    expect([reply.status, reply.headers.get('x-a'), await reply.json()]).toEqual([
      201,
      'b',
      ['POST', '/a%2Fb', '1', 'y', 'hello'],
    ]);
  });

  test('a handler that throws answers 500 and the server goes on', async () => {
    let calls = 0;
    const url = await serve(() => {
      if (calls++ === 0) throw new Error('boom');
      return { status: 204 };
    });
    expect((await fetch(url)).status).toBe(500);
    expect((await fetch(url)).status).toBe(204);
  });

  test('a body over the limit is refused', async () => {
    const url = await serve(async (request) => {
      const outcome = await request.body().catch((error: unknown) => error);
      return { status: hasCode(outcome, 'BodyTooLarge') ? 413 : 200 };
    }, 10);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(11) })).status).toBe(413);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(10) })).status).toBe(200);
  });

  test('streams, and tells the stream when its reader goes', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const url = await serve((request) => ({
      status: 200,
      body: (async function* () {
        try {
          yield 'one\n';
          await new Promise((gone) => request.signal.addEventListener('abort', gone));
          yield 'two\n';
        } finally {
          resolve();
        }
      })(),
    }));
    const reply = await fetch(url);
    const reader = reply.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one\n');
    await reader.cancel();
    await ended;
  });

  test('is pulled only as fast as the client reads', async () => {
    let produced = 0;
    const chunk = new Uint8Array(1 << 20);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const url = await serve(() => ({
      status: 200,
      body: (async function* () {
        try {
          for (; produced < 500; produced++) yield chunk;
        } finally {
          resolve();
        }
      })(),
    }));
    // A raw socket that never reads: everything past the kernel's buffers must wait.
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((done) => socket.once('ready', done));
    const clock = new VirtualClock();
    let last = 0;
    do {
      last = produced;
      for (let turn = 0; turn < 100; turn++) await clock.settle();
    } while (last !== produced || last === 0);
    expect(produced).toBeLessThan(500);
    socket.destroy();
    await ended;
  });

  test('closing ends open streams and frees the port', async () => {
    const url = await serve((request) => ({
      status: 200,
      body: (async function* () {
        yield 'x';
        await new Promise((gone) => request.signal.addEventListener('abort', gone));
      })(),
    }));
    const reply = await fetch(url);
    await server!.close();
    await expect(reply.text()).rejects.toThrow();
    await expect(fetch(url)).rejects.toThrow();
  });

  test('a port that is taken is an error that names it', async () => {
    await serve(() => ({ status: 200 }));
    const port = server!.port;
    const second = HttpServer.listen({ handler: () => ({ status: 200 }), log: silentLogger, port });
    await expect(second).rejects.toSatisfy((error) => hasCode(error, 'ListenFailed'));
  });
});
