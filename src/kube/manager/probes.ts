// What the kubelet asks of the process. In: named checks. Out: `/healthz` and `/readyz` in the form that every
// Kubernetes component answers: `ok`, or with `?verbose` and on failure a line per check. `?exclude=name` skips
// a check, `/readyz/name` asks for one alone. Why a check failed is told there and in the log only.
import { asError } from '../../base/errors.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../base/http-server.ts';
import type { Logger } from '../../base/log.ts';

/** Undefined when all is well, else what is wrong. Throwing counts as wrong. */
export type Check = (signal: AbortSignal) => string | undefined | Promise<string | undefined>;

export type Checks = Readonly<Record<string, Check>>;

/** The process answers at all. */
export const ping: Check = () => undefined;

/** What Kubernetes' own components answer; to a kubelet any 4xx or 5xx is the same. */
const notReady = 500;
const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

export function probeHandler(options: {
  /** `ping` unless given. */
  readonly health?: Checks;
  readonly ready: Checks;
  readonly log: Logger;
}): HttpHandler {
  const { log } = options;
  const endpoints = new Map([
    ['healthz', options.health ?? { ping }],
    ['readyz', options.ready],
  ]);
  return async (request) => {
    const [endpoint = '', name = '', ...rest] = request.path.split('/').slice(1);
    const checks = endpoints.get(endpoint);
    if (checks === undefined || rest.length > 0) return notFound();
    if (name === '') return aggregate({ endpoint, checks, request, log });
    const check = checks[name];
    return check === undefined ? notFound() : single(check, request);
  };
}

async function aggregate(options: {
  readonly endpoint: string;
  readonly checks: Checks;
  readonly request: HttpRequest;
  readonly log: Logger;
}): Promise<HttpReply> {
  const { endpoint, checks, request, log } = options;
  const excluded = new Set(request.query.getAll('exclude'));
  let failed = false;
  const lines: string[] = [];
  for (const [name, check] of Object.entries(checks).toSorted(byName)) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const problem = await runCheck(check, request.signal);
    lines.push(problem === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
    if (problem === undefined) continue;
    failed = true;
    log.info('health check failed', { endpoint, check: name, problem });
  }
  if (!failed && !request.query.has('verbose')) return { status: 200, headers, body: 'ok' };
  if (excluded.size > 0) lines.push(unmatched(excluded));
  lines.push(`${endpoint} check ${failed ? 'failed' : 'passed'}`, '');
  return { status: failed ? notReady : 200, headers, body: lines.join('\n') };
}

async function single(check: Check, request: HttpRequest): Promise<HttpReply> {
  const problem = await runCheck(check, request.signal);
  if (problem === undefined) return { status: 200, headers, body: 'ok' };
  return { status: notReady, headers, body: `internal server error: ${problem}\n` };
}

async function runCheck(check: Check, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await check(signal);
  } catch (thrown) {
    return asError(thrown).message;
  }
}

function unmatched(names: ReadonlySet<string>): string {
  const quoted = [...names].map((name) => JSON.stringify(name)).join(',');
  return `warn: some health checks cannot be excluded: no matches for ${quoted}`;
}

function byName([a]: readonly [string, Check], [b]: readonly [string, Check]): number {
  return a < b ? -1 : 1;
}

function notFound(): HttpReply {
  return { status: 404, headers, body: '404 page not found\n' };
}
