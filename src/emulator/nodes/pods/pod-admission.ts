// Whether a kubelet takes a pod that it is given. In: the pod, what is there already, and what the node has. Out: nothing, or the
// reason with which the pod fails on arrival. Schedulers can be wrong; the kubelet has the last word.
import { nanoPerUnit, tryParseQuantity } from '../../../model/quantity.ts';
import {
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  type JsonObject,
} from '../../kube/json.ts';

export type Requests = ReadonlyMap<string, bigint>;

export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** In billionths: the containers together or the hungriest moment of its start, whichever is more, and the overhead. */
export function podRequests(pod: JsonObject): Requests {
  const running = new Map<string, bigint>();
  const peak = new Map<string, bigint>();
  for (const container of objectsAt(pod, 'spec', 'initContainers')) {
    const needs = amountsOf(objectAt(container, 'resources', 'requests'));
    if (stringAt(container, 'restartPolicy') === 'Always') {
      add(running, needs);
      raise(peak, running);
    } else {
      const together = new Map(running);
      add(together, needs);
      raise(peak, together);
    }
  }
  for (const container of objectsAt(pod, 'spec', 'containers')) {
    add(running, amountsOf(objectAt(container, 'resources', 'requests')));
  }
  raise(running, peak);
  add(running, amountsOf(objectAt(pod, 'spec', 'overhead')));
  return running;
}

export function admissionError(options: {
  readonly pod: JsonObject;
  /** Of the pods that are on the node and not over. */
  readonly others: readonly Requests[];
  readonly allocatable: Readonly<Record<string, string>>;
  readonly hasDiskPressure: boolean;
}): Rejection | undefined {
  const { pod, others, allocatable } = options;
  if (options.hasDiskPressure && !isCritical(pod)) {
    const message = 'Pod was rejected: The node had condition: [DiskPressure]. ';
    return { reason: 'Evicted', message };
  }
  const room = amountsOf(allocatable);
  const pods = Number((room.get('pods') ?? 0n) / nanoPerUnit);
  if (others.length >= pods) return outOf('pods', 1, others.length, pods);
  for (const [name, wanted] of podRequests(pod)) {
    const capacity = room.get(name) ?? 0n;
    const used = usedOf(others, name);
    if (wanted === 0n || used + wanted <= capacity) continue;
    const unit = name === 'cpu' ? nanoPerUnit / 1000n : nanoPerUnit;
    return outOf(name, Number(wanted / unit), Number(used / unit), Number(capacity / unit));
  }
  return undefined;
}

function usedOf(others: readonly Requests[], name: string): bigint {
  let used = 0n;
  for (const requests of others) used += requests.get(name) ?? 0n;
  return used;
}

function outOf(name: string, wanted: number, used: number, capacity: number): Rejection {
  return {
    reason: `OutOf${name}`,
    message: `Pod was rejected: Node didn't have enough resource: ${name}, requested: ${wanted}, used: ${used}, capacity: ${capacity}`,
  };
}

const systemCriticalPriority = 2_000_000_000;

export function isCritical(pod: JsonObject): boolean {
  return priorityOf(pod) >= systemCriticalPriority;
}

export function priorityOf(pod: JsonObject): number {
  return numberAt(pod, 'spec', 'priority') ?? 0;
}

function amountsOf(resources: JsonObject | undefined): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, text] of Object.entries(resources ?? {})) {
    const parsed = tryParseQuantity(scalarText(text));
    if (parsed.ok) amounts.set(name, parsed.quantity.nano);
  }
  return amounts;
}

function add(sum: Map<string, bigint>, more: Requests): void {
  for (const [name, amount] of more) sum.set(name, (sum.get(name) ?? 0n) + amount);
}

function raise(high: Map<string, bigint>, other: Requests): void {
  for (const [name, amount] of other) if (amount > (high.get(name) ?? 0n)) high.set(name, amount);
}
