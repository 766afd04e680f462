// The program itself: the command line of this process, run when this file is loaded. The launcher and the bundle
// start here; tests call `main` instead.
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2));
