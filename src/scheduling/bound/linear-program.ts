// A linear program as a value. In: costs and rows. Out: its text in the format that solvers read, and what a solver's answer
// is worth as a lower bound. Nothing is solved here: whoever wants an answer hands in a solver.

/** All variables are zero or more; the sum of costs is to be small. */
export interface LinearProgram {
  readonly costs: readonly number[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly terms: readonly Term[];
  readonly sense: '<=' | '>=';
  readonly limit: number;
}

export interface Term {
  readonly variable: number;
  readonly factor: number;
}

/** The least cost, or undefined when there is no solution. Takes the text of a program. */
export type LinearSolver = (text: string) => number | undefined;

/** Solvers work with tolerances of a ten-millionth; a bound may not be above the truth because of them. */
const tolerance = 1e-6;

export function lowerBound(program: LinearProgram, solve: LinearSolver): number | undefined {
  if (program.rows.length === 0) return 0;
  const least = solve(programText(program));
  return least === undefined ? undefined : Math.max(0, least * (1 - tolerance) - tolerance);
}

function programText({ costs, rows }: LinearProgram): string {
  const objective = costs.flatMap((cost, index) => (cost === 0 ? [] : [` + ${cost} v${index}`]));
  // A line of the format has at most 560 characters in some readers, so every term has its own.
  const lines = rows.map(
    ({ terms, sense, limit }, row) =>
      `r${row}:${terms.map(termText).join('\n')}\n ${sense} ${limit}`,
  );
  const all = objective.length === 0 ? ' + 0 v0' : objective.join('\n');
  return `Minimize\n cost:${all}\nSubject To\n${lines.join('\n')}\nEnd\n`;
}

function termText({ variable, factor }: Term): string {
  return factor < 0 ? ` - ${-factor} v${variable}` : ` + ${factor} v${variable}`;
}
