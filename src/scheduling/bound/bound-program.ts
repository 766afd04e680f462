// A lower bound on what any plan costs that places certain pods. In: a compiled problem, the pods to be placed. Out: a linear
// program whose least cost no such plan is below.
// Variables: for each machine how many are bought; for each group of pods and each place it could go to, how many go there.
// Why it is a bound: take any plan that keeps the rules. Buy the machine that each of its claims is launched as, or one
// that is no worse and not dearer; send its pods there, and those on existing nodes to the free room. Then
//   1. every pod is somewhere;
//   2. what is on a machine fits its room, so what is on all machines of a kind fits all their room;
//   3. of pods larger than 1/(n+1) of a machine it holds at most n, whatever the rest;
//   4. a rule that keeps pods apart holds on each host, so it holds on all of them together;
//   5. limits of pools hold for what is launched.
// So the plan is a solution, and the least one costs no more. All rules about zones, company and variety are left out:
// leaving out rules only makes the bound lower.
import type { CompiledProblem } from '../compile/compile.ts';
import type { PodShape } from '../compile/pod-shape.ts';
import type { Template } from '../compile/template.ts';
import { type DemandGroup, demandGroups, type HostLimit } from './demand.ts';
import { type FreeRoom, freeRooms, hostAllowance } from './free-room.ts';
import type { LinearProgram, Row, Term } from './linear-program.ts';
import { type Machine, machinesFor } from './machines.ts';

/** Pods smaller than a fifth of a machine lose little by being cut. */
const mostPieces = 4;
/** Solvers take smaller factors for zero, which would take room away. */
const smallestFactor = 1e-8;

/** With `pool`, of plans that make nodes of this pool only and use no other. */
export function boundProgram(
  compiled: CompiledProblem,
  placed: ReadonlyMap<PodShape, number>,
  pool?: Template,
): LinearProgram {
  const templates = pool === undefined ? compiled.templates : [pool];
  const groups = demandGroups(compiled, placed);
  const machines = machinesFor(compiled, groups, templates);
  const scales = scalesOf(compiled, machines);
  const writer = new ProgramWriter(groups);
  for (const machine of machines) {
    const shares = writer.shares(machine.groups);
    const bought = writer.variable(machine.price);
    const rooms = machine.room.map((amount, column) => amount / (scales[column] as number));
    writer.roomRows(
      shares,
      scales,
      (column) => [{ variable: bought, factor: -atLeast(rooms[column]) }],
      () => 0,
    );
    for (const row of pieceRows(groups, machine, shares))
      writer.below(row.terms, bought, row.limit);
    writer.hostRows(
      shares,
      () => [{ variable: bought, factor: -1 }],
      () => 0,
    );
    writer.bought.push({ machine, variable: bought });
  }
  const free = pool === undefined ? freeRooms(compiled, groups) : [];
  for (const room of free) addFreeRoom(writer, compiled, room, scales);
  for (const template of templates) writer.limitRows(template);
  return writer.program();
}

function addFreeRoom(
  writer: ProgramWriter,
  compiled: CompiledProblem,
  { room, groups, nodes }: FreeRoom,
  scales: Float64Array,
): void {
  const shares = writer.shares(groups);
  const scaled = (column: number): number => (room[column] as number) / (scales[column] as number);
  writer.roomRows(shares, scales, () => [], scaled);
  writer.hostRows(
    shares,
    () => [],
    (rule) => hostAllowance(compiled, rule, nodes),
  );
}

/** How many of a group go to one place. */
interface Share {
  readonly group: number;
  readonly variable: number;
}

class ProgramWriter {
  readonly bought: { readonly machine: Machine; readonly variable: number }[] = [];
  readonly #groups: readonly DemandGroup[];
  readonly #costs: number[] = [];
  readonly #rows: Row[] = [];
  readonly #placed: Term[][];

  constructor(groups: readonly DemandGroup[]) {
    this.#groups = groups;
    this.#placed = groups.map(() => []);
  }

  variable(cost: number): number {
    return this.#costs.push(cost) - 1;
  }

  shares(groups: Iterable<number>): Share[] {
    return Array.from(groups, (group) => {
      const variable = this.variable(0);
      this.#placed[group]?.push({ variable, factor: 1 });
      return { group, variable };
    });
  }

  /** In each column, what the shares take is no more than `limit` and what `given` adds to it. */
  roomRows(
    shares: readonly Share[],
    scales: Float64Array,
    given: (column: number) => readonly Term[],
    limit: (column: number) => number,
  ): void {
    for (const [column, scale] of scales.entries()) {
      const taken = shares.flatMap(({ group, variable }) => {
        const factor = (this.#groups[group]?.requests[column] as number) / scale;
        return factor === 0 ? [] : [{ variable, factor }];
      });
      if (taken.length === 0) continue;
      this.#rows.push({ terms: [...taken, ...given(column)], sense: '<=', limit: limit(column) });
    }
  }

  /** For each rule about hosts, pods with it are no more than `limit` and what `given` adds to it. */
  hostRows(
    shares: readonly Share[],
    given: (rule: HostLimit) => readonly Term[],
    limit: (rule: HostLimit) => number,
  ): void {
    const rules = new Map<string, { readonly rule: HostLimit; readonly terms: Term[] }>();
    for (const { group, variable } of shares) {
      for (const rule of this.#groups[group]?.rules ?? []) {
        const entry = rules.get(rule.name) ?? { rule, terms: [] };
        entry.terms.push({ variable, factor: 1 });
        rules.set(rule.name, entry);
      }
    }
    for (const { rule, terms } of rules.values()) {
      this.#rows.push({ terms: [...terms, ...given(rule)], sense: '<=', limit: limit(rule) });
    }
  }

  /** At most `limit` of the terms for each machine bought. */
  below(terms: readonly Term[], bought: number, limit: number): void {
    this.#rows.push({
      terms: [...terms, { variable: bought, factor: -limit }],
      sense: '<=',
      limit: 0,
    });
  }

  /** Of each limited resource, machines of the template take no more than is left. */
  limitRows(template: Template): void {
    const { amounts, remaining } = template.limits;
    const own = this.bought.filter(({ machine }) => machine.template === template);
    for (const [limit, list] of amounts.entries()) {
      // In shares of what is left: machines that take more than that are not among them.
      const left = Math.max(1, remaining[limit] as number);
      const terms = own.map(({ machine, variable }) => ({
        variable,
        factor: (list[machine.variant] as number) / left,
      }));
      const counting = terms.filter(({ factor }) => factor > 0);
      if (counting.length > 0) this.#rows.push({ terms: counting, sense: '<=', limit: 1 });
    }
  }

  program(): LinearProgram {
    const everyone = this.#groups.map(({ count }, group): Row => ({
      terms: this.#placed[group] ?? [],
      sense: '>=',
      limit: count,
    }));
    return { costs: this.#costs, rows: [...everyone, ...this.#rows] };
  }
}

/** Of pods that need more than 1/(n+1) of a column, at most n. */
function pieceRows(
  groups: readonly DemandGroup[],
  { room }: Machine,
  shares: readonly Share[],
): { readonly terms: Term[]; readonly limit: number }[] {
  const rows = new Map<string, { terms: Term[]; limit: number }>();
  for (let column = 0; column < room.length; column++) {
    for (let limit = 1; limit <= mostPieces; limit++) {
      const large = shares.filter(
        ({ group }) =>
          (groups[group]?.requests[column] as number) * (limit + 1) > (room[column] as number),
      );
      if (large.length === 0) continue;
      const terms = large.map(({ variable }) => ({ variable, factor: 1 }));
      rows.set(`${limit} ${large.map(({ group }) => group).join()}`, { terms, limit });
    }
  }
  return [...rows.values()];
}

/** The largest room of each column, so that cores and bytes are numbers of like size. */
function scalesOf({ columns, nodes }: CompiledProblem, machines: readonly Machine[]): Float64Array {
  const width = columns.names.length;
  const scales = new Float64Array(width).fill(1);
  for (const { room } of machines) {
    for (let column = 0; column < width; column++) {
      scales[column] = Math.max(scales[column] as number, room[column] as number);
    }
  }
  for (const [index, amount] of nodes.room.entries()) {
    scales[index % width] = Math.max(scales[index % width] as number, amount);
  }
  return scales;
}

function atLeast(factor = 0): number {
  return Math.max(factor, smallestFactor);
}
