// The command line: one row per command, each loaded only when it is called. In: arguments. Out: an exit code;
// 0 done, 1 the command says no, 2 it was called wrongly. A mistake is answered with what to type instead,
// never with a stack trace.
import { Command, CommanderError } from 'commander';
import { CodedError, describeError } from '../base/errors.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { build } from './version.ts';

export async function main(
  args: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  let exitCode = 0;
  const done = (code: number): void => void (exitCode = code);
  try {
    await program(terminal, done).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CodedError)) throw error;
    terminal.complain(`karpenter: ${describeError(error)}`);
    return 1;
  }
}

function program(terminal: Terminal, done: (exitCode: number) => void): Command {
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
    .description('show what Karpenter makes of the example manifests')
    .option('--examples <directory>', 'where the manifests are', 'examples')
    .action(async (options: { examples: string }) => {
      const { start } = await import('./commands/start.ts');
      done(await start({ terminal, directory: options.examples }));
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
