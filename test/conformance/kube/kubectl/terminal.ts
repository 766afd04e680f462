// The cluster as people meet it: programs run in a terminal. In: a kubeconfig, and which programs there are. Out: what
// kubectl and helm print and how they end, each story in a namespace and a directory of its own.
// 1. Nodes whose pods run come with it, made the same way for every cluster.
// 2. After `close` no process, connection or file is left.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { sleep, systemClock } from '../../../../src/base/clock.ts';
import { Connection } from './connection.ts';
import type { World } from './differences.ts';
import { Kubelets } from './kubelets.ts';
import { Programs, type Outcome } from './programs.ts';

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program runs on until it has printed this; then it is ended. */
  readonly until?: RegExp;
  /** As soon as it has printed anything. */
  readonly onStart?: () => void;
}

export class Terminal {
  readonly world: World;
  readonly connection: Connection;
  readonly kubelets: Kubelets;
  readonly programs = new Programs();
  readonly #kubeconfig: string;
  readonly #directory: string;
  #stories = 0;

  private constructor(
    world: World,
    parts: { connection: Connection; kubelets: Kubelets; kubeconfig: string; directory: string },
  ) {
    this.world = world;
    this.connection = parts.connection;
    this.kubelets = parts.kubelets;
    this.#kubeconfig = parts.kubeconfig;
    this.#directory = parts.directory;
  }

  static async open(
    world: World,
    kubeconfig: string,
    nodes: readonly string[] = ['node-1', 'node-2'],
  ): Promise<Terminal> {
    const directory = await mkdtemp(join(tmpdir(), 'kubectl-'));
    const connection = new Connection(kubeconfig);
    const kubelets = await Kubelets.start(connection, nodes);
    return new Terminal(world, { connection, kubelets, kubeconfig, directory });
  }

  async close(): Promise<void> {
    await this.programs.stop();
    await this.kubelets.stop();
    this.connection.close();
    await rm(this.#directory, { recursive: true });
  }

  /** A namespace with the account that pods need, and a kubeconfig that leads into it. */
  async story(): Promise<Story> {
    this.#stories += 1;
    const namespace = `story-${this.#stories}`;
    const directory = join(this.#directory, namespace);
    await mkdir(directory);
    const config = parse(this.#kubeconfig) as { contexts: [{ context: object }] };
    config.contexts[0].context = { ...config.contexts[0].context, namespace };
    await writeFile(join(directory, 'kubeconfig'), stringify(config));
    await this.connection.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    while ((await this.connection.send('GET', account)).status !== 200)
      await sleep(systemClock, 20);
    return new Story({
      terminal: this,
      namespace,
      directory,
      cache: join(this.#directory, 'cache'),
    });
  }
}

export class Story {
  readonly terminal: Terminal;
  readonly namespace: string;
  /** Where commands run. */
  readonly directory: string;
  readonly #cache: string;

  constructor(options: {
    terminal: Terminal;
    namespace: string;
    directory: string;
    cache: string;
  }) {
    this.terminal = options.terminal;
    this.namespace = options.namespace;
    this.directory = options.directory;
    this.#cache = options.cache;
  }

  /** Words are split at blanks; what has blanks stands in single quotes. */
  async kubectl(line: string, options: RunOptions = {}): Promise<Outcome> {
    return await this.#run('kubectl', [`--cache-dir=${this.#cache}`, ...words(line)], options);
  }

  async helm(line: string, options: RunOptions = {}): Promise<Outcome> {
    return await this.#run('helm', words(line), options);
  }

  async file(name: string, content: string): Promise<void> {
    const target = join(this.directory, name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }

  async #run(program: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
    const { input = '', env = {}, until, onStart } = options;
    const own = {
      KUBECONFIG: join(this.directory, 'kubeconfig'),
      // What kubectl leaves behind goes with the story.
      TMPDIR: this.directory,
      HELM_CACHE_HOME: join(this.#cache, 'helm'),
      HELM_CONFIG_HOME: join(this.#cache, 'helm'),
      HELM_DATA_HOME: join(this.#cache, 'helm'),
    };
    const launch = { program, args, directory: this.directory, env: { ...own, ...env }, input };
    const ending = until === undefined ? {} : { until: until.source };
    return await this.terminal.programs.run({ ...launch, ...ending }, onStart);
  }
}

function words(line: string): string[] {
  const found = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return found.map((word) => word.replaceAll("'", ''));
}
