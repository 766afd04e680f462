// Amounts of resources for the checker: name → billionths, exactly. In: resource lists. Out: sums and shortfalls.
import type { Container, Pod, PodSpec, ResourceList } from '../../../src/api/core.ts';
import { formatQuantity, parseQuantity } from '../../../src/model/quantity.ts';

export type Amounts = ReadonlyMap<string, bigint>;

export const nothing: Amounts = new Map();
export const onePod: Amounts = new Map([['pods', 1_000_000_000n]]);

export function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text).nano]),
  );
}

export function sum(...lists: readonly Amounts[]): Amounts {
  const total = new Map<string, bigint>();
  for (const list of lists) {
    for (const [name, nano] of list) total.set(name, (total.get(name) ?? 0n) + nano);
  }
  return total;
}

export function largest(...lists: readonly Amounts[]): Amounts {
  const most = new Map<string, bigint>();
  for (const list of lists) {
    for (const [name, nano] of list) most.set(name, max(nano, most.get(name) ?? nano));
  }
  return most;
}

/** Never below zero. */
export function beyond(wanted: Amounts, there: Amounts): Amounts {
  return new Map(
    [...wanted].map(([name, nano]) => [name, max(nano - (there.get(name) ?? 0n), 0n)]),
  );
}

/** What is asked for and not there, in words; undefined when all of it is. */
export function shortfall(wanted: Amounts, there: Amounts): string | undefined {
  for (const [name, nano] of wanted) {
    const available = there.get(name) ?? 0n;
    if (nano > available && nano > 0n) {
      return `needs ${show(nano)} of ${name} where there is ${show(available)}`;
    }
  }
  return undefined;
}

/** What a node must set aside for the pod, itself included as one of `pods`. */
export function requestsOf({ spec }: Pod): Amounts {
  return sum(requestsOfSpec(spec), onePod);
}

export function requestsOfSpec(spec: PodSpec): Amounts {
  const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';
  const own = (container: Container): Amounts => amountsOf(container.resources?.requests);
  const init = spec.initContainers ?? [];
  const running = sum(...spec.containers.map(own), ...init.filter(isSidecar).map(own));
  // While an init container runs, the sidecars that were started before it run too.
  const starting = init.map((container, i) =>
    sum(own(container), ...init.slice(0, i).filter(isSidecar).map(own)),
  );
  const containers = new Map(largest(running, ...starting));
  for (const [name, nano] of amountsOf(spec.resources?.requests)) {
    if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) {
      containers.set(name, nano);
    }
  }
  return sum(containers, amountsOf(spec.overhead));
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function show(nano: bigint): string {
  return formatQuantity({ nano, format: 'DecimalSI' });
}
