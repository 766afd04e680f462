// What the datacentres still have. In: VMs being placed and removed. Out: whether there is room, and the failure that
// the real allocator would give. Without rules there is always room; a rule makes one kind of VM finite.
import type { AllocationCode } from './errors.ts';
import type { Priority } from './quotas.ts';

export interface CapacityRule {
  readonly region?: string;
  readonly size: string;
  /** Of one zone; `''` of VMs without a zone; of every place together when absent. */
  readonly zone?: string;
  /** Of both together when absent. */
  readonly priority?: Priority;
  /** How many VMs there is room for. */
  readonly count: number;
  /** `SkuNotAvailable` is said at once, the others when the operation ends. */
  readonly failure?: AllocationCode | 'SkuNotAvailable';
}

export interface Placement {
  readonly vmId: string;
  readonly region: string;
  readonly size: string;
  readonly zone: string | undefined;
  readonly priority: Priority;
}

export type CapacityFailure = AllocationCode | 'SkuNotAvailable';

export class CapacityPools {
  #rules: readonly CapacityRule[];
  readonly #placed = new Map<string, Placement>();

  constructor(rules: readonly CapacityRule[] = []) {
    this.#rules = rules;
  }

  add(rule: CapacityRule): Disposable {
    this.#rules = [...this.#rules, rule];
    return {
      [Symbol.dispose]: () => {
        this.#rules = this.#rules.filter((other) => other !== rule);
      },
    };
  }

  /** Why there is no room for it; undefined when there is. */
  shortage(placement: Placement): CapacityFailure | undefined {
    const full = this.#rules.find(
      (rule) => isUnder(rule, placement) && this.#countUnder(rule) >= rule.count,
    );
    return full === undefined ? undefined : (full.failure ?? usualFailure(placement));
  }

  take(placement: Placement): void {
    this.#placed.set(placement.vmId.toLowerCase(), placement);
  }

  release(vmId: string): void {
    this.#placed.delete(vmId.toLowerCase());
  }

  #countUnder(rule: CapacityRule): number {
    let count = 0;
    for (const placement of this.#placed.values()) if (isUnder(rule, placement)) count++;
    return count;
  }
}

/** Spot is refused at the door; for the rest the allocator tries first. */
function usualFailure({ priority, zone }: Placement): CapacityFailure {
  if (priority === 'Spot') return 'SkuNotAvailable';
  return zone === undefined ? 'AllocationFailed' : 'ZonalAllocationFailed';
}

function isUnder(rule: CapacityRule, placement: Placement): boolean {
  return (
    rule.size.toLowerCase() === placement.size.toLowerCase() &&
    (rule.region === undefined || rule.region === placement.region) &&
    (rule.zone === undefined || rule.zone === (placement.zone ?? '')) &&
    (rule.priority === undefined || rule.priority === placement.priority)
  );
}
