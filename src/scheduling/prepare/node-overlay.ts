// Which NodeOverlays are heard where. In: overlays, NodePools with the instance types the cloud offers them. Out: a book
// of corrections, and for every overlay the condition that says whether it is in use.
// 1. Heavier overlays come first, equal ones by name from the end of the alphabet. The first to speak about the price of
//    an offering, or about a resource of an instance type, is heard; lighter ones fill the gaps.
// 2. Two of equal weight that speak about the same thing are in conflict, even if they say the same and even if a heavier
//    one is heard instead of both.
// 3. An overlay is applied everywhere or nowhere: a conflict over one offering in one pool disables all of it.
import { label } from '../../api/labels.ts';
import { type NodeOverlay, nodeOverlayCondition } from '../../api/node-overlay.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { isCompatible } from '../../model/compatibility.ts';
import type { ConditionChange } from '../../model/conditions.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { oneOf } from '../../model/requirement.ts';
import {
  mergeRequirements,
  type Requirements,
  requirementsFromEntries,
  requirementsFromLabels,
  requirementsOf,
} from '../../model/requirements.ts';
import { fromResourceList, type Resources } from '../../model/resources.ts';
import { type Correction, offeringKey, type OverlayBook, type PriceWords } from './overlay-book.ts';
import { overlayFaults } from './validate-overlay.ts';

export interface OverlayEvaluation {
  readonly book: OverlayBook;
  /** By name of the overlay. */
  readonly conditions: ReadonlyMap<string, ConditionChange>;
}

/** One instance type in one pool, and what has been said about it so far. */
interface Subject {
  readonly pool: string;
  readonly type: InstanceType;
  readonly requirements: Requirements;
  readonly prices: Map<string, PriceWords>;
  readonly capacity: Map<string, bigint>;
  /** Price of an offering or amount of a resource → weight of the last overlay that spoke about it, heard or not. */
  readonly priceWeights: Map<string, number>;
  readonly capacityWeights: Map<string, number>;
}

/** What an overlay says about a subject. */
interface Statement {
  readonly subject: Subject;
  readonly price: PriceWords | undefined;
  readonly offerings: readonly string[];
  readonly capacity: Resources;
}

/** A pool whose instance types could not be had is to be left out: it then counts as not evaluated. */
export function evaluateOverlays(input: {
  readonly rules: LabelRules;
  readonly overlays: readonly NodeOverlay[];
  readonly pools: readonly {
    readonly nodePool: NodePool;
    /** As the cloud offers them, without any overlay. */
    readonly instanceTypes: readonly InstanceType[];
  }[];
}): OverlayEvaluation {
  const { rules, overlays, pools } = input;
  const subjects = pools.flatMap(({ nodePool, instanceTypes }) =>
    instanceTypes.map((type) => subjectOf(rules, nodePool, type)),
  );
  const conditions = new Map<string, ConditionChange>();
  for (const overlay of overlays.toSorted(byWeight)) {
    conditions.set(overlay.metadata.name, judge(rules, overlay, subjects));
  }
  const book = new Map(
    pools.map(({ nodePool }) => [nodePool.metadata.name, new Map<string, Correction>()]),
  );
  for (const { pool, type, prices, capacity } of subjects) {
    if (prices.size + capacity.size > 0) book.get(pool)?.set(type.name, { prices, capacity });
  }
  return { book, conditions };
}

function judge(
  rules: LabelRules,
  overlay: NodeOverlay,
  subjects: readonly Subject[],
): ConditionChange {
  const type = nodeOverlayCondition.validationSucceeded;
  const faults = overlayFaults(rules, overlay);
  if (faults.length > 0) {
    return { type, status: 'False', reason: 'RuntimeValidation', message: faults.join('; ') };
  }
  const statements = statementsOf(rules, overlay, subjects);
  const weight = weightOf(overlay);
  if (statements.some((statement) => isRepeated(statement, weight))) {
    const message = 'conflict with another overlay';
    return { type, status: 'False', reason: 'Conflict', message };
  }
  for (const statement of statements) note(statement, weight);
  return { type, status: 'True' };
}

/** An instance type is meant when one of its offerings is, available or not; its resources are then those of all. */
function statementsOf(
  rules: LabelRules,
  { spec }: NodeOverlay,
  subjects: readonly Subject[],
): Statement[] {
  const demanded = requirementsFromEntries(rules, spec.requirements);
  const hasPrice = spec.price !== undefined || spec.priceAdjustment !== undefined;
  const price = hasPrice ? spec : undefined;
  const capacity = fromResourceList(spec.capacity);
  return subjects.flatMap((subject) => {
    if (!isCompatible(subject.requirements, demanded)) return [];
    const offerings = subject.type.offerings.filter(({ requirements }) =>
      isCompatible(demanded, requirements, rules.wellKnown),
    );
    if (offerings.length === 0) return [];
    return [{ subject, price, offerings: offerings.map(offeringKey), capacity }];
  });
}

/** Overlays come by falling weight, so whoever spoke last about a thing is the one to compare with. */
function isRepeated({ subject, price, offerings, capacity }: Statement, weight: number): boolean {
  return (
    (price !== undefined && offerings.some((key) => subject.priceWeights.get(key) === weight)) ||
    [...capacity.keys()].some((resource) => subject.capacityWeights.get(resource) === weight)
  );
}

function note({ subject, price, offerings, capacity }: Statement, weight: number): void {
  for (const key of offerings) {
    if (price === undefined) break;
    if (!subject.priceWeights.has(key)) subject.prices.set(key, price);
    subject.priceWeights.set(key, weight);
  }
  for (const [resource, nano] of capacity) {
    if (!subject.capacityWeights.has(resource)) subject.capacity.set(resource, nano);
    subject.capacityWeights.set(resource, weight);
  }
}

function subjectOf(rules: LabelRules, nodePool: NodePool, type: InstanceType): Subject {
  const pool = nodePool.metadata.name;
  return {
    pool,
    type,
    requirements: mergeRequirements(
      requirementsOf([oneOf(label.nodePool, [pool])]),
      requirementsFromLabels(rules, nodePool.spec.template.metadata?.labels),
      type.requirements,
    ),
    prices: new Map(),
    capacity: new Map(),
    priceWeights: new Map(),
    capacityWeights: new Map(),
  };
}

function byWeight(a: NodeOverlay, b: NodeOverlay): number {
  return weightOf(b) - weightOf(a) || (a.metadata.name > b.metadata.name ? -1 : 1);
}

function weightOf({ spec }: NodeOverlay): number {
  return spec.weight ?? 0;
}
