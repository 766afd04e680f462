// Patterns of CRDs and CEL are RE2; ours run on the JavaScript engine. In: RE2 text. Out: a RegExp that
// accepts the same texts. What has no counterpart (flags switched on halfway through a group, `\C`)
// is a SyntaxError, never a silently different pattern.

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

// RE2's \s has neither the vertical tab nor Unicode's spaces, and its dot leaves out the newline alone.
const space = '\\t\\n\\f\\r ';

const escapesOutside: Readonly<Record<string, string>> = {
  s: `[${space}]`,
  S: `[^${space}]`,
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  a: '\\x07',
};

const escapesInside: Readonly<Record<string, string>> = { s: space, a: '\\x07' };

/** Any character as itself, valid both inside a class and outside. */
function literal(character: string): string {
  if (character === '-') return '\\x2d';
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function opening(flags: string): string {
  return flags.includes('i') ? '(?i:' : '(?:';
}

/** An open group: how many further groups a flag opened in it, and whether its dot takes a newline. */
interface Group {
  readonly extra: number;
  readonly dotAll: boolean;
}

/** Reads one RE2 pattern from left to right; `#out` is the JavaScript so far. */
class Translator {
  readonly #source: string;
  #position = 0;
  #out = '';
  #group: Group = { extra: 0, dotAll: false };
  readonly #outer: Group[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  translate(): string {
    while (this.#position < this.#source.length) this.#next();
    return this.#out + ')'.repeat(this.#group.extra);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#position += match[0].length;
    return match;
  }

  #next(): void {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#position) ?? 0);
    switch (character) {
      case '\\':
        this.#escape(escapesOutside);
        return;
      case '[':
        this.#class();
        return;
      case '(':
        this.#openGroup();
        return;
      case ')':
        this.#closeGroup();
        return;
      case '.':
        this.#position += 1;
        this.#out += this.#group.dotAll ? '[\\s\\S]' : '[^\\n]';
        return;
      default:
        this.#plain(character);
    }
  }

  #plain(character: string): void {
    if (character === '{') {
      const repeat = this.#take(/\{\d+(?:,\d*)?\}/y);
      if (repeat !== null) {
        this.#out += repeat[0];
        return;
      }
    }
    this.#position += character.length;
    this.#out += '{}]/'.includes(character) ? `\\${character}` : character;
  }

  #openGroup(): void {
    const flags = this.#take(/\(\?([is]+)\)/y)?.[1];
    if (flags !== undefined) {
      this.#setFlags(flags);
      return;
    }
    this.#outer.push(this.#group);
    const [, scoped = ''] = this.#take(/\(\?([is]+):/y) ?? [];
    this.#group = { extra: 0, dotAll: this.#group.dotAll || scoped.includes('s') };
    this.#out += scoped === '' ? this.#plainGroup() : opening(scoped);
  }

  #plainGroup(): string {
    const name = this.#take(/\(\?P?<(\w+)>/y)?.[1];
    if (name !== undefined) return `(?<${name}>`;
    return (this.#take(/\(\?:/y) ?? this.#take(/\(/y))?.[0] ?? '';
  }

  #closeGroup(): void {
    this.#position += 1;
    this.#out += ')'.repeat(this.#group.extra + 1);
    this.#group = this.#outer.pop() ?? this.#group;
  }

  #setFlags(flags: string): void {
    if (this.#out !== '' && !/\((?:\?i?:)?$/.test(this.#out)) {
      throw new SyntaxError(`flags in the middle of a group: ${this.#source}`);
    }
    this.#out += opening(flags);
    const { extra, dotAll } = this.#group;
    this.#group = { extra: extra + 1, dotAll: dotAll || flags.includes('s') };
  }

  #class(): void {
    this.#out += this.#take(/\[\^?/y)?.[0] ?? '';
    // A bracket in first place stands for itself.
    if (this.#take(/\]/y) !== null) this.#out += '\\]';
    for (;;) {
      const character = this.#source[this.#position];
      if (character === undefined) throw new SyntaxError(`missing closing ]: ${this.#source}`);
      if (character === ']') break;
      this.#classItem(character);
    }
    this.#position += 1;
    this.#out += ']';
  }

  #classItem(character: string): void {
    const posix = this.#take(/\[:(\^?)(\w+):\]/y);
    if (posix !== null) {
      const members = posixClasses[posix[2] ?? ''];
      if (members === undefined || posix[1] === '^') {
        throw new SyntaxError(`invalid character class ${posix[0]}`);
      }
      this.#out += members;
    } else if (character === '\\') {
      this.#escape(escapesInside);
    } else {
      this.#position += 1;
      this.#out += '[/(){}|'.includes(character) ? `\\${character}` : character;
    }
  }

  #escape(table: Readonly<Record<string, string>>): void {
    this.#out += this.#quoted() ?? this.#codePoint() ?? this.#property() ?? this.#single(table);
  }

  /** `\Q…\E`: everything in between stands for itself. */
  #quoted(): string | undefined {
    const match = this.#take(/\\Q([\s\S]*?)(?:\\E|$)/y);
    return match?.[1] && Array.from(match[1], literal).join('');
  }

  /** `\x{10FFFF}` or octal `\017`. */
  #codePoint(): string | undefined {
    const match = this.#take(/\\(?:x\{([0-9A-Fa-f]+)\}|(0[0-7]{0,2}))/y);
    if (match === null) return undefined;
    const code = match[1] === undefined ? parseInt(match[2] ?? '', 8) : parseInt(match[1], 16);
    return `\\u{${code.toString(16)}}`;
  }

  /** `\pL` or `\p{Greek}`; JavaScript wants to be told that a long name is a script. */
  #property(): string | undefined {
    const match = this.#take(/\\([pP])(?:\{(\w+)\}|(\w))/y);
    if (match === null) return undefined;
    const name = match[2] ?? match[3] ?? '';
    return `\\${match[1]}{${name.length > 2 ? 'Script=' : ''}${name}}`;
  }

  #single(table: Readonly<Record<string, string>>): string {
    const [, character = ''] = this.#take(/\\([\s\S])/y) ?? [];
    if (character === '') throw new SyntaxError(`trailing backslash: ${this.#source}`);
    return table[character] ?? this.#passed(character);
  }

  #passed(character: string): string {
    if (/[dDwWbBtnrfvxsS]/.test(character)) return `\\${character}`;
    if (/[A-Za-z0-9]/.test(character)) {
      throw new SyntaxError(`invalid escape sequence: \\${character}`);
    }
    return literal(character);
  }
}

/** @throws SyntaxError when the pattern is not valid, or cannot be expressed. */
export function compileRe2(pattern: string): RegExp {
  return new RegExp(new Translator(pattern).translate(), 'u');
}
