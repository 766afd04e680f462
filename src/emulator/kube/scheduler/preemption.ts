// Making room for a pod by sending less important ones away. In: a pod that fits nowhere, and why.
// Out: a node with the victims it costs, or a sentence why no node helps.
// 1. A victim always has lower priority. 2. No more go than must: each is given back if the pod still fits.
// 3. Pods whose budget would be broken are given back first; among nodes the least harm wins.
// The cluster state is changed while looking, and is as before on return.
import type { ClusterState } from './cluster-state.ts';
import { check, recount, type Prepared } from './feasibility.ts';
import { describeMisfit } from './fit-message.ts';
import { compileSelector, isEmptySelector } from './label-selector.ts';
import type { NodeState, PlacedPod } from './node-state.ts';
import type { Nominations } from './nominations.ts';
import type { Budget, SchedulingPod } from './objects.ts';
import { refuseForGood, type Refusal, type Verdict } from './verdict.ts';

export interface Candidate {
  readonly node: NodeState;
  /** Most important first. */
  readonly victims: readonly PlacedPod[];
  readonly violations: number;
}

export interface PreemptionContext {
  readonly state: ClusterState;
  readonly nominations: Nominations;
  readonly budgets: Iterable<Budget>;
  readonly nowMs: number;
}

const fewestCandidates = 100;

export function preempt(
  prepared: Prepared,
  pod: SchedulingPod,
  refusals: ReadonlyMap<string, Refusal>,
  context: PreemptionContext,
): Candidate | string {
  const ineligible = whyNotEligible(pod, prepared, refusals, context.state);
  if (ineligible !== undefined) return `preemption: ${ineligible}`;
  const helpful = context.state.nodes.filter((node) => refusals.get(node.name)?.final === false);
  const wanted = Math.max(fewestCandidates, Math.floor(helpful.length / 10));
  const candidates: Candidate[] = [];
  const perNode = new Map<string, Refusal>();
  for (const node of helpful) {
    if (candidates.length >= wanted) break;
    const found = tryNode(prepared, pod, node, context);
    if ('victims' in found) candidates.push(found);
    else perNode.set(node.name, found);
  }
  const best = candidates.toSorted((a, b) => compareHarm(a, b, context.nowMs))[0];
  if (best !== undefined) return best;
  const unasked = 'Preemption is not helpful for scheduling';
  const nodeCount = context.state.nodes.length;
  return `preemption: ${describeMisfit({ nodeCount, perNode, unasked })}`;
}

function whyNotEligible(
  pod: SchedulingPod,
  { shape }: Prepared,
  refusals: ReadonlyMap<string, Refusal>,
  state: ClusterState,
): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.status?.nominatedNodeName ?? '';
  if (nominated === '' || refusals.get(nominated)?.final === true) return undefined;
  const leaving = [...(state.node(nominated)?.pods.values() ?? [])].some(
    (other) => other.shape.priority < shape.priority && isPreempted(other.pod),
  );
  return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function isPreempted({ metadata, status }: SchedulingPod): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  return (
    status?.conditions?.some(
      ({ type, status, reason }) =>
        type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
    ) === true
  );
}

function tryNode(
  prepared: Prepared,
  pod: SchedulingPod,
  node: NodeState,
  context: PreemptionContext,
): Candidate | Refusal {
  const { state, nowMs } = context;
  const lower = [...node.pods.values()]
    .filter((other) => other.shape.priority < prepared.shape.priority)
    .toSorted((a, b) => compareImportance(a, b, nowMs));
  if (lower.length === 0) return refuseForGood('No preemption victims found for incoming pod');
  const victims = new Set(lower);
  const fits = (): Verdict => checkWithPromises(recount(prepared, state), pod, node, context);
  for (const { uid } of lower) state.unplace(uid);
  const refusal = fits();
  if (refusal !== undefined) {
    for (const placed of lower) state.restore(placed, node.name);
    return refusal;
  }
  const violating = violatesBudget(lower, context.budgets);
  const byHarm = [
    ...lower.filter((placed) => violating.has(placed)),
    ...lower.filter((placed) => !violating.has(placed)),
  ];
  for (const placed of byHarm) {
    state.restore(placed, node.name);
    if (fits() === undefined) victims.delete(placed);
    else state.unplace(placed.uid);
  }
  for (const placed of victims) state.restore(placed, node.name);
  const violations = [...victims].filter((placed) => violating.has(placed)).length;
  return { node, victims: [...victims], violations };
}

/** With pods that were promised the node counted as if they were there, and also without them. */
export function checkWithPromises(
  prepared: Prepared,
  pod: SchedulingPod,
  node: NodeState,
  context: Pick<PreemptionContext, 'state' | 'nominations'>,
): Verdict {
  const { state, nominations } = context;
  const uid = pod.metadata.uid ?? '';
  const promised = nominations.toRespect(node.name, uid, prepared.shape.priority);
  if (promised.length > 0) {
    for (const other of promised) state.restore(other, node.name);
    const verdict = check(recount(prepared, state), node, state);
    for (const other of promised) state.unplace(other.uid);
    if (verdict !== undefined) return verdict;
  }
  return check(prepared, node, state);
}

/** The pods, in this order, whose leaving would exceed what their budgets still allow. */
function violatesBudget(
  pods: readonly PlacedPod[],
  budgets: Iterable<Budget>,
): ReadonlySet<PlacedPod> {
  const violating = new Set<PlacedPod>();
  for (const budget of budgets) {
    const covered = pods.filter((placed) => isCovered(placed, budget));
    const allowed = Math.max(0, budget.status?.disruptionsAllowed ?? 0);
    for (const placed of covered.slice(allowed)) violating.add(placed);
  }
  return violating;
}

/** An eviction that the budget has counted already does not count again. */
function isCovered({ pod }: PlacedPod, { metadata, spec, status }: Budget): boolean {
  const { namespace, name, labels } = pod.metadata;
  if (namespace !== metadata.namespace || labels === undefined) return false;
  if (status?.disruptedPods?.[name] !== undefined) return false;
  return !isEmptySelector(spec.selector) && compileSelector(spec.selector)(labels);
}

function compareImportance(a: PlacedPod, b: PlacedPod, nowMs: number): number {
  return b.shape.priority - a.shape.priority || startMs(a, nowMs) - startMs(b, nowMs);
}

function compareHarm(a: Candidate, b: Candidate, nowMs: number): number {
  const sum = ({ victims }: Candidate): number =>
    victims.reduce((total, { shape }) => total + shape.priority + 2 ** 31, 0);
  const highest = ({ victims }: Candidate): number => victims[0]?.shape.priority ?? 0;
  // A node that could do with nobody leaving was free all along.
  if (a.victims.length === 0 || b.victims.length === 0) return a.victims.length - b.victims.length;
  return (
    a.violations - b.violations ||
    highest(a) - highest(b) ||
    sum(a) - sum(b) ||
    a.victims.length - b.victims.length ||
    earliestMs(b, nowMs) - earliestMs(a, nowMs)
  );
}

/** When the first of the most important victims started. */
function earliestMs({ victims }: Candidate, nowMs: number): number {
  const highest = victims[0]?.shape.priority;
  return victims
    .filter(({ shape }) => shape.priority === highest)
    .reduce((earliest, placed) => Math.min(earliest, startMs(placed, nowMs)), Infinity);
}

function startMs({ pod }: PlacedPod, nowMs: number): number {
  return pod.status?.startTime === undefined ? nowMs : Date.parse(pod.status.startTime);
}
