// What a StatefulSet does next. In: which ordinals are wanted, and the pods there are. Out: the next actions. Pure.
// 1. In order: an ordinal is made only after all lower ones run and are ready, removed only after all higher ones
//    are gone, and updated from the highest down, one at a time.
// 2. In parallel: all are made and removed at once; updates still go one by one.
// 3. Ordinals below the partition keep the revision they had.

export interface OrdinalPod {
  readonly ordinal: number;
  readonly revision: string;
  /** Running, ready for long enough, and not on its way out. */
  readonly isAvailable: boolean;
  readonly isTerminating: boolean;
  /** Succeeded or Failed: to be replaced. */
  readonly hasEnded: boolean;
}

export interface SetPlan {
  readonly create: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly remove: readonly number[];
}

export interface SetState {
  readonly start: number;
  readonly replicas: number;
  readonly isParallel: boolean;
  readonly updatesPods: boolean;
  readonly partition: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly pods: readonly OrdinalPod[];
}

const nothing: SetPlan = { create: [], remove: [] };

export function planSet(state: SetState): SetPlan {
  const byOrdinal = new Map(state.pods.map((pod) => [pod.ordinal, pod]));
  const wanted = Array.from({ length: state.replicas }, (_, i) => state.start + i);
  const building = build(state, byOrdinal, wanted);
  if (building !== undefined) return building;
  const shrinking = shrink(state, byOrdinal, wanted);
  return shrinking ?? update(state, byOrdinal, wanted);
}

/** The revision that a fresh pod of this ordinal gets. */
export function revisionFor(state: SetState, ordinal: number): string {
  if (state.currentRevision === state.updateRevision) return state.updateRevision;
  const isHeldBack = state.updatesPods && ordinal < state.start + state.partition;
  if (isHeldBack) return state.currentRevision;
  return state.updatesPods ? state.updateRevision : state.currentRevision;
}

function build(
  state: SetState,
  byOrdinal: ReadonlyMap<number, OrdinalPod>,
  wanted: readonly number[],
): SetPlan | undefined {
  const create: { ordinal: number; revision: string }[] = [];
  const remove: number[] = [];
  for (const ordinal of wanted) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) create.push({ ordinal, revision: revisionFor(state, ordinal) });
    else if (pod.hasEnded && !pod.isTerminating) remove.push(ordinal);
    else if (pod.isAvailable) continue;
    // In order, everything above waits for this one.
    if (!state.isParallel) return { create, remove };
  }
  return create.length + remove.length > 0 ? { create, remove } : undefined;
}

function shrink(
  state: SetState,
  byOrdinal: ReadonlyMap<number, OrdinalPod>,
  wanted: readonly number[],
): SetPlan | undefined {
  const surplus = [...byOrdinal.keys()]
    .filter((ordinal) => !wanted.includes(ordinal))
    .toSorted((a, b) => b - a);
  if (surplus.length === 0) return undefined;
  const leaving = surplus.filter((ordinal) => byOrdinal.get(ordinal)?.isTerminating !== true);
  if (state.isParallel) return { create: [], remove: leaving };
  return leaving.length < surplus.length ? nothing : { create: [], remove: leaving.slice(0, 1) };
}

function update(
  state: SetState,
  byOrdinal: ReadonlyMap<number, OrdinalPod>,
  wanted: readonly number[],
): SetPlan {
  if (!state.updatesPods) return nothing;
  const eligible = wanted.filter((ordinal) => ordinal >= state.start + state.partition);
  for (const ordinal of eligible.toReversed()) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined || pod.isTerminating) return nothing;
    if (pod.revision !== state.updateRevision) return { create: [], remove: [ordinal] };
    // The last one replaced must be well before the next goes.
    if (!pod.isAvailable) return nothing;
  }
  return nothing;
}
