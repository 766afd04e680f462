// Which groups speak about a shape. In: a shape. Out: those that count such a pod, and those that keep it away.
// Rules of pods that are compiled later may speak about earlier ones, so the answer is kept only as long as no group is
// added.
import type { TopologyGroup } from './group.ts';
import type { PodIdentity } from './matcher.ts';
import type { Topology } from './topology.ts';

export interface Membership {
  readonly countedBy: ReadonlySet<TopologyGroup>;
  /** Pods with these rules do not want such a pod where they are. */
  readonly keptAwayBy: readonly TopologyGroup[];
}

export class Memberships {
  readonly #topology: Topology;
  #known: Membership[] = [];
  #groups = 0;

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  of(shape: { readonly index: number; readonly identity: PodIdentity }): Membership {
    if (this.#groups !== this.#topology.groups.length) {
      this.#known = [];
      this.#groups = this.#topology.groups.length;
    }
    let membership = this.#known[shape.index];
    if (membership === undefined) {
      const groups = this.#topology.selecting(shape.identity);
      membership = {
        countedBy: new Set(groups.filter(({ kind }) => kind !== 'avoided')),
        keptAwayBy: groups.filter(({ kind }) => kind === 'avoided'),
      };
      this.#known[shape.index] = membership;
    }
    return membership;
  }
}
