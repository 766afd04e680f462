// What Resource Graph knows, which is what was true a while ago. In: a store that is still empty, and how far behind it is.
// Out: the resources as they were then. 1. A change shows only after the lag, and then for good. 2. No timer: what is due is caught up with when
// somebody asks or something else changes.
import type { Clock } from '../../../base/clock.ts';
import type { Resource, ResourceChange, ResourceStore } from '../store.ts';

interface Pending {
  readonly atMs: number;
  readonly change: ResourceChange;
}

export class GraphView {
  readonly #clock: Clock;
  readonly #lagMs: number;
  readonly #shown = new Map<string, Resource>();
  readonly #pending: Pending[] = [];
  #applied = 0;

  constructor(store: ResourceStore, clock: Clock, lagMs: number) {
    this.#clock = clock;
    this.#lagMs = lagMs;
    store.onChange((change) => {
      this.#catchUp();
      this.#pending.push({ atMs: clock.now(), change });
    });
  }

  resources(): Resource[] {
    this.#catchUp();
    return [...this.#shown.values()];
  }

  #catchUp(): void {
    const upToMs = this.#clock.now() - this.#lagMs;
    for (;;) {
      const next = this.#pending[this.#applied];
      if (next === undefined || next.atMs > upToMs) break;
      this.#apply(next.change);
      this.#applied++;
    }
    // Rarely, so that a long queue is not copied for every change.
    if (this.#applied * 2 <= this.#pending.length) return;
    this.#pending.splice(0, this.#applied);
    this.#applied = 0;
  }

  #apply({ before, after }: ResourceChange): void {
    if (after !== undefined) this.#shown.set(after.key, after);
    else if (before !== undefined) this.#shown.delete(before.key);
  }
}
