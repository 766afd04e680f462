// A set of small integers as bits. Fixed capacity, one word per 32 members: a 320-member AND costs ten
// operations, where a Set of strings costs microseconds. Members at or above the capacity never exist.
// Operands of one operation must have the same capacity.

export class BitSet {
  readonly words: Uint32Array;
  readonly capacity: number;

  constructor(capacity: number, words = new Uint32Array((capacity + 31) >>> 5)) {
    this.capacity = capacity;
    this.words = words;
  }

  static of(capacity: number, members: Iterable<number>): BitSet {
    const set = new BitSet(capacity);
    for (const member of members) set.add(member);
    return set;
  }

  /** Every integer below `capacity`. */
  static full(capacity: number): BitSet {
    const set = new BitSet(capacity);
    set.words.fill(0xffffffff);
    const spare = capacity & 31;
    if (spare !== 0) set.words[set.words.length - 1] = 2 ** spare - 1;
    return set;
  }

  has(member: number): boolean {
    return ((this.words[member >>> 5] ?? 0) & (1 << (member & 31))) !== 0;
  }

  add(member: number): void {
    const word = member >>> 5;
    this.words[word] = (this.words[word] as number) | (1 << (member & 31));
  }

  delete(member: number): void {
    const word = member >>> 5;
    this.words[word] = (this.words[word] as number) & ~(1 << (member & 31));
  }

  clone(): BitSet {
    return new BitSet(this.capacity, this.words.slice());
  }

  /** Keeps what is also in `other`. */
  and(other: BitSet): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++)
      words[i] = (words[i] as number) & (other.words[i] as number);
    return this;
  }

  or(other: BitSet): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++)
      words[i] = (words[i] as number) | (other.words[i] as number);
    return this;
  }

  /** Drops what is in `other`. */
  andNot(other: BitSet): this {
    const { words } = this;
    for (let i = 0; i < words.length; i++)
      words[i] = (words[i] as number) & ~(other.words[i] as number);
    return this;
  }

  intersects(other: BitSet): boolean {
    const { words } = this;
    for (let i = 0; i < words.length; i++) {
      if (((words[i] as number) & (other.words[i] as number)) !== 0) return true;
    }
    return false;
  }

  isEmpty(): boolean {
    return this.words.every((word) => word === 0);
  }

  equals(other: BitSet): boolean {
    return (
      this.capacity === other.capacity && this.words.every((word, i) => word === other.words[i])
    );
  }

  count(): number {
    let total = 0;
    for (const word of this.words) total += bitsIn(word);
    return total;
  }

  /** Smallest member, or -1. */
  first(): number {
    for (let i = 0; i < this.words.length; i++) {
      const word = this.words[i] as number;
      if (word !== 0) return (i << 5) + trailingZeros(word);
    }
    return -1;
  }

  /** Members in ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i] as number;
      while (word !== 0) {
        yield (i << 5) + trailingZeros(word);
        word &= word - 1;
      }
    }
  }
}

function bitsIn(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}
