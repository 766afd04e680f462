// What a pod asks of a node, as plain numbers. In: a pod spec. Out: cpu in thousandths, the rest in whole units.
// Init containers run one after another, sidecars beside everything that starts after them; an explicit
// pod-level amount replaces the containers' sum; overhead comes on top.
import type { Container, PodSpec, QuantityText, ResourceList } from '../../../api/core.ts';
import { parseQuantity, quantityMilliValue, quantityValue } from '../../../model/quantity.ts';

/** Amounts by resource name. Missing is zero. */
export type Amounts = Readonly<Record<string, number>>;

/** What a container without a request counts as when nodes are compared, never when they are filled. */
const assumedMilliCpu = 100;
const assumedMemoryBytes = 200 * 1024 * 1024;

export function amount(resource: string, quantity: QuantityText): number {
  const parsed = parseQuantity(quantity);
  return Number(resource === 'cpu' ? quantityMilliValue(parsed) : quantityValue(parsed));
}

export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Record<string, number> = {};
  for (const resource in list) amounts[resource] = amount(resource, list[resource] ?? 0);
  return amounts;
}

export function podRequests(spec: PodSpec): Amounts {
  return totalRequests(spec, (container) => amountsOf(container.resources?.requests));
}

/** The same with a guess for containers that ask for no cpu or no memory. */
export function podRequestsForScoring(spec: PodSpec): Amounts {
  return totalRequests(spec, (container) => ({
    cpu: assumedMilliCpu,
    memory: assumedMemoryBytes,
    ...amountsOf(container.resources?.requests),
  }));
}

function totalRequests(spec: PodSpec, of: (container: Container) => Amounts): Amounts {
  const total: Record<string, number> = {};
  for (const container of spec.containers) add(total, of(container));
  const sidecars: Record<string, number> = {};
  const starting: Record<string, number> = {};
  for (const container of spec.initContainers ?? []) {
    const own = of(container);
    if (container.restartPolicy === 'Always') {
      add(total, own);
      add(sidecars, own);
      raise(starting, sidecars);
    } else {
      raise(starting, sum(own, sidecars));
    }
  }
  raise(total, starting);
  const podLevel = spec.resources?.requests ?? {};
  for (const resource in podLevel) {
    if (isPodLevel(resource)) total[resource] = amount(resource, podLevel[resource] ?? 0);
  }
  add(total, amountsOf(spec.overhead));
  return total;
}

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}

function add(into: Record<string, number>, amounts: Amounts): void {
  for (const resource in amounts) {
    into[resource] = (into[resource] ?? 0) + (amounts[resource] ?? 0);
  }
}

function raise(into: Record<string, number>, amounts: Amounts): void {
  for (const resource in amounts) {
    into[resource] = Math.max(into[resource] ?? 0, amounts[resource] ?? 0);
  }
}

function sum(a: Amounts, b: Amounts): Amounts {
  const result = { ...a };
  add(result, b);
  return result;
}
