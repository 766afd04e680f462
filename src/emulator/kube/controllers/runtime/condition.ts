// Conditions of a status. In: the list as it is and what is now true. Out: the list as it should be.
// The time of a transition changes only when the status does; a condition that says the same again is kept as it is.
import { toTimestamp } from '../../../../base/clock.ts';

export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string | null;
  readonly observedGeneration?: number;
};

export function findCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

export function withCondition(
  conditions: readonly Condition[] | undefined,
  wanted: Condition,
  nowMs: number,
): readonly Condition[] {
  const known = findCondition(conditions, wanted.type);
  const says = (condition: Condition): string =>
    JSON.stringify([condition.status, condition.reason, condition.message]);
  if (known !== undefined && says(known) === says(wanted)) return conditions ?? [];
  const since = known?.status === wanted.status ? known.lastTransitionTime : undefined;
  const fresh = { ...wanted, lastTransitionTime: since ?? toTimestamp(nowMs) };
  if (known === undefined) return [...(conditions ?? []), fresh];
  return (conditions ?? []).map((condition) => (condition === known ? fresh : condition));
}
