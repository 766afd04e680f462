// A machine made of values: environment, files and programs for tests of the configuration.
import type { ConfigHost, HostCommand, HostOutcome } from '../../src/kube/config/host.ts';

export interface FakeHost extends ConfigHost {
  readonly files: Map<string, string>;
  readonly variables: Map<string, string>;
  /** Every program that was started. */
  readonly commands: HostCommand[];
  /** What the next programs do. */
  program: (command: HostCommand) => HostOutcome | Promise<HostOutcome>;
  stdinIsTerminal: boolean;
}

export function fakeHost(files: Readonly<Record<string, string>> = {}): FakeHost {
  const host: FakeHost = {
    files: new Map(Object.entries(files)),
    variables: new Map(),
    commands: [],
    program: () => ({ found: false }),
    stdinIsTerminal: false,
    homeDirectory: '/home/jane',
    env: (name) => host.variables.get(name),
    readFile: (path) => {
      const text = host.files.get(path);
      if (text !== undefined) return Promise.resolve(text);
      return Promise.reject(Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' }));
    },
    run: async (command) => {
      host.commands.push(command);
      return host.program(command);
    },
  };
  return host;
}
