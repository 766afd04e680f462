// Sets of requirements as small integers. In: requirements, as model values. Out: an id per distinct set, and
// for "this set, and also that one" the id of the result or the news that nothing satisfies both.
// A solve meets few distinct sets however many pods it has, so every combination is worked out once, with the
// model's own algebra, and looked up from then on.
// 1. Equal sets have equal ids: two claims with one id are the same to every rule about labels.
// 2. An id never changes its meaning.
// 3. Equal requirements of any two sets are one object.
import { isCompatible } from '../model/compatibility.ts';
import type { LabelRules } from '../model/label-rules.ts';
import type { Requirement } from '../model/requirement.ts';
import { mergeRequirements, noRequirements, type Requirements } from '../model/requirements.ts';

export type StateId = number;

/** The id of no set: the two cannot hold together. */
export const incompatible: StateId = -1;

/** Ids stay far below this, so that a pair of them fits a double exactly. */
const pairBase = 2 ** 26;

export class RequirementStates {
  readonly #rules: LabelRules;
  readonly #sets: Requirements[] = [];
  readonly #ids = new Map<string, StateId>();
  readonly #joined = new Map<number, StateId>();
  readonly #requirements = new Map<string, Requirement>();
  /** Text per requirement object: sets share most of theirs. */
  readonly #texts = new WeakMap<Requirement, string>();

  constructor(rules: LabelRules) {
    this.#rules = rules;
    this.intern(noRequirements);
  }

  get size(): number {
    return this.#sets.length;
  }

  intern(set: Requirements): StateId {
    const text = this.#textOf(set);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#sets.length;
    this.#sets.push(this.#shared(set));
    this.#ids.set(text, id);
    return id;
  }

  requirementsOf(id: StateId): Requirements {
    return this.#sets[id] ?? noRequirements;
  }

  /** A claim in state `state` that also takes `demand`; well-known labels may have been open. */
  join(state: StateId, demand: StateId): StateId {
    if (demand === 0 || state === incompatible) return state;
    const pair = state * pairBase + demand;
    const known = this.#joined.get(pair);
    if (known !== undefined) return known;
    const existing = this.requirementsOf(state);
    const incoming = this.requirementsOf(demand);
    const result = isCompatible(existing, incoming, this.#rules.wellKnown)
      ? this.intern(mergeRequirements(existing, incoming))
      : incompatible;
    this.#joined.set(pair, result);
    return result;
  }

  /** The set with requirements that other sets have too: whoever remembers something about one remembers it for all. */
  #shared(set: Requirements): Requirements {
    const shared = new Map<string, Requirement>();
    for (const [key, requirement] of set) {
      const text = this.#textOfOne(requirement);
      const known = this.#requirements.get(text) ?? requirement;
      this.#requirements.set(text, known);
      shared.set(key, known);
    }
    return shared;
  }

  #textOf(set: Requirements): string {
    const parts: string[] = [];
    for (const requirement of set.values()) parts.push(this.#textOfOne(requirement));
    return parts.toSorted().join('\n');
  }

  #textOfOne(requirement: Requirement): string {
    let text = this.#texts.get(requirement);
    if (text === undefined) {
      const { key, complement, values, mayBeAbsent, gte, lte, minValues } = requirement;
      const list = [...values].toSorted().join('\t');
      text = `${key}\t${complement}\t${mayBeAbsent}\t${gte}\t${lte}\t${minValues}\t${list}`;
      this.#texts.set(requirement, text);
    }
    return text;
  }
}
