// Texts that come again and again (label keys, phases, node names), each kept once. In: bytes. Out: the text they are;
// the same string as last time when it was seen lately. Finding one again costs less than making it, and ten thousand
// pods then share one copy.
// Bounded: a new text takes the place of whatever its hash falls on. Every byte is compared, so a hash never decides.

/** Longer texts are hardly ever alike. */
const longest = 128;

export class StringTable {
  readonly #mask: number;
  readonly #hashes: Int32Array;
  readonly #texts: string[];
  readonly #internal: boolean;

  /**
   * `slots` is a power of two. Texts that become property names are made `internal`: the engine would otherwise look up
   * its own copy of them at each use.
   */
  constructor(slots: number, internal = false) {
    this.#mask = slots - 1;
    this.#hashes = new Int32Array(slots);
    this.#texts = Array<string>(slots).fill('');
    this.#internal = internal;
  }

  text(bytes: Buffer, start: number, end: number): string {
    if (end - start > longest) return bytes.toString('utf8', start, end);
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 16777619);
    const slot = (hash ^ (hash >>> 15)) & this.#mask;
    if (this.#hashes[slot] === hash) {
      const known = this.#texts[slot] as string;
      if (isText(known, bytes, start, end)) return known;
    }
    const made = this.#make(bytes, start, end);
    this.#hashes[slot] = hash;
    this.#texts[slot] = made;
    return made;
  }

  #make(bytes: Buffer, start: number, end: number): string {
    const text = bytes.toString('utf8', start, end);
    return this.#internal ? (Object.keys({ [text]: true })[0] as string) : text;
  }
}

/** Only of ASCII, which all that is repeated is: other text is made anew each time. */
function isText(text: string, bytes: Buffer, start: number, end: number): boolean {
  const { length } = text;
  if (length !== end - start) return false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code !== bytes[start + i] || code > 0x7f) return false;
  }
  return true;
}
