// On-demand prices that are known without asking anyone. In: data/on-demand-prices.json, which
// tools/generate-azure-data.ts wrote. Out: the prices of a region on the day of the facts, and which sizes are
// established: of any other nobody has seen an AKS node yet, so it must not win by its price.
import table from './data/on-demand-prices.json' with { type: 'json' };

/** Where prices are taken from for a region that the table does not have: the order among sizes is much the same. */
const defaultRegion = 'eastus';

export const fallbackPricesAsOf = table.asOf;

const knownSizes: ReadonlySet<string> = new Set(Object.keys(table.known));

export function isKnownSize(name: string): boolean {
  return knownSizes.has(name);
}

export function fallbackPrices(region: string): ReadonlyMap<string, number> {
  const regions = table.regions.split(',');
  const named = regions.indexOf(region.toLowerCase());
  const column = named < 0 ? regions.indexOf(defaultRegion) : named;
  const prices = new Map<string, number>();
  for (const [name, row] of [...Object.entries(table.known), ...Object.entries(table.others)]) {
    const text = row.split(',')[column] ?? '';
    if (text !== '') prices.set(name, Number(text));
  }
  return prices;
}
