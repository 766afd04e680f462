// One index of a store: value → the objects that have it. In: every change. Out: the objects of a value.
// Holds no empty entries, so values that come and go (node names) do not pile up.

/** The values under which an object is found. */
export type IndexFunction<T> = (object: T) => readonly string[];

const none: ReadonlyMap<string, never> = new Map<string, never>();

export class StoreIndex<T> {
  readonly valuesOf: IndexFunction<T>;
  readonly #byValue = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.valuesOf = valuesOf;
  }

  objects(value: string): ReadonlyMap<string, T> {
    return this.#byValue.get(value) ?? none;
  }

  put(key: string, before: T | undefined, after: T): void {
    const values = this.valuesOf(after);
    if (before !== undefined) {
      for (const value of this.valuesOf(before))
        if (!values.includes(value)) this.#drop(value, key);
    }
    for (const value of values) {
      let objects = this.#byValue.get(value);
      if (objects === undefined) this.#byValue.set(value, (objects = new Map()));
      objects.set(key, after);
    }
  }

  delete(key: string, object: T): void {
    for (const value of this.valuesOf(object)) this.#drop(value, key);
  }

  #drop(value: string, key: string): void {
    const objects = this.#byValue.get(value);
    if (objects?.delete(key) === true && objects.size === 0) this.#byValue.delete(value);
  }
}
