// How long Azure takes. In: the name of an operation. Out: milliseconds, drawn from the range of the first entry that
// matches it. The ranges are what the real service usually shows; a factor of 0 makes everything take no time at all.
import type { Random } from '../../../base/random.ts';
import { wildcard } from '../faults.ts';

export interface LatencyRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/** By operation, `*` for any text; the first match counts. */
export type Latencies = readonly (readonly [operation: string, range: LatencyRange])[];

const second = 1000;

const azureLatencies: Latencies = [
  ['Microsoft.Compute/virtualMachines/extensions/*', { minMs: 5 * second, maxMs: 30 * second }],
  ['Microsoft.Compute/virtualMachines/write', { minMs: 10 * second, maxMs: 60 * second }],
  ['Microsoft.Compute/virtualMachines/delete', { minMs: 15 * second, maxMs: 60 * second }],
  ['Microsoft.Compute/virtualMachines/*', { minMs: 10 * second, maxMs: 40 * second }],
  ['Microsoft.Compute/*', { minMs: 1 * second, maxMs: 5 * second }],
  ['Microsoft.Network/networkInterfaces/*', { minMs: 1 * second, maxMs: 5 * second }],
  ['Microsoft.Network/*', { minMs: 1 * second, maxMs: 8 * second }],
  ['Microsoft.ContainerService/managedClusters/agentPools/*', { minMs: 60_000, maxMs: 120_000 }],
  ['Microsoft.ContainerService/*', { minMs: 120_000, maxMs: 300_000 }],
  ['Microsoft.Resources/subscriptions/resourceGroups/delete', { minMs: 15_000, maxMs: 60_000 }],
  ['*', { minMs: 0, maxMs: 2 * second }],
];

export class LatencySource {
  readonly #random: Random;
  readonly #factor: number;
  readonly #table: readonly { readonly pattern: RegExp; readonly range: LatencyRange }[];

  constructor(options: {
    readonly random: Random;
    readonly latencies?: Latencies | undefined;
    readonly factor?: number | undefined;
  }) {
    this.#random = options.random;
    this.#factor = options.factor ?? 1;
    this.#table = [...(options.latencies ?? []), ...azureLatencies].map(([operation, range]) => ({
      pattern: wildcard(operation),
      range,
    }));
  }

  draw(operation: string): number {
    const range = this.#table.find(({ pattern }) => pattern.test(operation))?.range;
    if (range === undefined) return 0;
    const drawn = range.minMs + this.#random.next() * (range.maxMs - range.minMs);
    return Math.round(drawn * this.#factor);
  }
}
