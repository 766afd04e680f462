import { describe, expect, test } from 'vitest';
import { proxyFromEnvironment } from './proxy.ts';

function proxyOf(server: string, env: Readonly<Record<string, string>>): string | undefined {
  return proxyFromEnvironment(new URL(server), (name) => env[name]);
}

describe('the proxy of the environment', () => {
  test.each([
    [
      'https',
      'https://api.x',
      { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:1' },
      'http://p:1',
    ],
    ['http', 'http://api.x', { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:1' }, 'http://q:1'],
    ['small letters', 'https://api.x', { https_proxy: 'http://p:1' }, 'http://p:1'],
    ['no scheme', 'https://api.x', { HTTPS_PROXY: 'p:1' }, 'http://p:1'],
    ['none', 'https://api.x', {}, undefined],
  ])('%s', (_, server, env, expected) => {
    expect(proxyOf(server, env as Record<string, string>)).toBe(expected);
  });

  test.each([
    'https://localhost:6443',
    'https://127.0.0.1:6443',
    'https://127.8.9.1',
    'https://[::1]:443',
  ])('never stands before this machine: %s', (server) => {
    expect(proxyOf(server, { HTTPS_PROXY: 'http://p:1' })).toBeUndefined();
  });

  test.each([
    ['*', 'https://a.b', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['.example.com', 'https://example.com', false],
    ['*.example.com', 'https://api.example.com', true],
    ['EXAMPLE.com', 'https://example.COM', true],
    ['example.com:6443', 'https://example.com:6443', true],
    ['example.com:6443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['10.0.0.1', 'https://10.0.0.1:6443', true],
    ['10.0.0.1', 'https://10.0.0.10', false],
    ['10.0.0.0/8', 'https://10.9.8.7', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://ten.example.com', false],
    ['10.0.0.0/99', 'https://10.9.8.7', false],
    ['fd00::/8', 'https://[fd12::1]:6443', true],
    ['[fd12::1]:6443', 'https://[fd12::1]:6443', true],
    [' other.com , example.com ', 'https://example.com', true],
    ['', 'https://example.com', false],
  ])('NO_PROXY %s exempts %s: %s', (noProxy, server, exempt) => {
    const proxy = proxyOf(server, { HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy });
    expect(proxy === undefined).toBe(exempt);
  });
});
