// The variables that a shell script or command sets. In: its text. Out: name and value as bash would have them, the last
// one where a name is set twice, or why it cannot be told.
// Only upper-case names count: those are what the scripts of a node image read. Values that the shell would have to
// compute are refused, because guessing them would make a node of its own.

export type ShellVariables =
  | { readonly ok: true; readonly variables: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly reason: string };

const assignment = /(?:export[ \t]+)?(?<name>[A-Z][A-Z0-9_]*)=/y;
const blanks = /[ \t;]+/y;
const restOfLine = /[^\n]*\n?/y;
const wordEnd = /[\s;&|<>()]/;

export function shellVariables(text: string): ShellVariables {
  const variables = new Map<string, string>();
  let position = 0;
  while (position < text.length) {
    position = after(blanks, text, position);
    assignment.lastIndex = position;
    const name = assignment.exec(text)?.groups?.['name'];
    if (name === undefined) {
      // A command: nothing behind it on its line is an assignment any more.
      position = after(restOfLine, text, position);
      continue;
    }
    const word = readWord(text, assignment.lastIndex);
    if ('reason' in word) return { ok: false, reason: `${name} ${word.reason}` };
    variables.set(name, word.value);
    position = text[word.end] === '\n' ? word.end + 1 : word.end;
  }
  return { ok: true, variables };
}

function after(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

type Word = { readonly value: string; readonly end: number } | { readonly reason: string };

function readWord(text: string, start: number): Word {
  let value = '';
  let position = start;
  while (position < text.length && !wordEnd.test(text.charAt(position))) {
    const part = readPart(text, position);
    if ('reason' in part) return part;
    value += part.value;
    position = part.end;
  }
  return { value, end: position };
}

function readPart(text: string, position: number): Word {
  switch (text.charAt(position)) {
    case '"':
      return readDouble(text, position + 1);
    case "'": {
      const end = text.indexOf("'", position + 1);
      return end === -1 ? unclosed : { value: text.slice(position + 1, end), end: end + 1 };
    }
    case '\\':
      return { value: text.charAt(position + 1), end: position + 2 };
    case '$':
    case '`':
      return computed;
    default:
      return { value: text.charAt(position), end: position + 1 };
  }
}

const unclosed: Word = { reason: 'has a quote that is never closed' };
const computed: Word = { reason: 'is computed by the shell, not written out' };

/** Between double quotes a backslash protects only what would mean something there. */
function readDouble(text: string, start: number): Word {
  let value = '';
  for (let position = start; position < text.length; position++) {
    const character = text.charAt(position);
    if (character === '"') return { value, end: position + 1 };
    if (character === '`') return computed;
    if (character === '$' && /[\w({?#*@!-]/.test(text.charAt(position + 1))) return computed;
    if (character !== '\\') {
      value += character;
      continue;
    }
    const next = text.charAt(++position);
    if (next === '\n') continue;
    value += '"$\\`'.includes(next) ? next : `\\${next}`;
  }
  return unclosed;
}
