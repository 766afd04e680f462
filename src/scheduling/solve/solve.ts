// Places pods. In: a session and pods by shape. Out: the session with every pod placed that could be, and how many of
// each shape were not. Existing nodes come first, then claims of this solve, then a new claim of the heaviest pool.
// 1. Shapes are taken largest first; pods that stand for spare capacity come after all others.
// 2. A pod gives way one step at a time, only when nothing takes it as it is.
// 3. A shape that fails is tried again as long as others make progress: it may need company that comes later.
// 4. When `stop` says so, what was placed stays and the rest is left over.
import type { Pod } from '../../api/core.ts';
import { BitSet } from '../../base/bitset.ts';
import { nodesPerBlock } from '../compile/node-table.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { TopologyGroup } from '../topology/group.ts';
import { openClaim, placeOnClaim, type Pods } from './on-claim.ts';
import { placeOnNode } from './on-node.ts';
import type { Session } from './session.ts';

export interface Leftovers {
  /** Shape → pods of it that were not placed. */
  readonly unplaced: ReadonlyMap<PodShape, number>;
  readonly stopped: boolean;
}

export function placeAll(
  session: Session,
  pending: ReadonlyMap<PodShape, readonly Pod[]>,
  stop: () => boolean = () => false,
): Leftovers {
  const waiting = [...pending]
    .map(([shape, pods]) => ({ shape, count: pods.length, text: podOrder(pods) }))
    .toSorted(bySize);
  const skips = new Skips(session.compiled.nodes.nodes.length);
  const run: Run = { session, skips, stop, companies: companiesAmong(waiting) };
  const leftovers = placeInRounds(run, waiting);
  useReservations(session);
  return leftovers;
}

function placeInRounds(run: Run, waiting: readonly Entry[]): Leftovers {
  const { stop } = run;
  for (let before = Infinity; total(waiting) < before;) {
    before = total(waiting);
    for (const entry of waiting) {
      if (stop()) return { unplaced: leftover(waiting), stopped: true };
      placeShape(run, entry);
    }
  }
  const unplaced = leftover(waiting);
  // It may have been in the middle of the last shape that time ran out.
  return { unplaced, stopped: unplaced.size > 0 && stop() };
}

/** Bins that will not take a form of a shape any more, whatever happens in this solve. */
class Skips {
  readonly #nodes = new Map<number, BitSet>();
  readonly #claims = new Map<number, Set<number>>();
  readonly #nodeCount: number;

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  nodes(variant: PodVariant): BitSet {
    let closed = this.#nodes.get(variant.index);
    if (closed === undefined) {
      closed = new BitSet(this.#nodeCount);
      this.#nodes.set(variant.index, closed);
    }
    return closed;
  }

  claims(variant: PodVariant): Set<number> {
    let closed = this.#claims.get(variant.index);
    if (closed === undefined) {
      closed = new Set();
      this.#claims.set(variant.index, closed);
    }
    return closed;
  }
}

/** A claim that holds reservations is launched with one of them. */
function useReservations({ claims, reservations, compiled }: Session): void {
  if (reservations === undefined) return;
  const { states, catalog } = compiled;
  for (const claim of claims) {
    const held = reservations.heldBy(claim.bin);
    if (held.size === 0) continue;
    claim.state = states.join(claim.state, states.intern(catalog.reservedRequirements(held)));
  }
}

interface Run {
  readonly session: Session;
  readonly skips: Skips;
  readonly stop: () => boolean;
  /** Who must share a host with whom, by the rule that says so. */
  readonly companies: ReadonlyMap<TopologyGroup, readonly Entry[]>;
}

function placeShape(run: Run, entry: Entry): void {
  if (entry.shape.failure !== undefined) return;
  while (entry.count > 0 && !run.stop()) {
    if (!placeSome(run, entry)) return;
  }
}

/** Places at least one, giving way as far as needed, or none. */
function placeSome(run: Run, entry: Entry): boolean {
  const { shape } = entry;
  run.session.deferred.delete(shape);
  const { keptAwayBy } = run.session.compiled.memberships.of(shape);
  for (const variant of shape.variants) {
    const isFree = variant.owned.length === 0 && keptAwayBy.length === 0;
    const pods: Pods = { shape, variant, most: entry.count, isFree };
    if ((!isFree && placeCompany(run, entry, pods)) || placeOne(run, entry, pods)) return true;
    // What waits for capacity bought in advance neither gives way nor goes to a lighter pool.
    if (run.session.deferred.has(shape)) return false;
  }
  return false;
}

function placeOne(run: Run, entry: Entry, pods: Pods): boolean {
  const placed = placeAnywhere(run, pods);
  entry.count -= placed;
  return placed > 0;
}

function placeAnywhere(run: Run, pods: Pods): number {
  return onNodes(run, pods) || onClaims(run, pods) || onNewClaim(run, pods);
}

/**
 * The first of pods that must share a host decides for all of them, so it looks for a host with room for the whole
 * company, and the others follow at once, before anybody else takes the room. False when this is no such first pod.
 */
function placeCompany(run: Run, entry: Entry, pods: Pods): boolean {
  const { session } = run;
  const { countedBy } = session.compiled.memberships.of(entry.shape);
  const group = pods.variant.owned.find(
    (rule) =>
      rule.isHostname &&
      rule.kind === 'affinity' &&
      session.counts.total(rule) === 0 &&
      countedBy.has(rule),
  );
  if (group === undefined) return false;
  const members = run.companies.get(group) ?? [];
  const company = new Float64Array(entry.shape.requests.length);
  for (const { shape, count } of members) {
    for (let column = 0; column < company.length; column++) {
      company[column] = (company[column] as number) + count * (shape.requests[column] as number);
    }
  }
  if (!placeOne(run, entry, { ...pods, company })) return false;
  for (const member of members) placeShape(run, member);
  return true;
}

function companiesAmong(waiting: readonly Entry[]): Map<TopologyGroup, Entry[]> {
  const companies = new Map<TopologyGroup, Entry[]>();
  for (const entry of waiting) {
    for (const group of entry.shape.variants[0]?.owned ?? []) {
      if (!group.isHostname || group.kind !== 'affinity') continue;
      const company = companies.get(group);
      if (company === undefined) companies.set(group, [entry]);
      else company.push(entry);
    }
  }
  return companies;
}

function onNodes({ session, skips }: Run, pods: Pods): number {
  const closed = skips.nodes(pods.variant);
  const { nodes } = session.compiled.nodes;
  for (let node = 0; node < nodes.length; node++) {
    // In a full cluster hardly any node has room, and most of a question would be spent on finding that out.
    if (node % nodesPerBlock === 0 && !session.mayHoldOne(node, pods.shape.requests)) {
      node += nodesPerBlock - 1;
      continue;
    }
    if (closed.has(node)) continue;
    const outcome = session.takesPods(node) ? placeOnNode(session, node, pods) : 'never';
    if (typeof outcome === 'number') return outcome;
    if (outcome === 'never' && pods.company === undefined) closed.add(node);
  }
  return 0;
}

function onClaims({ session, skips }: Run, pods: Pods): number {
  const closed = skips.claims(pods.variant);
  for (const claim of session.claims) {
    if (closed.has(claim.bin)) continue;
    const outcome = placeOnClaim(session, claim, pods);
    if (outcome === 'never' && pods.company === undefined) closed.add(claim.bin);
    else if (typeof outcome === 'number') return outcome;
  }
  return 0;
}

function onNewClaim({ session }: Run, pods: Pods): number {
  for (const template of session.compiled.templates) {
    const claim = openClaim(session, template, pods);
    if (claim === 'deferred') {
      session.deferred.add(pods.shape);
      return 0;
    }
    if (claim !== undefined) return claim.loads[0]?.count ?? 0;
  }
  return 0;
}

/** Pods of a shape that wait. */
interface Entry {
  readonly shape: PodShape;
  count: number;
  readonly text: string;
}

function podOrder([oldest]: readonly Pod[]): string {
  return `${oldest?.metadata.creationTimestamp ?? ''} ${oldest?.metadata.uid ?? ''}`;
}

function bySize(a: Entry, b: Entry): number {
  const [x, y] = [a.shape, b.shape];
  return (
    Number(x.isVirtual) - Number(y.isVirtual) ||
    (y.requests[0] ?? 0) - (x.requests[0] ?? 0) ||
    (y.requests[1] ?? 0) - (x.requests[1] ?? 0) ||
    (a.text < b.text ? -1 : 1)
  );
}

function total(queue: readonly Entry[]): number {
  return queue.reduce((sum, { count }) => sum + count, 0);
}

function leftover(queue: readonly Entry[]): Map<PodShape, number> {
  return new Map(queue.filter(({ count }) => count > 0).map(({ shape, count }) => [shape, count]));
}
