// Instance types as columns and bit sets. In: the types of all pools. Out: for a set of requirements, which types
// may be launched and what each would cost at least, by AND-ing a few words instead of walking the catalogue.
// A *variant* is an instance type together with one of its allocatable groups: nearly always there is one variant
// per type, and more only where offerings carry amounts of their own.
// 1. A variant is open to a state when its type's requirements intersect the state's, and one of its available
//    offerings is acceptable to it.
// 2. Everything is computed once per state (and per single requirement) and then looked up.
import { capacityType, label } from '../api/labels.ts';
import { BitSet } from '../base/bitset.ts';
import { doIntersect } from '../model/compatibility.ts';
import type { InstanceType } from '../model/instance-type.ts';
import type { LabelRules } from '../model/label-rules.ts';
import type { Offering } from '../model/offering.ts';
import { isContradiction, oneOf, type Requirement } from '../model/requirement.ts';
import { requirementsOf, type Requirements } from '../model/requirements.ts';
import { capacityColumns, type ResourceColumns } from './resource-columns.ts';
import type { RequirementStates, StateId } from './requirement-states.ts';

/** What a state may be launched as. */
export interface OpenTypes {
  readonly variants: BitSet;
  /** Cheapest acceptable offering per variant; Infinity where there is none. */
  readonly price: Float64Array;
  /** Variants by price, then by name. */
  readonly byPrice: Int32Array;
  /** Offerings that the state accepts, of whatever variant. */
  readonly offerings: BitSet;
}

const noValues: ReadonlySet<string> = new Set();

export class Catalog {
  readonly types: readonly InstanceType[];
  /** Index of the instance type of each variant. */
  readonly typeOf: Int32Array;
  readonly variantCount: number;
  readonly columns: ResourceColumns;
  /** `variant * columns + column`: what pods can use. */
  readonly allocatable: Float64Array;
  readonly #rules: LabelRules;
  readonly #states: RequirementStates;
  readonly #offerings: readonly Offering[];
  readonly #variantOfOffering: Int32Array;
  /** Offerings of a variant are those from its entry up to the next one's. */
  readonly #firstOffering: Int32Array;
  /** Machines that each reservation still covers: the least that any offering says. */
  readonly reservations: ReadonlyMap<string, number>;
  /** How many ways of buying there are at all. */
  readonly #capacityTypes: number;
  readonly #typeKeys: ReadonlySet<string>;
  readonly #offeringKeys: readonly string[];
  readonly #variantsFor = new Map<Requirement, BitSet>();
  readonly #offeringsFor = new Map<Requirement, BitSet>();
  readonly #offeringsIfOpen = new Map<string, BitSet>();
  readonly #open = new Map<StateId, OpenTypes>();
  readonly #shaped = new Map<StateId, BitSet>();
  readonly #withValue = new Map<string, BitSet>();

  constructor(options: {
    readonly types: readonly InstanceType[];
    readonly columns: ResourceColumns;
    readonly states: RequirementStates;
    readonly rules: LabelRules;
  }) {
    const { types, columns, states, rules } = options;
    this.types = types;
    this.columns = columns;
    this.#states = states;
    this.#rules = rules;
    const typeOf: number[] = [];
    const rows: Float64Array[] = [];
    const offerings: Offering[] = [];
    const variantOfOffering: number[] = [];
    const firstOffering: number[] = [];
    for (const [index, type] of types.entries()) {
      for (const group of type.allocatableGroups) {
        if (group.offerings.length === 0) continue;
        firstOffering.push(offerings.length);
        for (const offering of group.offerings) {
          offerings.push(offering);
          variantOfOffering.push(typeOf.length);
        }
        typeOf.push(index);
        rows.push(capacityColumns(columns, group.allocatable));
      }
    }
    this.variantCount = typeOf.length;
    this.typeOf = Int32Array.from(typeOf);
    this.allocatable = flatten(rows, columns.names.length);
    this.#offerings = offerings;
    this.#variantOfOffering = Int32Array.from(variantOfOffering);
    this.#firstOffering = Int32Array.from([...firstOffering, offerings.length]);
    this.reservations = reservationsOf(offerings);
    this.#capacityTypes = new Set(offerings.map((offering) => offering.capacityType)).size;
    this.#typeKeys = new Set(types.flatMap((type) => [...type.requirements.keys()]));
    this.#offeringKeys = [
      ...new Set(offerings.flatMap(({ requirements }) => [...requirements.keys()])),
    ];
  }

  open(state: StateId): OpenTypes {
    let open = this.#open.get(state);
    if (open === undefined) {
      open = this.#compute(this.#states.requirementsOf(state));
      this.#open.set(state, open);
    }
    return open;
  }

  /** Variants whose type agrees with a state, whether any of their offerings can be had or not. */
  shaped(state: StateId): BitSet {
    let shaped = this.#shaped.get(state);
    if (shaped === undefined) {
      shaped = this.#agreeing(this.#states.requirementsOf(state));
      this.#shaped.set(state, shaped);
    }
    return shaped;
  }

  /** The available offerings of a variant that a state accepts, cheapest first. */
  offeringsOf(variant: number, state: StateId): Offering[] {
    const { offerings } = this.open(state);
    const found: Offering[] = [];
    const end = this.#firstOffering[variant + 1] as number;
    for (let index = this.#firstOffering[variant] as number; index < end; index++) {
      if (offerings.has(index)) found.push(this.#offerings[index] as Offering);
    }
    return found.toSorted((a, b) => a.price - b.price || (a.zone < b.zone ? -1 : 1));
  }

  /** Reservations with which any of these variants can be had in a state. */
  reservedIn(variants: readonly number[], state: StateId): Set<string> {
    const found = new Set<string>();
    for (const offering of this.#offered(variants, state)) {
      if (offering.reservation !== undefined) found.add(offering.reservation.id);
    }
    return found;
  }

  /** The demand to use one of these reservations. */
  reservedRequirements(ids: ReadonlySet<string>): Requirements {
    const keys = this.#offerings.flatMap(({ reservation, requirements }) =>
      reservation === undefined || !ids.has(reservation.id)
        ? []
        : [...requirements.values()]
            .filter(({ complement, values }) => !complement && values.has(reservation.id))
            .map(({ key }) => key),
    );
    return requirementsOf([
      oneOf(label.capacityType, [capacityType.reserved]),
      ...[...new Set(keys)].map((key) => oneOf(key, [...ids].toSorted())),
    ]);
  }

  /** Ways of buying any of these variants that a state accepts. */
  capacityTypes(variants: readonly number[], state: StateId): Set<string> {
    const found = new Set<string>();
    for (const offering of this.#offered(variants, state)) {
      found.add(offering.capacityType);
      if (found.size === this.#capacityTypes) break;
    }
    return found;
  }

  *#offered(variants: readonly number[], state: StateId): Generator<Offering> {
    const { offerings } = this.open(state);
    for (const variant of variants) {
      const end = this.#firstOffering[variant + 1] as number;
      for (let index = this.#firstOffering[variant] as number; index < end; index++) {
        if (offerings.has(index)) yield this.#offerings[index] as Offering;
      }
    }
  }

  /** Values that a variant's type lists for a label. */
  valuesOf(variant: number, key: string): ReadonlySet<string> {
    const requirement = this.types[this.typeOf[variant] as number]?.requirements.get(key);
    return requirement === undefined || requirement.complement ? noValues : requirement.values;
  }

  /** Variants whose type may have this value; undefined for a label that no type speaks about. */
  variantsWith(key: string, value: string): BitSet | undefined {
    if (!this.#typeKeys.has(key)) return undefined;
    const text = `${key}=${value}`;
    let set = this.#withValue.get(text);
    if (set === undefined) {
      set = this.#compatibleVariants(oneOf(key, [value]));
      this.#withValue.set(text, set);
    }
    return set;
  }

  #compute(requirements: Requirements): OpenTypes {
    const variants = this.#agreeing(requirements);
    const offerings = BitSet.full(this.#offerings.length);
    for (const key of this.#offeringKeys) {
      const requirement = requirements.get(key);
      offerings.and(
        requirement === undefined
          ? this.#openOfferings(key)
          : this.#compatibleOfferings(requirement),
      );
    }
    return this.#priced(variants, offerings);
  }

  #agreeing(requirements: Requirements): BitSet {
    const variants = BitSet.full(this.variantCount);
    for (const requirement of requirements.values()) {
      // A contradiction excludes every type, also those that say nothing about its key.
      if (this.#typeKeys.has(requirement.key) || isContradiction(requirement)) {
        variants.and(this.#compatibleVariants(requirement));
      }
    }
    return variants;
  }

  #priced(variants: BitSet, offerings: BitSet): OpenTypes {
    const price = new Float64Array(this.variantCount).fill(Infinity);
    for (const index of offerings) {
      const variant = this.#variantOfOffering[index] as number;
      const offered = (this.#offerings[index] as Offering).price;
      if (offered < (price[variant] as number) && variants.has(variant)) price[variant] = offered;
    }
    for (const variant of variants) if (price[variant] === Infinity) variants.delete(variant);
    const byPrice = Int32Array.from(variants).toSorted(
      (a, b) => (price[a] as number) - (price[b] as number) || this.#compareNames(a, b),
    );
    return { variants, price, byPrice, offerings };
  }

  #compareNames(a: number, b: number): number {
    const [left, right] = [this.typeOf[a], this.typeOf[b]].map(
      (type) => this.types[type as number]?.name ?? '',
    );
    return (left as string) < (right as string) ? -1 : 1;
  }

  #compatibleVariants(requirement: Requirement): BitSet {
    let set = this.#variantsFor.get(requirement);
    if (set === undefined) {
      const one = requirementsOf([requirement]);
      const fits = this.types.map((type) => doIntersect(type.requirements, one));
      set = new BitSet(this.variantCount);
      for (const [variant, type] of this.typeOf.entries())
        if (fits[type] === true) set.add(variant);
      this.#variantsFor.set(requirement, set);
    }
    return set;
  }

  #compatibleOfferings(requirement: Requirement): BitSet {
    let set = this.#offeringsFor.get(requirement);
    if (set === undefined) {
      const one = requirementsOf([requirement]);
      set = this.#selectOfferings(({ requirements }) => doIntersect(one, requirements));
      this.#offeringsFor.set(requirement, set);
    }
    return set;
  }

  /** Offerings that do not mind when nobody has said anything about the key. */
  #openOfferings(key: string): BitSet {
    let set = this.#offeringsIfOpen.get(key);
    if (set === undefined) {
      const mayStayOpen = this.#rules.wellKnown.has(key);
      set = this.#selectOfferings(({ requirements }) => {
        const demand = requirements.get(key);
        if (demand === undefined || demand.mayBeAbsent) return true;
        return mayStayOpen && !isContradiction(demand);
      });
      this.#offeringsIfOpen.set(key, set);
    }
    return set;
  }

  #selectOfferings(accepts: (offering: Offering) => boolean): BitSet {
    const set = new BitSet(this.#offerings.length);
    for (const [index, offering] of this.#offerings.entries())
      if (accepts(offering)) set.add(index);
    return set;
  }
}

function reservationsOf(offerings: readonly Offering[]): Map<string, number> {
  const reservations = new Map<string, number>();
  for (const { reservation } of offerings) {
    if (reservation === undefined) continue;
    const { id, capacity } = reservation;
    reservations.set(id, Math.min(capacity, reservations.get(id) ?? Infinity));
  }
  return reservations;
}

function flatten(rows: readonly Float64Array[], width: number): Float64Array {
  const flat = new Float64Array(rows.length * width);
  for (const [index, row] of rows.entries()) flat.set(row, index * width);
  return flat;
}
