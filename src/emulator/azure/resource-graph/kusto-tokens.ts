// A query cut into words. In: text. Out: names, literals and signs, each with its place; comments and space are gone. What is
// none of these is refused where it stands.
import { parserFailure } from './query-error.ts';

export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly position: number;
}

const space = /(?:\s|\/\/[^\n]*)+/y;
/** `project-away` and `in~` are one word each; a minus between names is none of what is offered here. */
const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['string', /@?"[^"\\]*"|@?'[^'\\]*'|@"[^"]*"|@'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y],
  ['number', /\d+(?:\.\d+)?/y],
  [
    'name',
    /!?(?:in|contains|has|startswith|endswith)~(?!\w)|project-(?:away|keep|rename|reorder)|mv-(?:expand|apply)|!?[A-Za-z_]\w*/y,
  ],
  ['sign', /==|!=|=~|!~|<=|>=|[=<>|,()[\].+\-*/%]/y],
];

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  let position = skip(query, 0);
  while (position < query.length) {
    const token = tokenAt(query, position);
    tokens.push(token.token);
    position = skip(query, token.end);
  }
  return [...tokens, { kind: 'end', text: '', position }];
}

function skip(query: string, from: number): number {
  space.lastIndex = from;
  return space.test(query) ? space.lastIndex : from;
}

function tokenAt(query: string, position: number): { readonly token: Token; readonly end: number } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = position;
    const [text] = pattern.exec(query) ?? [];
    if (text === undefined) continue;
    const value = kind === 'string' ? unquoted(text) : text;
    return { token: { kind, text: value, position }, end: position + text.length };
  }
  throw parserFailure(query[position] ?? '', position);
}

function unquoted(text: string): string {
  if (text.startsWith('@')) return text.slice(2, -1);
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign);
}
