// Where the next page of a list begins, as the opaque text that a client sends back. In: revision and key.
// Out: the same shape as the real server's, so that tools which peek inside see what they expect.
import { posix } from 'node:path';
import { badRequest } from '../status-error.ts';

export interface ContinueToken {
  /** -1: at the latest revision, no longer consistent with the pages before. */
  readonly revision: number;
  readonly start: string;
}

export function encodeContinue(token: ContinueToken): string {
  const body = { v: 'meta.k8s.io/v1', rv: token.revision, start: `/${token.start}` };
  return Buffer.from(JSON.stringify(body)).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  const { v, rv, start } = parse(text);
  if (v !== 'meta.k8s.io/v1') {
    const version = typeof v === 'string' ? v : '';
    throw refused(`: server does not recognize this encoded version ${version}`);
  }
  if (typeof rv !== 'number' || rv === 0) {
    throw refused(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  if (typeof start !== 'string' || start === '') {
    throw refused(': encoded start key empty (version meta.k8s.io/v1)');
  }
  const key = start.startsWith('/') ? start : `/${start}`;
  // A key that leads elsewhere would list what was not asked for.
  if (posix.resolve(key) !== key) throw refused(`: ${start}`);
  return { revision: rv, start: key.slice(1) };
}

function refused(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}

function parse(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const wrong = text.search(/[^A-Za-z0-9_-]/);
  if (wrong >= 0) throw refused(`: illegal base64 data at input byte ${wrong}`);
  const decoded = Buffer.from(text, 'base64url').toString('utf8');
  try {
    const value: unknown = JSON.parse(decoded);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Answered below: only the first character is named, as the real parser does for text that is no JSON.
  }
  throw refused(`: invalid character '${decoded.charAt(0)}' looking for beginning of value`);
}
