// A filled claim → what is asked of the cloud. In: a claim. Out: the types it may be launched as, cheapest first, with
// requirements and requests as the NodeClaim object will state them.
import { capacityType, label } from '../../api/labels.ts';
import type { Pod } from '../../api/core.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { checkMinValues } from '../../model/min-values.ts';
import type { Offering } from '../../model/offering.ts';
import { oneOf, withMinValues } from '../../model/requirement.ts';
import { replaceRequirement, type Requirements, withoutKeys } from '../../model/requirements.ts';
import { mergeResources, minResources, type Resources } from '../../model/resources.ts';
import type { CompiledProblem } from '../compile/compile.ts';
import { internalKeys, type Template } from '../compile/template.ts';
import type { StateId } from '../requirement-states.ts';
import type { Load } from '../solve/claim.ts';
import type { Launch, PlannedClaim } from './plan.ts';

export interface FilledClaim {
  readonly template: Template;
  readonly state: StateId;
  /** Variants that hold the pods, cheapest first. */
  readonly variants: readonly number[];
  readonly pods: readonly Pod[];
  /** The same pods, by shape. */
  readonly loads: readonly Load[];
}

const met = { unmet: new Map<string, number>() };

export function finishClaim(compiled: CompiledProblem, claim: FilledClaim): PlannedClaim {
  const { template, state, pods, loads } = claim;
  const { states, options } = compiled;
  const variants = claim.variants.slice(0, options.maxInstanceTypes);
  const types = typesOf(compiled, variants);
  const { unmet } = template.hasMinValues
    ? checkMinValues(types, states.requirementsOf(template.state))
    : met;
  return {
    pool: template.pool,
    instanceTypes: types,
    launch: launchOf(compiled, variants, state),
    requirements: lowered(writtenRequirements(compiled, variants, state), unmet),
    requests: mergeResources(...loads.map(requestsOf), overheadOf(template, variants)),
    pods,
    unmetMinValues: unmet,
  };
}

/** Variants come cheapest first, so only those that cost as little as the first are looked at. */
function launchOf(compiled: CompiledProblem, variants: readonly number[], state: StateId): Launch {
  const { catalog } = compiled;
  const prices = catalog.open(state).price;
  const cheapest = prices[variants[0] as number] as number;
  const offers: (Offering & { readonly instanceType: string })[] = [];
  for (const variant of variants) {
    if ((prices[variant] as number) > cheapest) break;
    for (const offering of catalog.offeringsOf(variant, state)) {
      offers.push({ ...offering, instanceType: typeOf(compiled, variant).name });
    }
  }
  const best = offers.reduce((a, b) => (comesBefore(b, a) ? b : a));
  const zones = offers
    .filter(
      (offer) =>
        offer.instanceType === best.instanceType &&
        offer.capacityType === best.capacityType &&
        offer.price === best.price,
    )
    .map(({ zone }) => zone);
  const { instanceType, capacityType: type, price } = best;
  return { instanceType, capacityType: type, zones: [...new Set(zones)].toSorted(), price };
}

type Offer = Pick<Offering, 'price' | 'capacityType'> & { readonly instanceType: string };

/** By price, then spot, then name. */
function comesBefore(a: Offer, b: Offer): boolean {
  if (a.price !== b.price) return a.price < b.price;
  const [spotA, spotB] = [a, b].map((offer) => offer.capacityType === capacityType.spot);
  if (spotA !== spotB) return spotA === true;
  return a.instanceType < b.instanceType;
}

/** Without what is the solver's own, and with the ways of buying that are really there. */
function writtenRequirements(
  { catalog, states }: CompiledProblem,
  variants: readonly number[],
  state: StateId,
): Requirements {
  const written = withoutKeys(states.requirementsOf(state), ...internalKeys, label.instanceType);
  const found = catalog.capacityTypes(variants, state);
  return replaceRequirement(written, oneOf(label.capacityType, [...found].toSorted()));
}

/** Of what there is too little variety, as much as there is. */
function lowered(requirements: Requirements, unmet: ReadonlyMap<string, number>): Requirements {
  let written = requirements;
  for (const [key, found] of unmet) {
    const requirement = written.get(key);
    if (requirement !== undefined) {
      written = replaceRequirement(written, withMinValues(requirement, found));
    }
  }
  return written;
}

/** What DaemonSets take at least, whichever type it becomes. */
function overheadOf({ overhead }: Template, variants: readonly number[]): Resources {
  const groups = overhead.filter((group) =>
    variants.some((variant) => group.variants.has(variant)),
  );
  return minResources(...groups.map(({ requests }) => requests));
}

function requestsOf({ shape, count }: Load): Resources {
  return new Map([...shape.exactRequests].map(([name, nano]) => [name, nano * BigInt(count)]));
}

/** A type with offerings of different sizes has several variants, and is listed once. */
function typesOf({ catalog }: CompiledProblem, variants: readonly number[]): InstanceType[] {
  const { types, typeOf: indexes } = catalog;
  const listed = variants.map((variant) => types[indexes[variant] as number] as InstanceType);
  return types.length === catalog.variantCount ? listed : [...new Set(listed)];
}

function typeOf({ catalog }: CompiledProblem, variant: number): InstanceType {
  return catalog.types[catalog.typeOf[variant] as number] as InstanceType;
}
