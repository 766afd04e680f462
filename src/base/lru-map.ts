// A map of bounded size. In: keys and values. Out: the value, unless `capacity` other keys were touched since.

export class LruMap<K, V> {
  readonly #capacity: number;
  /** A Map keeps the order of insertion: the first key is the one untouched for longest. */
  readonly #entries = new Map<K, V>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#touch(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#touch(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  #touch(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
