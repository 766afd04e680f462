// Where the pods are that topology groups speak about. In: placements. Out: counts per domain, per host and in all.
// A fork shares everything with its parent until it writes, so that asking "what if" costs what it changes.
// 1. A parent is not written to while forks of it are alive.
// 2. Hosts are bins: an existing node or a claim. A host that is not named has none.
import type { TopologyGroup } from './group.ts';

export class TopologyCounts {
  readonly #domains: Int32Array[];
  readonly #hosts: Map<number, number>[];
  readonly #totals: number[];
  readonly #owned: boolean[];

  constructor(parent?: TopologyCounts) {
    this.#domains = parent === undefined ? [] : [...parent.#domains];
    this.#hosts = parent === undefined ? [] : [...parent.#hosts];
    this.#totals = parent === undefined ? [] : [...parent.#totals];
    this.#owned = [];
  }

  fork(): TopologyCounts {
    return new TopologyCounts(this);
  }

  /** A group must be added before it is counted; groups are added in the order of their indexes. */
  addGroup({ table }: TopologyGroup): void {
    this.#owned[this.#domains.length] = true;
    this.#domains.push(new Int32Array(table.names.length));
    this.#hosts.push(new Map());
    this.#totals.push(0);
  }

  inDomain(group: TopologyGroup, domain: number): number {
    return this.#domains[group.index]?.[domain] ?? 0;
  }

  onHost(group: TopologyGroup, bin: number): number {
    return this.#hosts[group.index]?.get(bin) ?? 0;
  }

  /** Pods anywhere, also where their domain is still open. */
  total(group: TopologyGroup): number {
    return this.#totals[group.index] ?? 0;
  }

  countInDomain(group: TopologyGroup, domain: number, pods: number): void {
    this.#own(group.index);
    const counts = this.#domains[group.index] as Int32Array;
    counts[domain] = (counts[domain] ?? 0) + pods;
  }

  countOnHost(group: TopologyGroup, bin: number, pods: number): void {
    this.#own(group.index);
    const hosts = this.#hosts[group.index] as Map<number, number>;
    hosts.set(bin, (hosts.get(bin) ?? 0) + pods);
  }

  countTotal(group: TopologyGroup, pods: number): void {
    this.#totals[group.index] = this.total(group) + pods;
  }

  #own(index: number): void {
    if (this.#owned[index] === true) return;
    this.#domains[index] = (this.#domains[index] as Int32Array).slice();
    this.#hosts[index] = new Map(this.#hosts[index]);
    this.#owned[index] = true;
  }
}
