// Takes the server's bookkeeping out of an object before it is parsed. In: the JSON text of an object, or of a
// watch event around one. Out: the same text without `metadata.managedFields`. Nobody here reads them, and
// parsing them only to throw them away was a quarter of the cost of parsing a pod of which they are a fifth.
// Text that is not what a server writes comes back as it is: finding fault with it is the parser's business.

const metadataKey = '"metadata":{';
const managedKey = 'managedFields';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

export function withoutManagedFieldsText(text: string): string {
  // A quote inside a JSON string is escaped, so neither of these can be found inside one.
  const metadata = text.indexOf(metadataKey);
  if (metadata === -1 || !text.includes(`"${managedKey}":`, metadata)) return text;
  const key = findKey(text, metadata + metadataKey.length);
  if (key === -1) return text;
  const end = endOfValue(text, key + managedKey.length + 3);
  if (end === -1) return text;
  // One of the commas around the field goes with it.
  if (text.charCodeAt(end) === comma) return text.slice(0, key) + text.slice(end + 1);
  const start = text.charCodeAt(key - 1) === comma ? key - 1 : key;
  return text.slice(0, start) + text.slice(end);
}

/** Where the key begins among the members of the object that `from` is inside of; -1 when it has none. */
function findKey(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === quote) {
    const close = endOfString(text, at);
    if (close === -1) return -1;
    if (text.startsWith(managedKey, at + 1) && close === at + managedKey.length + 2) return at;
    const next = endOfValue(text, close + 1);
    if (next === -1 || text.charCodeAt(next) !== comma) return -1;
    at = next + 1;
  }
  return -1;
}

/** The position after the value that begins at `from`; -1 when it does not end. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return -1;
      if (depth === 0) return at;
      continue;
    }
    const change = nesting(code);
    // A bare number or word ends where its surroundings go on.
    if (depth === 0 && (change === -1 || code === comma)) return at;
    depth += change;
    at++;
    if (depth === 0 && change === -1) return at;
  }
  return -1;
}

function nesting(code: number): number {
  if (code === 0x7b || code === 0x5b) return 1;
  return code === 0x7d || code === 0x5d ? -1 : 0;
}

/** The position after the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let close = text.indexOf('"', from + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? -1 : close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}
