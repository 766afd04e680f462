// The command line: one row per command, each loaded only when it is called. In: arguments, and a signal that ends what
// stays up. Out: an exit code: 0 done, 1 the command says no, 2 it was called wrongly. A mistake is answered with what to type instead,
// never with a stack trace.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import { CodedError, describeError } from '../base/errors.ts';
import { tryParseDuration } from '../model/duration.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { build } from './version.ts';

export async function main(
  args: readonly string[],
  surroundings: { readonly terminal?: Terminal; readonly signal?: AbortSignal } = {},
): Promise<number> {
  const { terminal = processTerminal(), signal = new AbortController().signal } = surroundings;
  let exitCode = 0;
  const done = (code: number): void => void (exitCode = code);
  try {
    await program({ terminal, signal, done }).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CodedError)) throw error;
    terminal.complain(`karpenter: ${describeError(error)}`);
    return 1;
  }
}

interface Invocation {
  readonly terminal: Terminal;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  readonly done: (exitCode: number) => void;
}

function program({ terminal, signal, done }: Invocation): Command {
  const { version, commit } = build();
  const root = new Command('karpenter')
    .description('Karpenter for AKS: the cheapest nodes that run your pods.')
    .version(`${version} (${commit})`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .showHelpAfterError('(run with --help for what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    });
  root
    .command('start')
    .description('run a Kubernetes on this machine with the custom resources and examples in it')
    .option('--examples <directory>', 'where the manifests are', 'examples')
    .option('--port <number>', 'port of the API server; 0 takes a free one', parsePort, 0)
    .option('--exit', 'end after the tour instead of staying up', false)
    .action(async (options: { examples: string; port: number; exit: boolean }) => {
      const { start } = await import('./commands/start.ts');
      const { examples: directory, port, exit } = options;
      done(await start({ terminal, directory, port, exit, signal }));
    });
  root
    .command('validate')
    .description('check manifests of custom resources as an API server would')
    .argument('[files...]', 'YAML or JSON files; - or none reads standard input')
    .option('-o, --output <format>', 'text, or the objects as stored: yaml, json', 'text')
    .action(async (files: string[], options: { output: string }) => {
      const { validate } = await import('./commands/validate.ts');
      done(await validate({ terminal, files, output: options.output }));
    });
  addSolve(root, { terminal, signal, done });
  addConsolidate(root, { terminal, signal, done });
  root
    .command('crds')
    .description('print the custom resource definitions, ready for kubectl apply -f -')
    .action(async () => {
      const { crds } = await import('./commands/crds.ts');
      crds(terminal);
    });
  return root;
}

interface SolveFlags {
  readonly output: 'json' | 'text';
  readonly explain: boolean;
  readonly bound: boolean;
  readonly nodeCost: number;
  readonly preferencePolicy: 'Respect' | 'Ignore';
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  readonly packRounds?: number;
  readonly timeLimit?: number;
}

function choice(flag: string, help: string, ...values: readonly [string, ...string[]]): Option {
  return new Option(flag, help).choices(values).default(values[0]);
}

interface ConsolidateFlags {
  readonly method: 'all' | 'empty' | 'multi' | 'single' | 'best';
  readonly now?: number;
  readonly spotToSpot: boolean;
  readonly explain: boolean;
  readonly timeLimit?: number;
}

function addConsolidate(root: Command, { terminal, done }: Invocation): void {
  const ways = ['all', 'empty', 'multi', 'single', 'best'] as const;
  root
    .command('consolidate')
    .description('work out which nodes of a problem file are not worth their money')
    .argument('<file>', 'the problem, as JSON or YAML; - reads standard input')
    .addOption(choice('--method <way>', 'which way to look; best combines them', ...ways))
    .option('--now <time>', 'the moment, such as 2026-01-02T00:00:00Z', parseTime)
    .option('--spot-to-spot', 'let spot nodes be replaced by cheaper spot nodes', false)
    .option('--explain', 'say why nodes stay', false)
    .option('--time-limit <duration>', 'stop then with what is there, such as 10s', parseLimit)
    .action(async (file: string, flags: ConsolidateFlags) => {
      const { consolidateFile } = await import('./commands/consolidate.ts');
      const { now: nowMs, timeLimit: timeLimitMs, ...rest } = flags;
      done(
        await consolidateFile({ terminal, clock: systemClock, file, nowMs, timeLimitMs, ...rest }),
      );
    });
}

function addSolve(root: Command, { terminal, done }: Invocation): void {
  root
    .command('solve')
    .description('work out the cheapest nodes for the pods of a problem file')
    .argument('<file>', 'the problem, as JSON or YAML; - reads standard input')
    .addOption(
      choice('-o, --output <format>', 'the plan as a document or as a table', 'json', 'text'),
    )
    .option('--explain', 'say why pods go nowhere, and why nodes are of their type', false)
    .option('--bound', 'say how much cheaper any plan could be at most', false)
    .option('--node-cost <price>', 'what a node costs per hour beside its machine', parsePrice, 0)
    .addOption(
      choice('--preference-policy <policy>', 'whether wishes count as rules', 'Respect', 'Ignore'),
    )
    .addOption(
      choice(
        '--min-values-policy <policy>',
        'whether minValues always hold',
        'Strict',
        'BestEffort',
      ),
    )
    .option('--pack-rounds <number>', 'how often to look for a cheaper way', parseCount)
    .option('--time-limit <duration>', 'stop then with what is there, such as 10s', parseLimit)
    .action(async (file: string, flags: SolveFlags) => {
      const { solveFile } = await import('./commands/solve.ts');
      const { output, explain, bound, preferencePolicy, minValuesPolicy, packRounds } = flags;
      const choices = {
        nodeCostPerHour: flags.nodeCost,
        preferencePolicy,
        minValuesPolicy,
        ...(packRounds !== undefined && { packRounds }),
      };
      const timeLimitMs = flags.timeLimit;
      const clock = systemClock;
      done(
        await solveFile({ terminal, clock, file, output, explain, bound, timeLimitMs, choices }),
      );
    });
}

function parsePrice(text: string): number {
  const price = Number(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return price;
  throw new InvalidArgumentError('It must be a number of zero or more, such as 0.01.');
}

function parseCount(text: string): number {
  if (/^[0-9]{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 999999.');
}

function parseLimit(text: string): number {
  const result = tryParseDuration(text);
  if (result.ok && result.nanoseconds >= 0n) return Number(result.nanoseconds) / 1e6;
  throw new InvalidArgumentError('It must be a duration of zero or more, such as 10s or 1m30s.');
}

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text) && !Number.isNaN(time)) return time;
  throw new InvalidArgumentError('It must be a time such as 2026-01-02T00:00:00Z.');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
