// A binary min-heap. In: items and an order. Out: the least item in O(log n).
// Items that compare equal come out in no promised order: callers that care add a tie-break.

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent] as T;
      if (this.#compare(item, above) >= 0) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0) this.#sink(last as T);
    return top;
  }

  /** Drops every item for which `keep` is false, in O(n log n). */
  retain(keep: (item: T) => boolean): void {
    // A sorted array is a heap.
    const kept = this.#items.filter(keep).toSorted(this.#compare);
    this.#items.length = 0;
    for (const item of kept) this.#items.push(item);
  }

  /** All items in order, leaving the heap as it is. */
  toSortedArray(): T[] {
    return this.#items.toSorted(this.#compare);
  }

  #sink(item: T): void {
    const items = this.#items;
    const length = items.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      const right = child + 1;
      if (right < length && this.#compare(items[right] as T, items[child] as T) < 0) child = right;
      if (this.#compare(item, items[child] as T) <= 0) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = item;
  }
}
