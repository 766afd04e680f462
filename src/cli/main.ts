// The command line: one row per command, each loaded only when it is called. In: arguments, and a signal that ends what
// stays up. Out: an exit code: 0 done, 1 the command says no, 2 it was called wrongly. A mistake is answered with what to type instead,
// never with a stack trace.
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { CodedError, describeError } from '../base/errors.ts';
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
  root
    .command('crds')
    .description('print the custom resource definitions, ready for kubectl apply -f -')
    .action(async () => {
      const { crds } = await import('./commands/crds.ts');
      crds(terminal);
    });
  return root;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
