// The machine as the configuration sees it: environment, files, programs. The system's own is at the bottom;
// tests hand in another. Nothing else in this folder touches files or starts processes.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';

export interface ConfigHost {
  env(name: string): string | undefined;
  readonly homeDirectory: string;
  /** Rejects with an error whose `code` is ENOENT when there is no such file. */
  readFile(path: string): Promise<string>;
  run(command: HostCommand): Promise<HostOutcome>;
  /** A person can answer questions there. */
  readonly stdinIsTerminal: boolean;
}

export interface HostCommand {
  /** A path, or a name to be found in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** On top of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Hands our standard input to the program. */
  readonly interactive: boolean;
}

export type HostOutcome =
  | { readonly found: false }
  | { readonly found: true; readonly exitCode: number; readonly stdout: string };

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export const systemHost: ConfigHost = {
  env: (name) => process.env[name],
  homeDirectory: homedir(),
  readFile: (path) => readFile(path, 'utf8'),
  run: runProgram,
  get stdinIsTerminal() {
    return isatty(0);
  },
};

function runProgram(options: HostCommand): Promise<HostOutcome> {
  const { command, args, env, interactive } = options;
  const { promise, resolve, reject } = Promise.withResolvers<HostOutcome>();
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    // What the program has to say to a person goes where ours goes.
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.once('error', (error) => {
    if (isMissingFile(error)) resolve({ found: false });
    else reject(error);
  });
  child.once('close', (exitCode) => {
    const stdout = Buffer.concat(parts).toString('utf8');
    resolve({ found: true, exitCode: exitCode ?? -1, stdout });
  });
  return promise;
}
