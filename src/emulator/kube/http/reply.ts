// Answers as HTTP replies. In: JSON text or an error. Out: status, headers and body, in the form that the client
// wants: compact, indented, or YAML.
import type { HttpReply } from '../../../base/http-server.ts';
import type { StatusError } from '../status-error.ts';
import { pretty, toYaml } from './encode.ts';

export interface ReplyForm {
  readonly encoding: 'json' | 'yaml';
  readonly isPretty: boolean;
}

/** Asked for by `?pretty`, or guessed for people at a terminal or in a browser. */
export function wantsPretty(query: URLSearchParams, userAgent = ''): boolean {
  const asked = query.get('pretty');
  if (asked !== null && asked !== '') return ['1', 't', 'true'].includes(asked.toLowerCase());
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

export function jsonReply(
  status: number,
  text: string,
  form: ReplyForm,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const isYaml = form.encoding === 'yaml';
  const shown = form.isPretty ? pretty(text) : `${text}\n`;
  return {
    status,
    headers: {
      'content-type': isYaml ? 'application/yaml' : 'application/json',
      'cache-control': 'no-cache, private',
      ...headers,
    },
    body: isYaml ? toYaml(text) : shown,
  };
}

export function errorReply(
  error: StatusError,
  form: ReplyForm,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const seconds = error.status.details?.retryAfterSeconds;
  const retry = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return jsonReply(error.code, JSON.stringify(error.status), form, { ...headers, ...retry });
}

export function textReply(status: number, body: string): HttpReply {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body,
  };
}

export function pageNotFound(): HttpReply {
  return textReply(404, '404 page not found\n');
}

/** Warnings as one header: clients split it at the commas between quoted texts. */
export function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const texts = warnings.map((text) => `299 - ${JSON.stringify(text)}`);
  return { warning: texts.join(', ') };
}
