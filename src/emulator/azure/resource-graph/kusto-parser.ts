// Walking through the words of a query. In: tokens. Out: the next one, taken if it is what is wanted, or the refusal that
// says where it is not. The position only moves forward.
import { parserFailure } from './query-error.ts';
import type { Token } from './kusto-tokens.ts';

const end: Token = { kind: 'end', text: '', position: 0 };

export class TokenReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get peek(): Token {
    return this.#tokens[this.#next] ?? this.#tokens.at(-1) ?? end;
  }

  /** The one behind the next. */
  get after(): Token {
    return this.#tokens[this.#next + 1] ?? end;
  }

  get position(): number {
    return this.#next;
  }

  /** What was taken since then. */
  takenSince(position: number): readonly Token[] {
    return this.#tokens.slice(position, this.#next);
  }

  take(): Token {
    const token = this.peek;
    this.#next++;
    return token;
  }

  /** True, and taken, if the next word is one of these; a string literal never is. */
  accept(...texts: readonly string[]): boolean {
    const { kind, text } = this.peek;
    if (kind === 'string' || !texts.includes(text)) return false;
    this.#next++;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail();
  }

  name(): string {
    if (this.peek.kind !== 'name') this.fail();
    return this.take().text;
  }

  count(): number {
    if (this.peek.kind !== 'number') this.fail();
    return Number(this.take().text);
  }

  fail(): never {
    const { text, position } = this.peek;
    throw parserFailure(text, position);
  }
}
