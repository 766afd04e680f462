// /healthz, /livez and /readyz. In: path, query and whether the server is ready. Out: `ok`, or each check in words.
import type { HttpReply } from '../../../base/http-server.ts';
import { pageNotFound, textReply } from '../http/reply.ts';

const checks = ['ping', 'log', 'etcd'];
const readyChecks = [...checks, 'etcd-readiness', 'informer-sync'];

export function isHealthPath(path: string): boolean {
  return /^\/(?:healthz|livez|readyz)(?:\/|$)/.test(path);
}

export function healthReply(path: string, query: URLSearchParams, isReady: boolean): HttpReply {
  const [, endpoint = '', ...rest] = path.split('/');
  const single = rest.join('/');
  const all = endpoint === 'readyz' ? readyChecks : checks;
  if (single !== '') return all.includes(single) ? textReply(200, 'ok') : pageNotFound();
  const isFailing = endpoint === 'readyz' && !isReady;
  if (!isFailing && !query.has('verbose')) return textReply(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = all.map((name) => {
    if (excluded.has(name)) return `[+]${name} excluded: ok\n`;
    if (isFailing && name === 'informer-sync') return `[-]${name} failed: reason withheld\n`;
    return `[+]${name} ok\n`;
  });
  const verdict = `${endpoint} check ${isFailing ? 'failed' : 'passed'}\n`;
  return textReply(isFailing ? 500 : 200, lines.join('') + verdict);
}
