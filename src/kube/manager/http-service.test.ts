import { describe, expect, test } from 'vitest';
import { HttpServer } from '../../base/http-server.ts';
import { silentLogger as log } from '../../base/log.ts';
import { MetricsRegistry } from '../../base/metrics.ts';
import { HttpService, metricsHandler } from './http-service.ts';

describe('an http service', () => {
  test('is ready when its port is open, serves metrics brought up to date, and is gone after the stop', async () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge({ name: 'age_seconds', help: 'changes with time alone' });
    const handler = metricsHandler({ registry, refresh: [{ refresh: () => gauge.set(42) }] });
    const service = new HttpService('metrics', { handler, log });
    const stopping = new AbortController();
    const running = service.run(stopping.signal);
    await service.ready();
    const { url } = await service.server;
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('age_seconds 42'),
    ]);
    expect((await fetch(`${url}/`)).status).toBe(404);
    stopping.abort();
    await running;
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });

  test('fails where it runs and where it is waited for when the port is taken', async () => {
    const handler = () => ({ status: 200 });
    const taken = await HttpServer.listen({ handler, log });
    const service = new HttpService('metrics', { handler, log, port: taken.port });
    const running = service.run(new AbortController().signal);
    await expect(service.ready()).rejects.toMatchObject({ code: 'ListenFailed' });
    await expect(running).rejects.toMatchObject({ code: 'ListenFailed' });
    await taken.close();
  });
});
