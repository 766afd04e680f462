// What nodes really have, learnt from nodes that joined. In: nodes. Out: memory and what pods get of it, per size.
// The cloud sells memory; how much of it the operating system sees is known only once a node of the size has run.
// 1. Of several nodes the smallest amounts count: a pod placed by them fits on any, whatever their images.
// 2. What cannot be true of the size (more memory than it has, or less than half) is not learnt.
// 3. Amounts depend on how many pods a node is set up for, so each number of pods is learnt for itself.
// Nothing is stored: the nodes of the cluster teach it all again after a restart.
import type { Node } from '../../api/core.ts';
import { label } from '../../api/labels.ts';
import {
  fits,
  fromResourceList,
  minResources,
  resourceName,
  type Resources,
  units,
} from '../../model/resources.ts';
import type { VmSize } from './vm-size.ts';

export interface LearntAmounts {
  readonly memory: bigint;
  /** CPU and memory. */
  readonly allocatable: Resources;
}

const bytesPerGiB = 2 ** 30;

export class LearntCapacity {
  readonly #amounts = new Map<string, LearntAmounts>();
  #generation = 0;

  /** Rises when anything is learnt. */
  get generation(): number {
    return this.#generation;
  }

  of(sizeName: string, maxPods: number): LearntAmounts | undefined {
    return this.#amounts.get(keyOf(sizeName, maxPods));
  }

  observe(node: Node, sizeOf: (name: string) => VmSize | undefined): void {
    const size = sizeOf(node.metadata.labels?.[label.instanceType] ?? '');
    const seen = size === undefined ? undefined : amountsOf(node, size);
    if (size === undefined || seen === undefined) return;
    const key = keyOf(size.name, seen.pods);
    const known = this.#amounts.get(key);
    const learnt = known === undefined ? seen : smallest(known, seen);
    if (known !== undefined && isEqual(known, learnt)) return;
    this.#amounts.set(key, { memory: learnt.memory, allocatable: learnt.allocatable });
    this.#generation++;
  }
}

function keyOf(sizeName: string, pods: number): string {
  return `${sizeName} ${pods}`;
}

function amountsOf(
  node: Node,
  size: VmSize,
): (LearntAmounts & { readonly pods: number }) | undefined {
  if (!isSettled(node)) return undefined;
  const capacity = fromResourceList(node.status?.capacity);
  const free = fromResourceList(node.status?.allocatable);
  const memory = capacity.get(resourceName.memory) ?? 0n;
  const allocatable = new Map(
    [resourceName.cpu, resourceName.memory].map((name) => [name, free.get(name) ?? 0n]),
  );
  const sold = units(size.memoryGiB * bytesPerGiB);
  const plausible = memory <= sold && memory * 2n >= sold && fits(allocatable, capacity);
  if (!plausible || reservesHugePages(capacity)) return undefined;
  const pods = Number((capacity.get(resourceName.pods) ?? 0n) / units(1));
  return { memory, allocatable, pods };
}

/** Only a node that has come up completely shows its amounts, and only ours were set up the way we estimate. */
function isSettled({ metadata: { labels = {} } }: Node): boolean {
  return labels[label.initialized] === 'true' && labels[label.nodePool] !== undefined;
}

/** Huge pages are set aside by somebody on the node: the next node may have none. */
function reservesHugePages(capacity: Resources): boolean {
  return [...capacity].some(
    ([name, nano]) => name.startsWith(resourceName.hugePagesPrefix) && nano > 0n,
  );
}

function smallest(a: LearntAmounts, b: LearntAmounts): LearntAmounts {
  return {
    memory: a.memory < b.memory ? a.memory : b.memory,
    allocatable: minResources(a.allocatable, b.allocatable),
  };
}

function isEqual(a: LearntAmounts, b: LearntAmounts): boolean {
  return (
    a.memory === b.memory &&
    [...a.allocatable].every(([name, nano]) => b.allocatable.get(name) === nano)
  );
}
