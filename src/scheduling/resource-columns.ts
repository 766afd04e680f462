// Resources as columns of plain numbers. In: the vectors that a solve starts from. Out: one column per resource name, in
// a unit in which everyday amounts are whole, so that the inner loops add and compare doubles and are still exact.
// 1. Cores are counted in billionths, everything else in whole units (bytes, pods, devices): up to 2^53 of them, that is
//    nine million cores or eight pebibytes, every sum and comparison is exact.
// 2. A fraction of a unit is rounded against the pod: requests up, capacities down. A pod may then be told that it does
//    not fit, never that it does. What is larger than exact is infinite to ask for and as large as exact to offer.
// 3. A request for something that has no column fits nowhere.
import { resourceName, type Resources } from '../model/resources.ts';

export interface ResourceColumns {
  readonly names: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  /** Amount of one unit of each column, in billionths. */
  readonly unitNano: readonly bigint[];
}

const largestExact = 2n ** 53n - 1n;

export function compileColumns(vectors: Iterable<Resources>): ResourceColumns {
  const found = new Set<string>();
  for (const vector of vectors) for (const name of vector.keys()) found.add(name);
  const names = [...found].toSorted(byImportance);
  return {
    names,
    index: new Map(names.map((name, column) => [name, column])),
    unitNano: names.map((name) => (name === resourceName.cpu ? 1n : 1_000_000_000n)),
  };
}

/** The vector in columns, fractions of a unit rounded up. */
export function requestColumns(columns: ResourceColumns, vector: Resources): Float64Array {
  const row = new Float64Array(columns.names.length);
  for (const [name, nano] of vector) {
    const column = columns.index.get(name);
    if (column !== undefined) {
      const units = -floorDivide(-nano, columns.unitNano[column] ?? 1n);
      row[column] = units > largestExact ? Infinity : Number(units);
    } else if (nano > 0n) row.fill(Infinity);
  }
  return row;
}

/** The vector in columns, fractions of a unit rounded down. */
export function capacityColumns(columns: ResourceColumns, vector: Resources): Float64Array {
  const row = new Float64Array(columns.names.length);
  for (const [name, nano] of vector) {
    const column = columns.index.get(name);
    if (column === undefined) continue;
    const units = floorDivide(nano, columns.unitNano[column] ?? 1n);
    row[column] = Number(units > largestExact ? largestExact : units);
  }
  return row;
}

/** What most often decides comes first: a misfit is then found at the first comparison. */
const importance: readonly string[] = [resourceName.cpu, resourceName.memory, resourceName.pods];

function byImportance(a: string, b: string): number {
  const [rankA, rankB] = [importance.indexOf(a), importance.indexOf(b)];
  if (rankA !== rankB) return (rankA < 0 ? 99 : rankA) - (rankB < 0 ? 99 : rankB);
  return a < b ? -1 : 1;
}

function floorDivide(nano: bigint, unit: bigint): bigint {
  if (unit === 1n) return nano;
  const quotient = nano / unit;
  return nano < 0n && nano % unit !== 0n ? quotient - 1n : quotient;
}
