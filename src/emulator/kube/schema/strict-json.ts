// JSON text, read as strictly as the server reads it. In: the text, and the type of what it describes. Out: the value
// without unknown fields, and in the order of the text the fields that are unknown or come twice; or what is wrong with
// the text, in the words of the server's own scanner. Of a field that comes twice the last one counts.
import type { Json } from '../../../api/meta.ts';
import { granularAny, type TypeSchema } from './type-schema.ts';

export interface ReadJson {
  readonly value: Json;
  /** `unknown field "spec.foo"`, `duplicate field "spec.replicas"`. */
  readonly problems: readonly string[];
}

/** The server stops counting there. */
const maxProblems = 100;

/** Without a schema every field is known. */
export function readJson(text: string, schema: TypeSchema = granularAny): ReadJson {
  const reader = new Reader(text);
  try {
    const value = reader.document(schema);
    return { value, problems: reader.problems };
  } catch (error) {
    // What is too deep for this process's stack is refused like what is too deep for the server.
    if (error instanceof RangeError) throw tooDeep('{');
    throw error;
  }
}

/** The depth at which the server's scanner gives up. */
const maxDepth = 10_000;

function tooDeep(character: string): SyntaxError {
  return new SyntaxError(`invalid character '${character}' exceeded max depth`);
}

const quote = 0x22;
const backslash = 0x5c;
const escapes = '"\\/bfnrt';
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  readonly problems: string[] = [];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(schema: TypeSchema): Json {
    const value = this.#value(schema, '');
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('after top-level value');
    return value;
  }

  #skipSpace(): void {
    while (whitespace.has(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  /** `schema` undefined: below an unknown field, where nothing is reported. */
  #value(schema: TypeSchema | undefined, path: string): Json {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested('{', () => this.#object(schema, path));
      case '[':
        return this.#nested('[', () => this.#array(schema, path));
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #nested(character: string, read: () => Json): Json {
    this.#depth++;
    if (this.#depth > maxDepth) throw tooDeep(character);
    const value = read();
    this.#depth--;
    return value;
  }

  #object(schema: TypeSchema | undefined, path: string): Json {
    const members: Record<string, Json> = {};
    const seen = new Set<string>();
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return members;
    }
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== quote) {
        throw this.#unexpected('looking for beginning of object key string');
      }
      const name = this.#string();
      this.#expect(':', 'after object key');
      this.#member(members, name, { schema, path: path === '' ? name : `${path}.${name}`, seen });
      if (this.#next('}', 'after object key:value pair')) return members;
    }
  }

  #member(
    members: Record<string, Json>,
    name: string,
    at: {
      readonly schema: TypeSchema | undefined;
      readonly path: string;
      readonly seen: Set<string>;
    },
  ): void {
    const { schema, path, seen } = at;
    const member = memberOf(schema, name);
    if (schema !== undefined) {
      if (seen.has(name)) this.#report(`duplicate field ${JSON.stringify(path)}`);
      else if (member === undefined) this.#report(`unknown field ${JSON.stringify(path)}`);
      seen.add(name);
    }
    const value = this.#value(member, path);
    if (schema !== undefined && member === undefined) return;
    // A field of this name would change what the object is.
    if (name === '__proto__') Object.defineProperty(members, name, { value, enumerable: true });
    else members[name] = value;
  }

  #report(problem: string): void {
    if (this.problems.length < maxProblems) this.problems.push(problem);
  }

  #array(schema: TypeSchema | undefined, path: string): Json {
    const items: Json[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return items;
    }
    // A value where a list does not belong is reported elsewhere; its fields are not looked at.
    const item = schema?.items;
    for (;;) {
      items.push(this.#value(item, `${path}[${items.length}]`));
      if (this.#next(']', 'after array element')) return items;
    }
  }

  /** Moves past a comma, or past the end. */
  #next(end: string, where: string): boolean {
    this.#skipSpace();
    const found = this.#text[this.#at];
    if (found !== ',' && found !== end) throw this.#unexpected(where);
    this.#at++;
    return found === end;
  }

  #expect(character: string, where: string): void {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) throw this.#unexpected(where);
    this.#at++;
  }

  #string(): string {
    const start = ++this.#at;
    let isPlain = true;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) break;
      if (!(code >= 0x20)) throw this.#unexpected('in string literal');
      if (code === backslash) {
        isPlain = false;
        this.#escape();
      }
      this.#at++;
    }
    const end = this.#at++;
    if (isPlain) return this.#text.slice(start, end);
    // Half of a surrogate pair is no text to the server.
    return (JSON.parse(this.#text.slice(start - 1, end + 1)) as string).toWellFormed();
  }

  #escape(): void {
    this.#at++;
    if (this.#text[this.#at] !== 'u') {
      if (escapes.includes(this.#text[this.#at] ?? ' ')) return;
      throw this.#unexpected('in string escape code', ' ');
    }
    for (let digit = 0; digit < 4; digit++) {
      this.#at++;
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) {
        throw this.#unexpected('in \\u hexadecimal character escape', ' ');
      }
    }
  }

  #literal<T extends boolean | null>(word: string, value: T): T {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) {
        throw this.#unexpected(`in literal ${word} (expecting '${letter}')`, ' ');
      }
      this.#at++;
    }
    return value;
  }

  #number(): number {
    numberPattern.lastIndex = this.#at;
    const found = numberPattern.exec(this.#text)?.[0];
    if (found === undefined) {
      const isMinus = this.#text[this.#at] === '-';
      if (isMinus) this.#at++;
      if (isMinus) throw this.#unexpected('in numeric literal', ' ');
      throw this.#unexpected('looking for beginning of value');
    }
    this.#at += found.length;
    return Number(found);
  }

  /** In the middle of a word the server's scanner takes the end of the text for a space: `atEnd`. */
  #unexpected(where: string, atEnd?: string): SyntaxError {
    const character = this.#text[this.#at] ?? atEnd;
    if (character === undefined) return new SyntaxError('unexpected end of JSON input');
    return new SyntaxError(`invalid character ${quotedCharacter(character)} ${where}`);
  }
}

/** Objects of any sort are looked into only where the type expects one. */
function memberOf(schema: TypeSchema | undefined, name: string): TypeSchema | undefined {
  if (schema === undefined) return undefined;
  return schema.type === 'object' || schema.type === 'any' ? schema.member(name) : granularAny;
}

function quotedCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const code = character.charCodeAt(0);
  // The scanner reads bytes, and shows the first of a character that has several.
  if (code >= 0x80) return `'${String.fromCodePoint(Buffer.from(character)[0] ?? 0)}'`;
  const plain = JSON.stringify(character).slice(1, -1);
  const isControl = code < 0x20 && plain.startsWith('\\u');
  return isControl ? `'\\x${code.toString(16).padStart(2, '0')}'` : `'${plain}'`;
}
