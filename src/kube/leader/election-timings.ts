// The three durations of a leader election, and what must hold between them. In: timings. Out: nothing, or an
// error that names the rule that is broken.
import { CodedError } from '../../base/errors.ts';

export interface ElectionTimings {
  /** How long a Lease that does not change keeps others away. */
  readonly leaseDurationMs: number;
  /** How long the leader goes on without a successful renewal. */
  readonly renewDeadlineMs: number;
  /** Between two tries to acquire or renew. */
  readonly retryPeriodMs: number;
}

export const defaultElectionTimings: ElectionTimings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** Candidates wait up to this share longer than the retry period, so that they do not run in step. */
export const retryJitter = 1.2;

export function checkElectionTimings(timings: ElectionTimings): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  const rules: readonly (readonly [string, boolean])[] = [
    ['leaseDurationMs must be greater than renewDeadlineMs', leaseDurationMs > renewDeadlineMs],
    [
      `renewDeadlineMs must be greater than ${retryJitter} times retryPeriodMs`,
      renewDeadlineMs > retryPeriodMs * retryJitter,
    ],
    ['retryPeriodMs must be at least 1', retryPeriodMs >= 1],
  ];
  for (const [rule, holds] of rules) {
    if (!holds) throw new CodedError('InvalidElectionTimings', rule, { fields: { ...timings } });
  }
}
