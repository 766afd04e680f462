// One solve in progress. In: a compiled problem, and for a what-if question the nodes to leave out. Out: where pods have
// been put so far. The compiled problem is never written to: a session copies what it changes.
import type { HostPort } from '../../model/host-port.ts';
import { type AttachedVolumes, mergeVolumes } from '../../model/volume-limit.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import { nodesPerBlock } from '../compile/node-table.ts';
import type { PodShape } from '../compile/pod-shape.ts';
import type { TopologyCounts } from '../topology/counts.ts';
import type { Claim, Load } from './claim.ts';
import { LimitLedger } from './limits.ts';
import { Reservations } from './reservations.ts';

export class Session {
  readonly compiled: CompiledProblem;
  readonly counts: TopologyCounts;
  /** `node * columns + column`. */
  readonly room: Float64Array;
  /** `block * columns + column`: the most that any node of a block has left. */
  readonly #mostRoom: Float64Array;
  readonly claims: Claim[] = [];
  readonly limits: LimitLedger;
  /** Undefined where nothing was bought in advance, or where that does not count. */
  readonly reservations: Reservations | undefined;
  /** Shapes that wait for capacity bought in advance. */
  readonly deferred = new Set<PodShape>();
  readonly #nodeLoads = new Map<number, Load[]>();
  readonly #nodePorts = new Map<number, HostPort[]>();
  readonly #nodeVolumes = new Map<number, AttachedVolumes>();
  readonly removed: ReadonlySet<number>;
  #closed: ReadonlySet<number> = new Set();

  constructor(compiled: CompiledProblem, removed: ReadonlySet<number> = new Set()) {
    this.compiled = compiled;
    this.counts = compiled.topology.counts.fork();
    this.room = compiled.nodes.room.slice();
    this.#mostRoom = compiled.nodes.mostRoom.slice();
    this.limits = new LimitLedger(compiled, removed);
    this.removed = removed;
    const { catalog, options } = compiled;
    if (options.reservedCapacity !== 'Off' && catalog.reservations.size > 0) {
      this.reservations = new Reservations(catalog, options.reservedCapacity === 'Strict');
    }
    for (const node of removed) compiled.topology.removeNode(node, this.counts);
  }

  takesPods(node: number): boolean {
    if (this.removed.has(node) || this.#closed.has(node)) return false;
    return this.compiled.nodes.nodes[node]?.deleting === false;
  }

  /** From now on these nodes take no more pods, instead of those that were named before. */
  close(nodes: ReadonlySet<number>): void {
    this.#closed = nodes;
  }

  /** Whether a pod with these requests fits any node of the block that begins here, going by room alone. */
  mayHoldOne(firstNode: number, requests: Float64Array): boolean {
    const row = (firstNode / nodesPerBlock) * requests.length;
    for (let column = 0; column < requests.length; column++) {
      if ((requests[column] as number) > (this.#mostRoom[row + column] as number)) return false;
    }
    return true;
  }

  loadsOn(node: number): readonly Load[] {
    return this.#nodeLoads.get(node) ?? [];
  }

  portsOn(node: number): readonly HostPort[] {
    return this.#nodePorts.get(node) ?? [];
  }

  volumesOn(node: number): AttachedVolumes {
    const placed = this.#nodeVolumes.get(node);
    return placed ?? this.compiled.nodes.nodes[node]?.volumes ?? new Map();
  }

  #updateBlock(block: number, columns: number): void {
    const end = Math.min((block + 1) * nodesPerBlock * columns, this.room.length);
    for (let column = 0; column < columns; column++) {
      let most = -Infinity;
      for (let at = block * nodesPerBlock * columns + column; at < end; at += columns) {
        if ((this.room[at] as number) > most) most = this.room[at] as number;
      }
      this.#mostRoom[block * columns + column] = most;
    }
  }

  addToNode(node: number, load: Load): void {
    const { shape, count } = load;
    const row = node * shape.requests.length;
    for (let column = 0; column < shape.requests.length; column++) {
      const room = this.room[row + column] as number;
      this.room[row + column] = room - count * (shape.requests[column] as number);
    }
    this.#updateBlock(Math.floor(node / nodesPerBlock), shape.requests.length);
    append(this.#nodeLoads, node, load);
    for (const port of shape.ports) append(this.#nodePorts, node, port);
    if (shape.volumes.ok && shape.volumes.volumes.size > 0) {
      this.#nodeVolumes.set(node, mergeVolumes(this.volumesOn(node), shape.volumes.volumes));
    }
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
