// How the market for spot machines behaves. Without options prices stand still and nobody is evicted but by request.

export interface SpotOptions {
  /** How often prices move; never unless given. */
  readonly intervalMs?: number;
  /** Share of the on-demand price around which spot prices wander; 0.2 unless given. */
  readonly discount?: number;
  /** How far a price moves at a time, as a share of itself; 0.1 unless given. */
  readonly volatility?: number;
  /** How many of a hundred spot machines go within an hour; none unless given. */
  readonly evictedPercentPerHour?: number;
  /** Between the notice and the end; half a minute unless given. */
  readonly noticeMs?: number;
}
