// How many cores a subscription may have in a region, and has. In: VMs coming and going. Out: whether one more fits,
// which limit says no, and the current use. Spot counts against one pool of its own; everything else by family and in
// total. A VM counts from the moment it was accepted until it is gone, running or not, as in Azure.
import type { SizeFacts } from '../facts.ts';
import type { QuotaShortage } from './errors.ts';

export type Priority = 'Regular' | 'Spot';

export interface QuotaRule {
  /** All regions unless given. */
  readonly region?: string;
  /** `cores`, `lowPriorityCores`, `virtualMachines`, or a family such as `standardDSv3Family`. */
  readonly name: string;
  readonly limit: number;
}

export interface Consumer {
  readonly vmId: string;
  readonly subscriptionId: string;
  readonly region: string;
  readonly size: SizeFacts;
  readonly priority: Priority;
}

export interface Usage {
  readonly name: string;
  readonly current: number;
  readonly limit: number;
}

/** High enough to be out of the way of whoever does not ask for a limit. */
const defaultLimit = 100_000;

export class Quotas {
  #rules: readonly QuotaRule[];
  readonly #used = new Map<string, number>();
  readonly #held = new Map<string, Consumer>();

  constructor(rules: readonly QuotaRule[] = []) {
    this.#rules = rules;
  }

  /** Later rules win over earlier ones; use is not touched. */
  set(rule: QuotaRule): void {
    this.#rules = [...this.#rules, rule];
  }

  /** The first limit that one more VM would break: family before region, as Azure answers. */
  shortage(consumer: Consumer): QuotaShortage | undefined {
    const { subscriptionId, region, vmId } = consumer;
    // A machine that failed and is written again is counted already.
    const held = this.#held.get(vmId.toLowerCase());
    const own = new Map(
      (held === undefined ? [] : charges(held)).map((one) => [one.name, one.amount]),
    );
    for (const { name, amount, wording } of charges(consumer)) {
      const { current, limit } = this.usage(subscriptionId, region, name);
      const usage = current - (own.get(name) ?? 0);
      if (usage + amount <= limit) continue;
      return { quota: wording, location: region, limit, usage, required: amount };
    }
    return undefined;
  }

  take(consumer: Consumer): void {
    this.release(consumer.vmId);
    this.#held.set(consumer.vmId.toLowerCase(), consumer);
    this.#charge(consumer, 1);
  }

  release(vmId: string): void {
    const consumer = this.#held.get(vmId.toLowerCase());
    if (consumer === undefined) return;
    this.#held.delete(vmId.toLowerCase());
    this.#charge(consumer, -1);
  }

  usage(subscriptionId: string, region: string, name: string): Usage {
    const rule = this.#rules.findLast(
      (one) => one.name === name && (one.region === undefined || one.region === region),
    );
    const current = this.#used.get(keyOf(subscriptionId, region, name)) ?? 0;
    return { name, current, limit: rule?.limit ?? defaultLimit };
  }

  #charge(consumer: Consumer, sign: 1 | -1): void {
    for (const { name, amount } of charges(consumer)) {
      const key = keyOf(consumer.subscriptionId, consumer.region, name);
      this.#used.set(key, (this.#used.get(key) ?? 0) + sign * amount);
    }
  }
}

function charges({ size, priority }: Consumer): readonly {
  readonly name: string;
  readonly amount: number;
  readonly wording: string;
}[] {
  const cores = size.vCpus;
  const machines = { name: 'virtualMachines', amount: 1, wording: 'Virtual Machines' };
  if (priority === 'Spot') {
    return [{ name: 'lowPriorityCores', amount: cores, wording: 'LowPriorityCores' }, machines];
  }
  return [
    { name: size.family, amount: cores, wording: `${size.family} Cores` },
    { name: 'cores', amount: cores, wording: 'Total Regional Cores' },
    machines,
  ];
}

function keyOf(subscriptionId: string, region: string, name: string): string {
  return `${subscriptionId.toLowerCase()} ${region} ${name}`;
}
