// The demand to be in certain domains, as a state. In: a table of domains and some of them. Out: a state id, made once.
import type { BitSet } from '../../base/bitset.ts';
import { oneOf } from '../../model/requirement.ts';
import { requirementsOf } from '../../model/requirements.ts';
import type { RequirementStates, StateId } from '../requirement-states.ts';
import type { DomainTable } from './domain-table.ts';

export class DomainDemands {
  readonly #states: RequirementStates;
  readonly #single = new Map<DomainTable, StateId[]>();

  constructor(states: RequirementStates) {
    this.#states = states;
  }

  one(table: DomainTable, domain: number): StateId {
    let known = this.#single.get(table);
    if (known === undefined) {
      known = [];
      this.#single.set(table, known);
    }
    return (known[domain] ??= this.#intern(table, [domain]));
  }

  several(table: DomainTable, domains: BitSet): StateId {
    return this.#intern(table, domains);
  }

  #intern({ key, names }: DomainTable, domains: Iterable<number>): StateId {
    const values = [...domains].map((domain) => names[domain] as string);
    return this.#states.intern(requirementsOf([oneOf(key, values)]));
  }
}
