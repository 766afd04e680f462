// The keys of a table in the order in which lists show them: that of their characters, as etcd keeps them.
// New keys wait unsorted until somebody looks: ten thousand pods made in a row are sorted once, not ten thousand times.

export class SortedKeys {
  #keys: string[] = [];
  readonly #fresh = new Set<string>();

  add(key: string): void {
    this.#fresh.add(key);
  }

  delete(key: string): void {
    if (this.#fresh.delete(key)) return;
    const index = this.#firstAtLeast(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** All keys that begin with `prefix`, from `start` on. */
  range(prefix: string, start = ''): readonly string[] {
    this.#settle();
    const from = this.#firstAtLeast(start > prefix ? start : prefix);
    if (prefix === '') return from === 0 ? this.#keys : this.#keys.slice(from);
    const to = this.#firstAtLeast(`${prefix}\uffff`);
    return this.#keys.slice(from, Math.max(from, to));
  }

  #settle(): void {
    if (this.#fresh.size === 0) return;
    const fresh = [...this.#fresh].toSorted((a, b) => (a < b ? -1 : 1));
    this.#fresh.clear();
    // One key more is the usual case, and then moving the tail is cheaper than merging.
    if (fresh.length === 1) {
      const [key = ''] = fresh;
      this.#keys.splice(this.#firstAtLeast(key), 0, key);
      return;
    }
    this.#keys = merged(this.#keys, fresh);
  }

  #firstAtLeast(key: string): number {
    const keys = this.#keys;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function merged(a: readonly string[], b: readonly string[]): string[] {
  const result: string[] = [];
  let left = 0;
  for (const key of b) {
    for (let next = a[left]; next !== undefined && next < key; next = a[left]) {
      result.push(next);
      left++;
    }
    result.push(key);
  }
  return result.concat(a.slice(left));
}
