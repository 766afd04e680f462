// HiGHS, loaded only by who asks for a bound: it is megabytes of WebAssembly. In: nothing. Out: a function that solves the
// text of a linear program.
import type { Highs } from 'highs';
import { asError, CodedError } from '../base/errors.ts';
import type { LinearSolver } from '../scheduling/bound/linear-program.ts';

type Loader = () => Promise<Highs>;

export async function loadLinearSolver(): Promise<LinearSolver> {
  try {
    // Its types describe the CommonJS form, which is one default deeper.
    const { default: load } = (await import('highs')) as unknown as { default: Loader };
    const highs = await load();
    return (text) => {
      const { Status: status, ObjectiveValue: least } = highs.solve(text, { output_flag: false });
      return status === 'Optimal' ? least : undefined;
    };
  } catch (thrown) {
    // The bundle does not carry the WebAssembly.
    throw new CodedError('NoLinearSolver', 'a bound needs the package highs beside this program', {
      fields: { option: '--bound', remedy: 'run from the source tree, or leave the option out' },
      cause: asError(thrown),
    });
  }
}
