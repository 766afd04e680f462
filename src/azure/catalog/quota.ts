// How many vCPUs the subscription may still use in the region. In: Azure's usage figures every few minutes, and our own
// launches at once. Out: whether a machine of a size still fits, and a generation that rises when an answer may differ.
// 1. A launch counts from the moment it is decided: Azure's figures show it only after the machine exists.
// 2. A launch counts until figures arrive that were asked for well after it ended, or until it is given up.
// 3. What is not known does not stop anyone: no figures, no row for a family, no limit in it.
// 4. Figures too old to be trusted are dropped; the next refusal will tell.
import { capacityType } from '../../api/labels.ts';
import type { Clock } from '../../base/clock.ts';
import type { CapacityType } from './quote.ts';

export interface ComputeUsage {
  readonly name?: { readonly value?: string };
  readonly currentValue?: number;
  readonly limit?: number;
}

/** The usages of one region, page by page. */
export interface UsageSource {
  list(signal: AbortSignal): AsyncIterable<readonly ComputeUsage[]>;
}

/** A launch under way. Both ends may be called once or more; the first counts. */
export interface QuotaReservation {
  /** The machine exists. */
  settle(): void;
  /** There will be no machine. */
  release(): void;
}

export interface QuotaSize {
  readonly family: string | undefined;
  readonly vcpus: number;
}

export const quotaRefreshMs = 10 * 60 * 1000;

const staleMs = 15 * 60 * 1000;
/** Usage figures run behind the machines that they count. */
const usageLagMs = 60 * 1000;

const regionalPool = 'cores';
const spotPool = 'lowPriorityCores';

interface Launch {
  readonly pools: readonly string[];
  readonly vcpus: number;
  settledMs: number | undefined;
}

export class QuotaBook {
  readonly #clock: Clock;
  readonly #source: UsageSource;
  readonly #launches = new Set<Launch>();
  #remaining: ReadonlyMap<string, number> = new Map();
  #freshMs: number;
  #generation = 0;

  constructor(options: { readonly clock: Clock; readonly source: UsageSource }) {
    this.#clock = options.clock;
    this.#source = options.source;
    this.#freshMs = options.clock.monotonic();
  }

  get generation(): number {
    return this.#generation;
  }

  hasRoom(size: QuotaSize, type: CapacityType): boolean {
    return poolsOf(size, type).every((pool) => {
      const remaining = this.#remaining.get(pool);
      return remaining === undefined || size.vcpus <= remaining - this.#inFlight(pool);
    });
  }

  reserve(size: QuotaSize, type: CapacityType): QuotaReservation {
    const launch: Launch = { pools: poolsOf(size, type), vcpus: size.vcpus, settledMs: undefined };
    this.#launches.add(launch);
    this.#generation++;
    return {
      settle: () => {
        launch.settledMs ??= this.#clock.monotonic();
      },
      release: () => {
        if (launch.settledMs === undefined && this.#launches.delete(launch)) this.#generation++;
      },
    };
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const askedMs = this.#clock.monotonic();
    try {
      this.#replace(await readRemaining(this.#source, signal), askedMs);
    } catch (error) {
      this.#dropIfStale();
      throw error;
    }
  }

  #replace(remaining: ReadonlyMap<string, number>, askedMs: number): void {
    this.#freshMs = this.#clock.monotonic();
    let changed = !isEqual(remaining, this.#remaining);
    this.#remaining = remaining;
    for (const launch of this.#launches) {
      if (launch.settledMs === undefined || launch.settledMs + usageLagMs > askedMs) continue;
      this.#launches.delete(launch);
      changed = true;
    }
    if (changed) this.#generation++;
  }

  #dropIfStale(): void {
    if (this.#remaining.size === 0 || this.#clock.monotonic() - this.#freshMs <= staleMs) return;
    this.#remaining = new Map();
    this.#generation++;
  }

  #inFlight(pool: string): number {
    let vcpus = 0;
    for (const launch of this.#launches) if (launch.pools.includes(pool)) vcpus += launch.vcpus;
    return vcpus;
  }
}

/** Spot machines share one pool of the region; others count in their family and in the region's total. */
function poolsOf({ family }: QuotaSize, type: CapacityType): string[] {
  if (type === capacityType.spot) return [spotPool];
  return family === undefined ? [regionalPool] : [family, regionalPool];
}

async function readRemaining(
  source: UsageSource,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const remaining = new Map<string, number>();
  for await (const page of source.list(signal)) {
    for (const { name, limit, currentValue } of page) {
      if (name?.value === undefined || limit === undefined || currentValue === undefined) continue;
      remaining.set(name.value, limit - currentValue);
    }
  }
  return remaining;
}

function isEqual(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([pool, vcpus]) => b.get(pool) === vcpus);
}
