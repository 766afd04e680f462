// One node as the scheduler keeps it: what it has, what is taken, and who stands on it.
// 1. `requested`, `scoring` and `ports` are always the sums over `pods`.
// 2. `generation` changes with everything that could change a verdict about this node alone.
// 3. A node that is gone stays, without `node`, until its last pod is gone too.
import type { Taint } from '../../../api/core.ts';
import { clash, type HostPort } from './host-ports.ts';
import type { Labels, Node, SchedulingPod } from './objects.ts';
import { amountsOf, type Amounts } from './pod-requests.ts';
import type { PodShape } from './pod-shape.ts';

export interface PlacedPod {
  readonly uid: string;
  readonly pod: SchedulingPod;
  readonly shape: PodShape;
  readonly terminating: boolean;
}

export class NodeState {
  readonly name: string;
  readonly index: number;
  node: Node | undefined;
  labels: Labels = {};
  taints: readonly Taint[] = [];
  allocatable: Amounts = {};
  readonly requested: Record<string, number> = {};
  readonly scoring: Record<string, number> = {};
  readonly pods = new Map<string, PlacedPod>();
  readonly #ports: HostPort[] = [];
  generation = 0;

  constructor(name: string, index: number) {
    this.name = name;
    this.index = index;
  }

  set(node: Node | undefined): void {
    this.node = node;
    this.labels = node?.metadata.labels ?? {};
    this.taints = node?.spec?.taints ?? [];
    this.allocatable = amountsOf(node?.status?.allocatable);
    this.generation++;
  }

  add(placed: PlacedPod): void {
    this.pods.set(placed.uid, placed);
    this.#account(placed.shape, 1);
    this.#ports.push(...placed.shape.hostPorts);
  }

  remove(uid: string): PlacedPod | undefined {
    const placed = this.pods.get(uid);
    if (placed === undefined) return undefined;
    this.pods.delete(uid);
    this.#account(placed.shape, -1);
    for (const port of placed.shape.hostPorts) {
      this.#ports.splice(this.#ports.indexOf(port), 1);
    }
    return placed;
  }

  portTaken(wanted: HostPort): boolean {
    return this.#ports.some((taken) => clash(taken, wanted));
  }

  #account(shape: PodShape, sign: 1 | -1): void {
    this.generation++;
    for (const resource in shape.requests) {
      this.requested[resource] =
        (this.requested[resource] ?? 0) + sign * (shape.requests[resource] ?? 0);
    }
    for (const resource of ['cpu', 'memory']) {
      this.scoring[resource] =
        (this.scoring[resource] ?? 0) + sign * (shape.scoringRequests[resource] ?? 0);
    }
  }
}
