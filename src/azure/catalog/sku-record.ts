// One row of Azure's Resource SKUs list, as it is on the wire, and how it is read. In: a row. Out: capabilities by
// name, zones of a region, restrictions. Anything may be absent; names and places are compared as Azure means them:
// whatever their case, and places also without their blanks.

export interface SkuCapability {
  readonly name?: string;
  readonly value?: string;
}

export interface SkuRecord {
  readonly name?: string;
  /** The name without its tier. */
  readonly size?: string;
  /** The key of its quota. */
  readonly family?: string;
  readonly resourceType?: string;
  readonly capabilities?: readonly SkuCapability[];
  readonly locationInfo?: readonly {
    readonly location?: string;
    readonly zones?: readonly string[];
    readonly zoneDetails?: readonly {
      readonly name?: readonly string[];
      readonly capabilities?: readonly SkuCapability[];
    }[];
  }[];
  readonly restrictions?: readonly SkuRestriction[];
}

export interface SkuRestriction {
  readonly type?: string;
  readonly values?: readonly string[];
  readonly restrictionInfo?: {
    readonly locations?: readonly string[];
    readonly zones?: readonly string[];
  };
}

/** Where the rows of one region come from, page by page. */
export interface SkuSource {
  list(signal: AbortSignal): AsyncIterable<readonly SkuRecord[]>;
}

/** Capabilities by name in lower case. */
export type Capabilities = ReadonlyMap<string, string>;

export function capabilitiesOf(list: readonly SkuCapability[] | undefined): Capabilities {
  const capabilities = new Map<string, string>();
  for (const { name, value } of list ?? []) {
    if (name !== undefined && value !== undefined) capabilities.set(name.toLowerCase(), value);
  }
  return capabilities;
}

export function isCapable(capabilities: Capabilities, name: string): boolean {
  return capabilities.get(name.toLowerCase())?.toLowerCase() === 'true';
}

/** Undefined when it is absent or no number. */
export function numberOf(capabilities: Capabilities, name: string): number | undefined {
  const text = capabilities.get(name.toLowerCase());
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

export function isSameLocation(a: string | undefined, b: string): boolean {
  return a !== undefined && normalLocation(a) === normalLocation(b);
}

export function isClosedIn(record: SkuRecord, region: string): boolean {
  return restrictions(record, 'location').some((restriction) =>
    placesOf(restriction).some((place) => isSameLocation(place, region)),
  );
}

/** ARM's numbers of the zones in which the size can be had, in order. */
export function zonesOf(record: SkuRecord, region: string): string[] {
  const closed = new Set(
    restrictions(record, 'zone')
      .filter((restriction) => {
        const places = placesOf(restriction);
        return places.length === 0 || places.some((place) => isSameLocation(place, region));
      })
      .flatMap(({ restrictionInfo }) => restrictionInfo?.zones ?? []),
  );
  const offered = locationsOf(record, region).flatMap(({ zones }) => zones ?? []);
  return [...new Set(offered)].filter((zone) => !closed.has(zone)).toSorted();
}

/** Zones with a capability of their own; what the whole region has says nothing about a zone. */
export function zonesCapableOf(record: SkuRecord, region: string, name: string): Set<string> {
  return new Set(
    locationsOf(record, region)
      .flatMap(({ zoneDetails }) => zoneDetails ?? [])
      .filter(({ capabilities }) => isCapable(capabilitiesOf(capabilities), name))
      .flatMap((detail) => detail.name ?? []),
  );
}

function locationsOf(record: SkuRecord, region: string) {
  return (record.locationInfo ?? []).filter(({ location }) => isSameLocation(location, region));
}

/** Older answers name the places only among the values. */
function placesOf({ values = [], restrictionInfo }: SkuRestriction): string[] {
  return [...values, ...(restrictionInfo?.locations ?? [])];
}

function restrictions(record: SkuRecord, type: string) {
  return (record.restrictions ?? []).filter(
    (restriction) => restriction.type?.toLowerCase() === type,
  );
}

function normalLocation(location: string): string {
  return location.replaceAll(' ', '').toLowerCase();
}
