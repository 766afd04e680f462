// The programs of the stories, run by a process of their own. In: a program and its arguments. Out: what it printed and
// how it ended. After `stop` the process is gone; the programs are those of the PATH, then those of KUBE_BIN.
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import type { Launch, Report } from './launcher.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const env = {
  ...process.env,
  PATH: [process.env['PATH'] ?? '', process.env['KUBE_BIN'] ?? ''].join(delimiter),
  // Hundreds of short lives: collecting garbage and spreading over cores costs them a quarter of their time.
  GOGC: 'off',
  GOMAXPROCS: '1',
  // Times are told in the zone of whoever looks.
  TZ: 'UTC',
};

function isThere(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', env }).status === 0;
}

export const hasKubectl = isThere('kubectl', 'version', '--client');
export const hasHelm = isThere('helm', 'version');

interface Running {
  readonly onStart: (() => void) | undefined;
  readonly onEnd: (outcome: Outcome) => void;
}

export class Programs {
  readonly #launcher: ChildProcess;
  readonly #running = new Map<number, Running>();
  #launches = 0;

  constructor() {
    this.#launcher = fork(join(import.meta.dirname, 'launcher.ts'), { env, execArgv: [] });
    this.#launcher.on('message', (report: Report) => this.#hear(report));
  }

  /** `onStart`: as soon as the program has printed anything. */
  run(launch: Omit<Launch, 'id'>, onStart?: () => void): Promise<Outcome> {
    this.#launches += 1;
    const id = this.#launches;
    return new Promise((onEnd) => {
      this.#running.set(id, { onStart, onEnd });
      this.#launcher.send({ id, ...launch });
    });
  }

  async stop(): Promise<void> {
    const exited = once(this.#launcher, 'exit');
    this.#launcher.disconnect();
    await exited;
  }

  #hear(report: Report): void {
    const running = this.#running.get(report.id);
    if (report.isStarted) {
      running?.onStart?.();
      return;
    }
    this.#running.delete(report.id);
    running?.onEnd(report);
  }
}
