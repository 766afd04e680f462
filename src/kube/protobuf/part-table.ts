// Parts of objects that come again and again (the labels, tolerations and resources of all pods of one deployment), each
// kept once. In: the bytes of a part, and what was made of them. Out: what was made of the same bytes before. Cached
// objects are never changed, so ten thousand may share a part: finding it costs a fraction of making it, and no memory.
//  1. Every byte is compared, so a hash never decides.
//  2. Bounded: a new part takes the place of whatever its hash falls on; when there is no more room for bytes, all is
//     forgotten.

const slots = 4096;
/** What is longer is hardly ever alike, and would fill the room. */
const longest = 1024;
/** Bytes of all parts together, in one piece: following a pointer to each was most of the time that finding takes. */
const largest = 512 * 1024;

/** More than any kind has; two that share a place here only find less at once. */
const owners = 64;

/** Of one slot: owner, where its bytes begin, and how many they are. */
const width = 4;

export class PartTable {
  readonly #slots = new Int32Array(slots * width);
  readonly #values = Array<object | undefined>(slots).fill(undefined);
  /** The slot in which each owner found something last. */
  readonly #last = new Int32Array(owners);
  #bytes = new Uint8Array(16 * 1024);
  #used = 0;

  /**
   * What was made of the bytes from `start` to `end`. The owner is a number above zero that says what they are bytes of:
   * the same may mean something else elsewhere.
   */
  find(owner: number, bytes: Uint8Array, start: number, end: number): object | undefined {
    const length = end - start;
    if (length > longest) return undefined;
    // Lists are ordered by name, so neighbours are mostly of one deployment: what was found last is tried first.
    const last = this.#last[owner & (owners - 1)] as number;
    if (this.#slots[last * width] === owner && this.#holds(last, bytes, start, length)) {
      return this.#values[last];
    }
    const slot = slotOf(bytes, start, end);
    if (this.#slots[slot * width] !== owner || !this.#holds(slot, bytes, start, length)) {
      return undefined;
    }
    this.#last[owner & (owners - 1)] = slot;
    return this.#values[slot];
  }

  #holds(slot: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.#slots[slot * width + 2] !== length) return false;
    const known = this.#bytes;
    const offset = this.#slots[slot * width + 1] as number;
    for (let i = 0; i < length; i++) if (known[offset + i] !== bytes[start + i]) return false;
    return true;
  }

  /** The bytes are copied: those handed in belong to a connection. */
  keep(owner: number, bytes: Uint8Array, value: object): void {
    const { length } = bytes;
    if (length > longest) return;
    if (this.#used + length > this.#bytes.length) this.#makeRoom();
    const slot = slotOf(bytes, 0, length);
    this.#slots.set([owner, this.#used, length], slot * width);
    this.#values[slot] = value;
    this.#last[owner & (owners - 1)] = slot;
    this.#bytes.set(bytes, this.#used);
    this.#used += length;
  }

  #makeRoom(): void {
    if (this.#bytes.length < largest) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      return;
    }
    this.#slots.fill(0);
    this.#values.fill(undefined);
    this.#used = 0;
  }
}

function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  // Four at a time: what costs is the chain of multiplications.
  for (; at + 3 < end; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 16777619);
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
