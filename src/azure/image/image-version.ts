// Which version of an image is the newest. In: versions as a gallery or AKS lists them. Out: the newest of each.
// Versions were once year.month.day and are yearmonth.day.build now: segments are numbers, compared from the left, so
// that 202411.12.0 is newer than 2022.12.15. A version that is not made of numbers is never newer than another.

/** One version of an image in a community gallery. */
export interface CommunityImageVersion {
  readonly name: string;
  readonly publishedDate: string;
}

/** One row of the node image versions that AKS lists for a region. */
export interface NodeImageVersionRow {
  /** The gallery. */
  readonly os: string;
  /** The image definition. */
  readonly sku: string;
  readonly version: string;
}

export function isNewerImageVersion(version: string, than: string): boolean {
  const [left, right] = [version.split('.'), than.split('.')];
  for (const [i, segment] of left.entries()) {
    const other = right[i];
    // Equal so far: what is more exact is newer.
    if (other === undefined) return true;
    if (!isNumber(segment) || !isNumber(other)) return false;
    const difference = Number(segment) - Number(other);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** By the date of publication; undefined when there is no version. */
export function newestPublished(versions: readonly CommunityImageVersion[]): string | undefined {
  let newest: { readonly name: string; readonly publishedMs: number } | undefined;
  for (const { name, publishedDate } of versions) {
    const publishedMs = Date.parse(publishedDate);
    if (newest === undefined || publishedMs > newest.publishedMs) newest = { name, publishedMs };
  }
  return newest?.name;
}

/** `gallery/definition` → its newest version. */
export function newestByDefinition(
  rows: readonly NodeImageVersionRow[],
): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const { os, sku, version } of rows) {
    const key = definitionKey(os, sku);
    const known = newest.get(key);
    if (known === undefined || isNewerImageVersion(version, known)) newest.set(key, version);
  }
  return newest;
}

export function definitionKey(gallery: string, definition: string): string {
  return `${gallery}/${definition}`;
}

function isNumber(segment: string): boolean {
  return /^[0-9]+$/.test(segment);
}
