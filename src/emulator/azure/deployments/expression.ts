// The expressions of a template: `[concat('a', parameters('b').c[0])]`. In: text. Out: a tree. A text that is no
// expression is itself, and `[[` stands for one bracket. Nothing is evaluated here.
import type { Json } from '../../../api/meta.ts';
import { invalidTemplate } from './template-error.ts';

export type Expression =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'member'; readonly target: Expression; readonly key: Expression };

export function parseText(text: string): Expression {
  if (!text.startsWith('[') || !text.endsWith(']') || text.startsWith('[[')) {
    return { kind: 'literal', value: text.startsWith('[[') ? text.slice(1) : text };
  }
  const parser = new Parser(text.slice(1, -1), text);
  return parser.whole();
}

const token = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w]*)|([()[\],.]))/y;

class Parser {
  readonly #tokens: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(source: string, text: string) {
    this.#text = text;
    token.lastIndex = 0;
    const trimmed = source.trimEnd();
    while (token.lastIndex < trimmed.length) {
      const found = token.exec(trimmed);
      if (found === null) throw this.#refusal();
      this.#tokens.push(found[0].trim());
    }
  }

  whole(): Expression {
    const expression = this.#expression();
    if (this.#at < this.#tokens.length) throw this.#refusal();
    return expression;
  }

  #expression(): Expression {
    let expression = this.#primary();
    for (;;) {
      if (this.#take('.')) {
        expression = { kind: 'member', target: expression, key: literal(this.#next()) };
      } else if (this.#take('[')) {
        const key = this.#expression();
        this.#expect(']');
        expression = { kind: 'member', target: expression, key };
      } else {
        return expression;
      }
    }
  }

  #primary(): Expression {
    const word = this.#next();
    if (word.startsWith("'")) return literal(word.slice(1, -1).replaceAll("''", "'"));
    if (/^-?\d/.test(word)) return literal(Number(word));
    if (!/^\w/.test(word)) throw this.#refusal();
    this.#expect('(');
    const args: Expression[] = [];
    while (!this.#take(')')) {
      if (args.length > 0) this.#expect(',');
      args.push(this.#expression());
    }
    return { kind: 'call', name: word, args };
  }

  #next(): string {
    const word = this.#tokens[this.#at++];
    if (word === undefined) throw this.#refusal();
    return word;
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at] !== word) return false;
    this.#at++;
    return true;
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw this.#refusal();
  }

  #refusal(): Error {
    return invalidTemplate(
      `The template language expression '${this.#text}' is not valid. Please see https://aka.ms/arm-functions for usage details.`,
    );
  }
}

function literal(value: Json): Expression {
  return { kind: 'literal', value };
}
