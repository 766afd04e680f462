// Resources as columns of plain numbers. In: every vector that a solve will meet. Out: one column per resource
// name and a unit per column in which all of them are whole, so that the inner loops add and compare doubles and
// are still exact.
// 1. The unit is the greatest common divisor of all amounts: exact as long as the largest is below 2^53 units.
// 2. Beyond that (a petabyte beside a byte) the unit grows, requests round up and capacities down: a pod may then
//    be told that it does not fit, never that it does.
import type { Resources } from '../model/resources.ts';

export interface ResourceColumns {
  readonly names: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  /** Amount of one unit of each column, in billionths. */
  readonly unitNano: readonly bigint[];
}

const largestExact = 2n ** 53n - 1n;

export function compileColumns(vectors: Iterable<Resources>): ResourceColumns {
  const divisor = new Map<string, bigint>();
  const largest = new Map<string, bigint>();
  for (const vector of vectors) {
    for (const [name, nano] of vector) {
      const amount = nano < 0n ? -nano : nano;
      divisor.set(name, greatestCommonDivisor(divisor.get(name) ?? 0n, amount));
      if (amount > (largest.get(name) ?? 0n)) largest.set(name, amount);
    }
  }
  const names = [...divisor.keys()].toSorted(byImportance);
  return {
    names,
    index: new Map(names.map((name, column) => [name, column])),
    unitNano: names.map((name) => unitFor(divisor.get(name) ?? 0n, largest.get(name) ?? 0n)),
  };
}

/** The vector in columns, fractions of a unit rounded up. */
export function requestColumns(columns: ResourceColumns, vector: Resources): Float64Array {
  return toColumns(columns, vector, ceilDivide);
}

/** The vector in columns, fractions of a unit rounded down. */
export function capacityColumns(columns: ResourceColumns, vector: Resources): Float64Array {
  return toColumns(columns, vector, floorDivide);
}

/** Back to exact amounts; columns that are zero are left out. */
export function fromColumns(columns: ResourceColumns, row: ArrayLike<number>): Resources {
  const vector = new Map<string, bigint>();
  for (const [column, name] of columns.names.entries()) {
    const value = row[column] ?? 0;
    if (value !== 0) vector.set(name, BigInt(value) * (columns.unitNano[column] ?? 1n));
  }
  return vector;
}

function toColumns(
  columns: ResourceColumns,
  vector: Resources,
  divide: (nano: bigint, unit: bigint) => bigint,
): Float64Array {
  const row = new Float64Array(columns.names.length);
  for (const [name, nano] of vector) {
    const column = columns.index.get(name);
    if (column !== undefined) row[column] = Number(divide(nano, columns.unitNano[column] ?? 1n));
  }
  return row;
}

/** What most often decides comes first: a misfit is then found at the first comparison. */
const importance = ['cpu', 'memory', 'pods'];

function byImportance(a: string, b: string): number {
  const [rankA, rankB] = [importance.indexOf(a), importance.indexOf(b)];
  if (rankA !== rankB) return (rankA < 0 ? 99 : rankA) - (rankB < 0 ? 99 : rankB);
  return a < b ? -1 : 1;
}

function unitFor(divisor: bigint, largest: bigint): bigint {
  const unit = divisor === 0n ? 1n : divisor;
  if (largest / unit <= largestExact) return unit;
  return ceilDivide(largest, largestExact);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function floorDivide(nano: bigint, unit: bigint): bigint {
  const quotient = nano / unit;
  return nano < 0n && nano % unit !== 0n ? quotient - 1n : quotient;
}

function ceilDivide(nano: bigint, unit: bigint): bigint {
  return -floorDivide(-nano, unit);
}
