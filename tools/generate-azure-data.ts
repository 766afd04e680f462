// node tools/generate-azure-data.ts FACTS LOCATIONS
// Turns collected facts about Azure into the files that the product carries. In: FACTS, a directory with vm-sizes.json
// and prices-ondemand.json, and LOCATIONS, an answer of Azure's list of locations; none is part of this repository.
// Out: the on-demand prices that serve when the price service cannot be asked, and what the emulated Azure sells where
// and for how much; the same bytes for the same facts.
// A row is one string, so that a formatter leaves it alone and a change of one size is a change of one line.
// Of a size whose facts are not complete the emulator cannot answer truthfully, so it is left out. What no public
// document states per size is filled in by series-wide rules (`assumed`), and recorded answers overrule those.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const pricesFile = 'src/azure/catalog/data/on-demand-prices.json';
const sizesFile = 'src/emulator/azure/data/vm-sizes.json';
const sizePricesFile = 'src/emulator/azure/data/vm-prices.json';
const regionsFile = 'src/emulator/azure/data/regions.json';

interface Size {
  readonly name: string;
  readonly family?: string;
  readonly version?: number;
  readonly vcpus?: number;
  readonly memGiB?: number;
  readonly arch?: 'amd64' | 'arm64';
  readonly gpus?: number;
  readonly hyperV?: readonly (1 | 2)[];
  readonly maxDataDisks?: number;
  readonly maxNics?: number;
  readonly tempDiskMiB?: number;
  readonly nvmeDiskMiB?: number;
  readonly cacheDiskBytes?: number;
  readonly premiumStorage?: boolean;
  readonly acceleratedNetworking?: boolean;
  readonly ephemeralOsDisk?: boolean;
  readonly ephemeralPlacements?: readonly Placement[];
  readonly encryptionAtHost?: boolean;
  readonly spotCapable?: boolean;
  readonly trustedLaunchDisabled?: boolean;
  readonly unknownToUpstream?: boolean;
  readonly src: readonly string[];
}

type Placement = 'ResourceDisk' | 'CacheDisk' | 'NvmeDisk';

interface SizesDocument {
  readonly regionsWithZones: Readonly<Record<string, readonly string[]>>;
  readonly sizes: readonly Size[];
}

interface PricesDocument {
  readonly asOf: string;
  readonly currency: string;
  readonly regions: readonly string[];
  readonly sizes: readonly string[];
  /** By region, then by size. */
  readonly price: readonly (readonly (number | null)[])[];
}

interface Location {
  readonly name: string;
  readonly displayName: string;
  readonly metadata: {
    readonly regionType: string;
    readonly geography?: string;
    readonly geographyGroup?: string;
    readonly pairedRegion?: readonly { readonly name: string }[];
  };
}

const [directory, locationsFile] = process.argv.slice(2);
if (directory === undefined || locationsFile === undefined) {
  console.error('usage: node tools/generate-azure-data.ts FACTS LOCATIONS');
  process.exit(2);
}
const sizes = await read<SizesDocument>(join(directory, 'vm-sizes.json'));
const prices = await read<PricesDocument>(join(directory, 'prices-ondemand.json'));
const locations = await read<{ readonly value: readonly Location[] }>(locationsFile);
const complete = new Map(sizes.sizes.filter(isComplete).map((size) => [size.name, size]));

await write(pricesFile, priceTable());
await write(sizesFile, {
  columns:
    'family,vCpus,memoryGiB,generations,maxDataDisks,maxNics,traits,tempDiskMiB,nvmeDiskMiB,cacheDiskBytes,gpus',
  sizes: table([...complete.keys()], (name) => sizeRow(complete.get(name) as CompleteSize)),
});
await write(sizePricesFile, {
  asOf: prices.asOf,
  regions: prices.regions.join(),
  sizes: table([...complete.keys()], priceRow),
});
await write(regionsFile, {
  columns: 'displayName,geography,geographyGroup,pairedRegion,zones',
  regions: regionTable(),
});

/** Rows of sizes that are established on AKS, priced or not, apart from those that are merely priced. */
function priceTable(): object {
  const known = sizes.sizes.filter((size) => size.unknownToUpstream !== true);
  const others = sizes.sizes.filter((size) => size.unknownToUpstream === true);
  const names = (list: readonly Size[]) => list.map(({ name }) => name);
  return {
    asOf: prices.asOf,
    currency: prices.currency,
    regions: prices.regions.join(),
    known: table(names(known), priceRow),
    others: table(
      names(others).filter((name) => priceRow(name) !== ''),
      priceRow,
    ),
  };
}

/** By region, in the order of the table's regions; nothing where there is no meter. */
function priceRow(name: string): string {
  const column = prices.sizes.indexOf(name);
  if (column < 0) return '';
  return prices.price.map((region) => short(region[column] ?? undefined)).join();
}

function regionTable(): Record<string, string> {
  const physical = new Map(
    locations.value
      .filter(
        ({ name, metadata }) => metadata.regionType === 'Physical' && prices.regions.includes(name),
      )
      .map((location) => [location.name, location]),
  );
  return table([...physical.keys()], (name) => {
    const { displayName, metadata } = physical.get(name) as Location;
    const { geography = '', geographyGroup = '', pairedRegion = [] } = metadata;
    const zones = (sizes.regionsWithZones[name] ?? []).join(' ');
    return [displayName, geography, geographyGroup, pairedRegion[0]?.name ?? '', zones].join();
  });
}

type Needed =
  | 'family'
  | 'vcpus'
  | 'memGiB'
  | 'arch'
  | 'hyperV'
  | 'maxDataDisks'
  | 'maxNics'
  | 'premiumStorage'
  | 'acceleratedNetworking';
type CompleteSize = Size & Required<Pick<Size, Needed>>;

function isComplete(size: Size): size is CompleteSize {
  const needed: readonly Needed[] = [
    'family',
    'vcpus',
    'memGiB',
    'arch',
    'hyperV',
    'maxDataDisks',
    'maxNics',
    'premiumStorage',
    'acceleratedNetworking',
  ];
  return needed.every((key) => size[key] !== undefined);
}

function sizeRow(size: CompleteSize): string {
  return [
    size.family,
    size.vcpus,
    size.memGiB,
    size.hyperV.join(''),
    size.maxDataDisks,
    size.maxNics,
    traits(size),
    size.tempDiskMiB,
    size.nvmeDiskMiB,
    size.cacheDiskBytes,
    size.gpus,
  ]
    .map((value) => value ?? '')
    .join()
    .replace(/,+$/, '');
}

/** One letter per trait; the reader beside the file says which is which. */
function traits(size: CompleteSize): string {
  const { encryptionAtHost, spotCapable, trustedLaunchDisabled } = { ...assumed(size), ...size };
  const placements = ephemeralPlacements(size);
  const letters: readonly (readonly [string, boolean | undefined])[] = [
    ['A', size.arch === 'arm64'],
    ['P', size.premiumStorage],
    ['N', size.acceleratedNetworking],
    ['H', encryptionAtHost],
    ['S', spotCapable],
    ['D', trustedLaunchDisabled],
    ['r', placements.includes('ResourceDisk')],
    ['c', placements.includes('CacheDisk')],
    ['v', placements.includes('NvmeDisk')],
  ];
  return letters
    .filter(([, has]) => has)
    .map(([letter]) => letter)
    .join('');
}

/** Burstable sizes are not sold as spot; host encryption came with the sizes that have premium storage or version 5. */
function assumed(size: CompleteSize): Partial<Size> {
  return {
    spotCapable: !/^Standard_B\d/.test(size.name),
    encryptionAtHost: size.premiumStorage || (size.version ?? 1) >= 5,
    trustedLaunchDisabled: size.arch === 'arm64' && (size.version ?? 1) < 6,
  };
}

/** Where an ephemeral OS disk may lie. A size said to support one but with no disk to hold it supports none. */
function ephemeralPlacements(size: CompleteSize): readonly Placement[] {
  if (size.ephemeralOsDisk !== true) return [];
  if (size.ephemeralPlacements !== undefined) return size.ephemeralPlacements;
  if (size.tempDiskMiB !== undefined) return ['ResourceDisk'];
  return size.nvmeDiskMiB === undefined ? [] : ['NvmeDisk'];
}

function table(names: readonly string[], row: (name: string) => string): Record<string, string> {
  return Object.fromEntries(names.toSorted().map((name) => [name, row(name)]));
}

/** `.192` for 0.192: a fifth of the file is leading zeros otherwise. */
function short(price: number | undefined): string {
  return price === undefined ? '' : String(price).replace(/^0\./, '.');
}

async function read<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

async function write(path: string, content: object): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await writeFile(path, text);
  console.log(`${path}: ${Math.round(text.length / 1024)} KiB`);
}
