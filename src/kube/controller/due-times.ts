// Keys that wait for a moment. In: a key and when it is due. Out: keys in the order they fall due; equal
// moments in the order they were set.
//  1. A key has at most one due time, the earliest it was given.
//  2. Memory follows the number of waiting keys, however often they are moved or taken back.
import { Heap } from '../../base/heap.ts';

interface DueTime {
  readonly key: string;
  readonly dueMs: number;
  readonly order: number;
}

export class DueTimes {
  readonly #byKey = new Map<string, DueTime>();
  #heap = newHeap();
  #order = 0;

  /** Keeps the earlier moment when the key is waiting already. */
  set(key: string, dueMs: number): void {
    const current = this.#byKey.get(key);
    if (current !== undefined && current.dueMs <= dueMs) return;
    const item = { key, dueMs, order: this.#order++ };
    this.#byKey.set(key, item);
    this.#heap.push(item);
    this.#compact();
  }

  /** True if the key was waiting. */
  delete(key: string): boolean {
    return this.#byKey.delete(key);
  }

  clear(): void {
    this.#byKey.clear();
    this.#heap = newHeap();
  }

  /** When the next key is due. */
  nextMs(): number | undefined {
    return this.#first()?.dueMs;
  }

  /** Removes and returns the next key that is due by `nowMs`. */
  take(nowMs: number): string | undefined {
    const first = this.#first();
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.#heap.pop();
    this.#byKey.delete(first.key);
    return first.key;
  }

  #first(): DueTime | undefined {
    for (;;) {
      const top = this.#heap.peek();
      if (top === undefined || this.#isLive(top)) return top;
      this.#heap.pop();
    }
  }

  #isLive(item: DueTime): boolean {
    return this.#byKey.get(item.key) === item;
  }

  /** The heap cannot remove from its middle: what was moved or taken back is swept once it is the majority. */
  #compact(): void {
    if (this.#heap.size < 64 || this.#heap.size < 2 * this.#byKey.size) return;
    this.#heap = newHeap();
    for (const item of this.#byKey.values()) this.#heap.push(item);
  }
}

function newHeap(): Heap<DueTime> {
  return new Heap<DueTime>((a, b) => a.dueMs - b.dueMs || a.order - b.order);
}
