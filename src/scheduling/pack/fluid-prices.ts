// What a unit of each resource is worth when machines are bought as cleverly as a liquid could be. In: what is needed, and
// for each machine what it has and costs. Out: a price per resource, such that no machine is worth more than it costs and
// the needs together are worth exactly what the cheapest mix of fractions of machines costs.
// That is the dual of a small linear program (a row per resource, a column per machine), solved by the dual simplex
// method: buying nothing is a start that is never too dear, and each step meets the worst unmet need in the cheapest way.

/** Rows are few (resources), columns are many (machines). */
export interface FluidProblem {
  readonly needs: Float64Array;
  readonly prices: Float64Array;
  /** `machine * rows + row`. */
  readonly amounts: Float64Array;
}

/** Any mix is found in a few steps per row; more means that rounding goes round in circles. */
const stepsPerRow = 50;

/** Price per unit of each need; undefined when the machines cannot meet them. */
export function fluidPrices({ needs, prices, amounts }: FluidProblem): Float64Array | undefined {
  const rows = needs.length;
  const machines = prices.length;
  const width = machines + rows + 1;
  const table = startTable(needs, amounts, machines);
  const costs = new Float64Array(width);
  costs.set(prices);
  for (let step = 0; step < rows * stepsPerRow; step++) {
    const row = worstRow(table, rows, width);
    if (row === -1) return pricesOf(costs, needs, machines);
    const column = cheapestColumn(table, costs, row * width, width - 1);
    if (column === -1) return undefined;
    pivot(table, costs, { rows, width, row, column });
  }
  return undefined;
}

/** Needs are scaled to one each, so that bytes and cores weigh the same in comparisons with zero. */
function startTable(needs: Float64Array, amounts: Float64Array, machines: number): Float64Array {
  const rows = needs.length;
  const width = machines + rows + 1;
  const table = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    const need = needs[row] as number;
    for (let machine = 0; machine < machines; machine++) {
      table[start + machine] = -(amounts[machine * rows + row] as number) / need;
    }
    table[start + machines + row] = 1;
    table[start + width - 1] = -1;
  }
  return table;
}

function worstRow(table: Float64Array, rows: number, width: number): number {
  let worst = -1;
  let most = -1e-9;
  for (let row = 0; row < rows; row++) {
    const value = table[(row + 1) * width - 1] as number;
    if (value < most) [worst, most] = [row, value];
  }
  return worst;
}

function cheapestColumn(
  table: Float64Array,
  costs: Float64Array,
  start: number,
  columns: number,
): number {
  let best = -1;
  let least = Infinity;
  for (let column = 0; column < columns; column++) {
    const entry = table[start + column] as number;
    if (entry > -1e-9) continue;
    const ratio = (costs[column] as number) / -entry;
    if (ratio < least) [best, least] = [column, ratio];
  }
  return best;
}

function pivot(
  table: Float64Array,
  costs: Float64Array,
  at: {
    readonly rows: number;
    readonly width: number;
    readonly row: number;
    readonly column: number;
  },
): void {
  const { rows, width, row, column } = at;
  const start = row * width;
  const factor = table[start + column] as number;
  for (let i = 0; i < width; i++) table[start + i] = (table[start + i] as number) / factor;
  for (let other = 0; other < rows; other++) {
    if (other !== row) eliminate(table, other * width, { table, start, width, column });
  }
  eliminate(costs, 0, { table, start, width, column });
}

function eliminate(
  target: Float64Array,
  offset: number,
  source: {
    readonly table: Float64Array;
    readonly start: number;
    readonly width: number;
    readonly column: number;
  },
): void {
  const { table, start, width, column } = source;
  const factor = target[offset + column] as number;
  if (factor === 0) return;
  for (let i = 0; i < width; i++) {
    target[offset + i] = (target[offset + i] as number) - factor * (table[start + i] as number);
  }
}

function pricesOf(costs: Float64Array, needs: Float64Array, machines: number): Float64Array {
  return needs.map((need, row) => Math.max(0, costs[machines + row] as number) / need);
}
