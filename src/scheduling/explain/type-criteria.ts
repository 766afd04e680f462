// How the instance types of a pool stand to a pod. In: a session, a template, a form of a shape, a state. Out: for each type
// whether it meets the requirements, has an offering and has the room, each asked for itself: a type without a suitable
// offering is still told to be large enough, so that the message names what is really missing.
import type { BitSet } from '../../base/bitset.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { resourceName, toResourceList, type Resources } from '../../model/resources.ts';
import type { PodShape } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import type { ResourceColumns } from '../resource-columns.ts';
import { incompatible, type StateId } from '../requirement-states.ts';
import { fitsInto } from '../solve/claim.ts';
import type { Session } from '../solve/session.ts';
import type { NearestMiss } from './explanation.ts';

/** A type of a pool with the ways in which it can be had. */
export interface PoolType {
  readonly type: InstanceType;
  readonly variants: readonly number[];
}

export interface Criteria {
  readonly requirements: boolean;
  readonly offering: boolean;
  readonly resources: boolean;
}

export function typesOfPool({ compiled }: Session, { members }: Template): PoolType[] {
  const { types, typeOf } = compiled.catalog;
  const grouped = Map.groupBy(members, (variant) => typeOf[variant] as number);
  return [...grouped].map(([index, variants]) => ({
    type: types[index] as InstanceType,
    variants,
  }));
}

export function criteriaOf(
  session: Session,
  template: Template,
  shape: PodShape,
  state: StateId,
): (type: PoolType) => Criteria {
  const { catalog } = session.compiled;
  const columns = shape.requests.length;
  const none = new Float64Array(columns);
  const fits = (variant: number): boolean =>
    fitsInto(template.room, variant * columns, none, shape.requests);
  if (state === incompatible) {
    return ({ variants }) => ({
      requirements: false,
      offering: false,
      resources: variants.some(fits),
    });
  }
  const shaped = catalog.shaped(state);
  const { variants: open, offerings } = catalog.open(state);
  const mayHave = !offerings.isEmpty();
  // Of types that agree with the state, those with an offering are known; only for others it has to be looked up.
  const hasOffering = (variant: number): boolean =>
    open.has(variant) ||
    (mayHave && !shaped.has(variant) && catalog.offeringsOf(variant, state).length > 0);
  const known = new Map<PoolType, Criteria>();
  const judge = ({ variants }: PoolType): Criteria => {
    const offered = variants.filter(hasOffering);
    return {
      requirements: variants.some((variant) => shaped.has(variant)),
      offering: offered.length > 0,
      resources: (offered.length > 0 ? offered : variants).some(fits),
    };
  };
  return (type) => {
    let criteria = known.get(type);
    if (criteria === undefined) {
      criteria = judge(type);
      known.set(type, criteria);
    }
    return criteria;
  };
}

export function someIn({ variants }: PoolType, set: BitSet | undefined): boolean {
  return variants.some((variant) => set?.has(variant) ?? true);
}

/** Of the types that come closest to the rules, the one that lacks least; undefined when that lacks nothing. */
export function nearestMiss(
  session: Session,
  template: Template,
  shape: PodShape,
  types: readonly PoolType[],
): NearestMiss | undefined {
  const { columns } = session.compiled;
  let nearest:
    | { readonly type: InstanceType; readonly short: Resources; readonly share: number }
    | undefined;
  for (const { type, variants } of types) {
    for (const variant of variants) {
      const short = shortage(columns, template.room, variant, shape.exactRequests);
      const share = shareOf(short, shape.exactRequests);
      if (nearest === undefined || share < nearest.share) nearest = { type, short, share };
    }
  }
  if (nearest === undefined || nearest.short.size === 0) return undefined;
  return { instanceType: nearest.type.name, short: toResourceList(nearest.short) };
}

/** What is missing of each resource, exactly. */
export function shortage(
  { names, unitNano }: ResourceColumns,
  room: Float64Array,
  variant: number,
  requests: Resources,
): Resources {
  const short = new Map<string, bigint>();
  for (const [column, name] of names.entries()) {
    const free = BigInt(room[variant * names.length + column] as number) * (unitNano[column] ?? 1n);
    const missing = (requests.get(name) ?? 0n) - free;
    if (missing > 0n) short.set(name, missing);
  }
  return short;
}

/** Shares of what is asked for, added up: bytes and cores cannot be. */
function shareOf(short: Resources, requests: Resources): number {
  let share = 0;
  for (const [name, missing] of short) {
    const asked = requests.get(name) ?? 0n;
    // A node without room for one more pod misses by a pod, whatever its size.
    const isWhole = asked === 0n || name === resourceName.pods;
    share += isWhole ? 1 : Number(missing) / Number(asked);
  }
  return share;
}
