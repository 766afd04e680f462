// Where the emulated server and a real one are known to part, by the name of the case. A case listed here has to fail on
// the server that it names: what no longer differs must go from the list.

export interface Difference {
  readonly name: string;
  readonly on: 'emulator' | 'real';
  readonly why: string;
}

const differences: readonly Difference[] = [];

export function differencesOn(server: Difference['on']): readonly Difference[] {
  return differences.filter(({ on }) => on === server);
}
