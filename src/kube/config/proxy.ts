// Which proxy, if any, stands between us and a server: the environment's rules as Go programs read them,
// so that one setting serves kubectl, the original and us. In: a URL and the environment. Out: a proxy URL.
// This machine itself is never reached through a proxy.
import { BlockList, isIP } from 'node:net';

export function proxyFromEnvironment(
  server: URL,
  env: (name: string) => string | undefined,
): string | undefined {
  const either = (name: string): string => env(name) ?? env(name.toLowerCase()) ?? '';
  const proxy = either(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '' || isExempt(server, either('NO_PROXY'))) return undefined;
  // A bare host:port means a plain HTTP proxy.
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  if (host === 'localhost' || isLoopback(host)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const { name, wantedPort } = splitPort(entry);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (isIP(name) !== 0) return name === host;
  // `example.com` means itself and all below; `.example.com` and `*.example.com` only what is below.
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  return suffix.startsWith('.')
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
}

function splitPort(entry: string): { name: string; wantedPort?: string } {
  const match = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(entry);
  if (match === null) return { name: entry.replace(/^\[|\]$/g, '') };
  return { name: match[1] ?? match[2] ?? '', wantedPort: match[3] ?? '' };
}

function isLoopback(host: string): boolean {
  return host === '::1' || isInNetwork(host, '127.0.0.0/8');
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', prefix = ''] = network.split('/', 2);
  const family = isIP(address);
  const bits = Number(prefix);
  if (
    family === 0 ||
    isIP(host) !== family ||
    prefix === '' ||
    !(bits <= (family === 4 ? 32 : 128))
  ) {
    return false;
  }
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits, kind);
  return list.check(host, kind);
}
