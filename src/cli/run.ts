// The program itself: the command line of this process, run when this file is loaded. The launcher and the bundle
// start here; tests call `main` instead. The first Ctrl-C stops in good order, a second one at once.
import { main } from './main.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => stopping.abort());
}
// `karpenter … | head` closes the pipe early: nobody is left to print to.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await main(process.argv.slice(2), { signal: stopping.signal });
