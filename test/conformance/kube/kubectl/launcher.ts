// A small process that starts the programs of the stories. In: launches, from the process that tells the stories. Out:
// what each program printed and how it ended. It is a process of its own because starting one stops everything
// else in a process: with a cluster in it, for twenty milliseconds each time.
import { spawn } from 'node:child_process';

export interface Launch {
  readonly id: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** The program is ended as soon as its output has this. */
  readonly until?: string;
}

export type Report =
  | { readonly id: number; readonly isStarted: true }
  | {
      readonly id: number;
      readonly isStarted: false;
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };

function launch({ id, program, args, directory, env, input, until }: Launch): void {
  const report = (what: Report): void => void process.send?.(what);
  const child = spawn(program, args, { cwd: directory, env: { ...process.env, ...env } });
  const end = until === undefined ? undefined : new RegExp(until);
  let stdout = '';
  let stderr = '';
  child.on('error', (error) => (stderr += error.message));
  child.stdin.on('error', () => undefined).end(input);
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (stdout === '') report({ id, isStarted: true });
    stdout += part;
    if (end?.test(stdout) === true) child.kill();
  });
  child.on('close', (code) => report({ id, isStarted: false, code: code ?? 0, stdout, stderr }));
}

process.on('message', launch);
