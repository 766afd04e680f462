import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { HttpHandler } from '../../base/http-server.ts';
import { InProcessTransport } from './in-process-transport.ts';

async function* endless(signal: AbortSignal, onEnd: () => void): AsyncGenerator<string> {
  try {
    yield 'tick';
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  } finally {
    onEnd();
  }
}

describe('an API server in the same process', () => {
  test('gets the request as over a socket, and its answer comes back whole', async () => {
    const handler: HttpHandler = async (request) => ({
      status: 201,
      headers: { 'Retry-After': '1' },
      body: [
        request.method,
        request.path,
        request.query.get('q'),
        request.headers['x'],
        Buffer.from(await request.body()).toString(),
      ].join(' '),
    });
    const transport = new InProcessTransport(handler, { headers: { x: 'identity' } });
    const response = await transport.send({ method: 'PUT', path: '/a?q=%3F', body: 'body' });
    expect([
      response.status,
      response.headers['retry-after'],
      (await response.bytes()).toString(),
      transport.open,
    ]).toEqual([201, '1', 'PUT /a ? identity body', 0]);
  });

  test('a cancelled body tells the server, and whoever reads it', async () => {
    let ended = false;
    const transport = new InProcessTransport((request) => ({
      status: 200,
      body: endless(request.signal, () => (ended = true)),
    }));
    const response = await transport.send({ method: 'GET', path: '/' });
    const iterator = response.body[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    response.cancel();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
    await new VirtualClock().settle();
    expect([ended, transport.open]).toEqual([true, 0]);
  });

  test('an aborted request ends at once, whether or not the server notices', async () => {
    const transport = new InProcessTransport(() => new Promise(() => undefined));
    const stop = new AbortController();
    const waiting = transport.send({ method: 'GET', path: '/', signal: stop.signal });
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(transport.send({ method: 'GET', path: '/', signal: stop.signal })).rejects.toBe(
      reason,
    );
    expect(transport.open).toBe(0);
  });

  test('closing ends what is under way and refuses what comes', async () => {
    const transport = new InProcessTransport((request) => ({
      status: 200,
      body: endless(request.signal, () => undefined),
    }));
    const response = await transport.send({ method: 'GET', path: '/' });
    const bytes = response.bytes();
    await transport.close();
    await expect(bytes).rejects.toMatchObject({ code: 'TransportClosed' });
    await expect(transport.send({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'TransportClosed',
    });
  });
});
