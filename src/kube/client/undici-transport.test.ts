// Over real sockets: what only they can show. Everything else about the client is tested without.
import { X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { HttpServer, type HttpHandler, type HttpServerOptions } from '../../base/http-server.ts';
import { silentLogger } from '../../base/log.ts';
import { seededRandom } from '../../base/random.ts';
import type { Pod } from '../../api/core.ts';
import { pods } from '../../api/resource-type.ts';
import { ApiServer } from '../../../test/support/api-server.ts';
import { podNamed } from '../../../test/support/scripted-cluster.ts';
import {
  renewedTestClient,
  testAuthority,
  testClient,
  testServer,
} from '../../../test/support/tls-certificates.ts';
import { KubeClient } from './client.ts';
import {
  bearer,
  staticCredentials,
  type Credential,
  type Credentials,
} from '../config/credentials.ts';
import { Informer } from '../cache/informer.ts';
import { UndiciTransport, type UndiciTransportOptions } from './undici-transport.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(handler: HttpHandler, tls?: HttpServerOptions['tls']): Promise<HttpServer> {
  const server = await HttpServer.listen({
    handler,
    log: silentLogger,
    ...(tls === undefined ? {} : { tls }),
  });
  cleanups.push(() => server.close());
  return server;
}

function transportTo(
  url: string,
  access: Partial<UndiciTransportOptions['access']> = {},
): UndiciTransport {
  const transport = new UndiciTransport({
    access: {
      server: new URL(url),
      tls: {},
      headers: {},
      credentials: staticCredentials({ headers: {} }),
      ...access,
    },
  });
  cleanups.push(() => transport.close());
  return transport;
}

async function textOf(transport: UndiciTransport, path = '/'): Promise<string> {
  const response = await transport.send({ method: 'GET', path });
  return `${response.status} ${(await response.bytes()).toString()}`;
}

describe('requests over sockets', () => {
  test('carry method, path below the prefix, headers and body, and bring all of the answer', async () => {
    const server = await serve(async (request) => ({
      status: 418,
      headers: { 'Retry-After': '3' },
      body: [
        request.method,
        request.path,
        request.query.get('a'),
        request.headers['x-test'],
        Buffer.from(await request.body()).toString('utf8'),
      ].join(' '),
    }));
    const transport = transportTo(`${server.url}/k8s/clusters/c-1/`);
    const response = await transport.send({
      method: 'POST',
      path: '/api?a=b',
      headers: { 'x-test': 'x' },
      body: 'hällo',
    });
    const body = (await response.bytes()).toString();
    expect([response.status, response.headers['retry-after'], body]).toEqual([
      418,
      '3',
      'POST /k8s/clusters/c-1/api b x hällo',
    ]);
  });

  test('send who we act as', async () => {
    const server = await serve((request) => ({
      status: 200,
      body: JSON.stringify(request.headers),
    }));
    const transport = transportTo(server.url, {
      headers: { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'] },
    });
    expect(JSON.parse((await textOf(transport)).slice(4))).toMatchObject({
      'impersonate-user': 'jane',
      'impersonate-group': 'a, b',
    });
  });

  test('fail when nobody listens', async () => {
    const server = await serve(() => ({ status: 200 }));
    const { url } = server;
    await server.close();
    await expect(textOf(transportTo(url))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a long-running request has a connection of its own, and cancelling it frees that', async () => {
    const left = Promise.withResolvers<void>();
    const server = await serve((request) => {
      if (request.path !== '/watch') return { status: 200, body: 'short' };
      request.signal.addEventListener('abort', () => left.resolve(), { once: true });
      return { status: 200, body: endless(request.signal) };
    });
    const transport = transportTo(server.url);
    const watch = await transport.send({ method: 'GET', path: '/watch', longRunning: true });
    const iterator = watch.body[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value as Uint8Array).toString()).toBe('tick');
    expect(await textOf(transport)).toBe('200 short');
    const rest = iterator.next();
    watch.cancel();
    await expect(rest).rejects.toMatchObject({ name: 'AbortError' });
    await left.promise;
  });

  test('aborting ends a request before, during and after its head', async () => {
    const server = await serve((request) =>
      request.path === '/hang'
        ? new Promise(() => undefined)
        : { status: 200, body: endless(request.signal) },
    );
    const transport = transportTo(server.url);
    const reason = new Error('no longer wanted');
    await expect(
      transport.send({ method: 'GET', path: '/', signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
    const hanging = new AbortController();
    const waiting = transport.send({ method: 'GET', path: '/hang', signal: hanging.signal });
    hanging.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const reading = new AbortController();
    const response = await transport.send({ method: 'GET', path: '/', signal: reading.signal });
    reading.abort(reason);
    await expect(response.bytes()).rejects.toBe(reason);
  });

  test('a slow reader holds the server back instead of filling our memory', async () => {
    let sent = 0;
    const server = await serve((request) => ({
      status: 200,
      body: (async function* flood(): AsyncGenerator<Uint8Array> {
        const chunk = Buffer.alloc(256 * 1024, 'x');
        while (!request.signal.aborted && sent < 400) {
          sent++;
          yield chunk;
        }
      })(),
    }));
    const transport = transportTo(server.url);
    const response = await transport.send({ method: 'GET', path: '/', longRunning: true });
    const iterator = response.body[Symbol.asyncIterator]();
    await iterator.next();
    // Other traffic, so that the server has had every chance to run ahead.
    const other = transportTo((await serve(() => ({ status: 200 }))).url);
    for (let i = 0; i < 100; i++) await textOf(other);
    expect(sent).toBeLessThan(100);
    response.cancel();
  });

  test('a connection that breaks inside a body is an error, not an end', async () => {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('half', () => outgoing.destroy());
    });
    const url = await listening(server);
    await expect(textOf(transportTo(url))).rejects.toThrow();
  });

  test('after close no socket is left and nothing can be sent', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200);
      outgoing.write('x');
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    });
    const url = await listening(server);
    const transport = transportTo(url);
    const responses = await Promise.all(
      [true, true, false].map((longRunning) =>
        transport.send({ method: 'GET', path: '/', longRunning }),
      ),
    );
    expect(sockets.size).toBe(3);
    const reading = Promise.allSettled(responses.map((response) => response.bytes()));
    const closed = Promise.all(
      Array.from(sockets, (socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
    await transport.close();
    await closed;
    expect((await reading).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    await expect(textOf(transport)).rejects.toThrow('closed');
  });
});

describe('credentials', () => {
  /** Gives `stale` until it is refused. */
  function renewable(stale: Credential, fresh: Credential): Credentials {
    let current = stale;
    return {
      current: () => Promise.resolve(current),
      refused: (credential) => {
        const renewed = credential === stale;
        current = fresh;
        return Promise.resolve(renewed);
      },
    };
  }

  test('a refused token is renewed and the request sent once more', async () => {
    const seen: string[] = [];
    const server = await serve((request) => {
      seen.push(request.headers['authorization'] ?? '');
      return { status: request.headers['authorization'] === 'Bearer new' ? 200 : 401, body: 'x' };
    });
    const credentials = renewable({ headers: bearer('old') }, { headers: bearer('new') });
    expect(await textOf(transportTo(server.url, { credentials }))).toBe('200 x');
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
  });

  test('a token that is refused again is not asked for a third time', async () => {
    let requests = 0;
    const server = await serve(() => {
      requests++;
      return { status: 401, body: 'no' };
    });
    const credentials = renewable({ headers: bearer('old') }, { headers: bearer('new') });
    expect([await textOf(transportTo(server.url, { credentials })), requests]).toEqual([
      '401 no',
      2,
    ]);
  });

  test('when renewing fails the refusal is the answer', async () => {
    const server = await serve(() => ({ status: 401, body: 'no' }));
    const credentials: Credentials = {
      current: () => Promise.resolve({ headers: {} }),
      refused: () => Promise.reject(new Error('plugin is gone')),
    };
    expect(await textOf(transportTo(server.url, { credentials }))).toBe('401 no');
  });
});

describe('over TLS', () => {
  const subject: HttpHandler = (request) => ({
    status: 200,
    body:
      request.clientCertificate === undefined
        ? 'nobody'
        : new X509Certificate(request.clientCertificate).subject.replaceAll('\n', ','),
  });
  const identity = { ...testServer, clientCa: testAuthority };

  test('a client certificate tells who we are', async () => {
    const { url } = await serve(subject, identity);
    const tls = { ca: testAuthority };
    const credentials = staticCredentials({ headers: {}, certificate: testClient });
    expect(await textOf(transportTo(url, { tls, credentials }))).toBe(
      '200 CN=admin,O=system:masters',
    );
    expect(await textOf(transportTo(url, { tls }))).toBe('200 nobody');
  });

  test('a renewed certificate is used at once, on new connections', async () => {
    const { url } = await serve(subject, identity);
    let certificate = testClient;
    const credentials: Credentials = {
      current: () => Promise.resolve({ headers: {}, certificate }),
      refused: () => Promise.resolve(false),
    };
    const transport = transportTo(url, { tls: { ca: testAuthority }, credentials });
    expect(await textOf(transport)).toContain('CN=admin');
    certificate = renewedTestClient;
    expect(await textOf(transport)).toBe('200 CN=admin-renewed,O=system:masters');
  });

  test('a watch opened with the old certificate goes on, and ends with the transport', async () => {
    const { url } = await serve(
      (request) =>
        request.path === '/watch'
          ? { status: 200, body: endless(request.signal) }
          : subject(request),
      identity,
    );
    let certificate = testClient;
    const credentials: Credentials = {
      current: () => Promise.resolve({ headers: {}, certificate }),
      refused: () => Promise.resolve(false),
    };
    const transport = transportTo(url, { tls: { ca: testAuthority }, credentials });
    const watch = await transport.send({ method: 'GET', path: '/watch', longRunning: true });
    certificate = renewedTestClient;
    expect(await textOf(transport)).toContain('admin-renewed');
    const iterator = watch.body[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const rest = iterator.next();
    await transport.close();
    await expect(rest).rejects.toThrow();
  });

  test('a server whose authority we do not know is refused, unless told otherwise', async () => {
    const { url } = await serve(subject, testServer);
    await expect(textOf(transportTo(url))).rejects.toMatchObject({
      code: expect.stringMatching(/UNABLE_TO_VERIFY|SELF_SIGNED/),
    });
    expect(await textOf(transportTo(url, { tls: { insecure: true } }))).toBe('200 nobody');
  });

  test('the name in the certificate must be the expected one', async () => {
    const { url } = await serve(subject, testServer);
    const ca = testAuthority;
    expect(await textOf(transportTo(url, { tls: { ca, serverName: 'api.test' } }))).toBe(
      '200 nobody',
    );
    await expect(
      textOf(transportTo(url, { tls: { ca, serverName: 'other.test' } })),
    ).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('a proxy only passes bytes on', async () => {
    const { url } = await serve(subject, identity);
    const tunnels: string[] = [];
    const proxy = await tunnel((target) => tunnels.push(target));
    const transport = transportTo(url, {
      proxy,
      tls: { ca: testAuthority },
      credentials: staticCredentials({ headers: {}, certificate: testClient }),
    });
    expect(await textOf(transport)).toBe('200 CN=admin,O=system:masters');
    expect(tunnels).toEqual([new URL(url).host]);
  });
});

describe('a cache over sockets', () => {
  test('fills, follows, survives a cut, and leaves nothing behind', async () => {
    const api = new ApiServer().serve(pods);
    api.put(pods, podNamed('a'));
    const server = await serve(api.handler);
    const clock = new VirtualClock();
    const transport = transportTo(server.url);
    const client = new KubeClient({ transport, clock, log: silentLogger });
    const informer = new Informer<Pod>({
      client,
      type: pods,
      clock,
      log: silentLogger,
      random: seededRandom(1),
    });
    const heard = events(informer);
    informer.start();
    await informer.synced();
    api.put(pods, podNamed('zürich'));
    expect(await heard.next()).toBe('added a');
    expect(await heard.next()).toBe('added zürich');
    api.openWatches[0]!.cut();
    api.remove(pods, podNamed('a').metadata);
    const deletion = heard.next();
    // The reconnection waits on the virtual clock; everything else happens in real time.
    while (clock.pending().timers.every((timer) => timer.label !== 'reflector backoff')) {
      await clock.settle();
    }
    await clock.advance(1000);
    expect(await deletion).toBe('deleted a');
    await informer.stop();
    expect(clock.pending().timers).toEqual([]);
    await transport.close();
    while (api.openWatches.length > 0) await clock.settle();
  });
});

function events(informer: Informer<Pod>): { next(): Promise<string> } {
  const heard: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  informer.subscribe((change) => {
    const { name } = (change.type === 'deleted' ? change.before : change.after).metadata;
    const text = `${change.type} ${name}`;
    const next = waiting.shift();
    if (next === undefined) heard.push(text);
    else next(text);
  });
  return {
    next: () => {
      const text = heard.shift();
      return text === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(text);
    },
  };
}

async function* endless(signal: AbortSignal): AsyncGenerator<string> {
  yield 'tick';
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy as HTTPS_PROXY names one. */
async function tunnel(onConnect: (target: string) => void): Promise<string> {
  const server = createServer();
  const sockets: Socket[] = [];
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? '';
    onConnect(target);
    const [host = '', port = ''] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  });
  const url = await listening(server);
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  });
  return url;
}
