// What is to go wrong, on request. In: rules and one operation on one resource. Out: the effect that strikes it, or
// none.
// 1. The first rule that matches and whose dice say yes strikes; only then its count goes down.
// 2. The dice are one stream of their own: adding a rule never changes other draws of the same seed elsewhere.
import type { Random } from '../../base/random.ts';

export type FaultEffect =
  /** Refused, before anything has happened. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The answer comes late. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Accepted, then the operation fails. */
  | { readonly kind: 'fail-late'; readonly code: string; readonly message?: string }
  /** Done, but the connection breaks before the answer. */
  | { readonly kind: 'lose-response' }
  /** Accepted, and the operation never ends. */
  | { readonly kind: 'stuck' }
  /** The VM is there and says it runs, but nothing in it ever starts. */
  | { readonly kind: 'never-boots' };

export interface FaultRule {
  /** `Microsoft.Compute/virtualMachines/write`; `*` stands for any text. Case does not matter. */
  readonly operation: string;
  /** Only resources whose id contains this text, in any casing. */
  readonly resource?: string;
  readonly effect: FaultEffect;
  /** Share of the matching calls that are struck; all unless given. */
  readonly rate?: number;
  /** How often it may strike; without end unless given. */
  readonly count?: number;
}

interface ActiveRule {
  readonly rule: FaultRule;
  readonly pattern: RegExp;
  remaining: number;
}

export class Faults {
  readonly #random: Random;
  #rules: ActiveRule[] = [];

  constructor(random: Random, rules: readonly FaultRule[] = []) {
    this.#random = random;
    for (const rule of rules) this.add(rule);
  }

  /** Dispose to take the rule back. */
  add(rule: FaultRule): Disposable {
    const active: ActiveRule = {
      rule,
      pattern: wildcard(rule.operation),
      remaining: rule.count ?? Number.POSITIVE_INFINITY,
    };
    this.#rules.push(active);
    return {
      [Symbol.dispose]: () => {
        this.#rules = this.#rules.filter((other) => other !== active);
      },
    };
  }

  strike(operation: string, resourceId: string): FaultEffect | undefined {
    for (const active of this.#rules) {
      if (!this.#matches(active, operation, resourceId)) continue;
      if (active.rule.rate !== undefined && this.#random.next() >= active.rule.rate) continue;
      active.remaining--;
      return active.rule.effect;
    }
    return undefined;
  }

  #matches(active: ActiveRule, operation: string, resourceId: string): boolean {
    if (active.remaining <= 0 || !active.pattern.test(operation)) return false;
    const { resource } = active.rule;
    return resource === undefined || resourceId.toLowerCase().includes(resource.toLowerCase());
  }
}

/** A pattern with `*` for any text, as roles and faults write operations. Anchored, in any casing. */
export function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}
