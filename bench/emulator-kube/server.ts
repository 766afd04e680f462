// The emulated cluster as a server in a process of its own, as the real one is. Prints address and token as JSON when
// it is ready, and runs until its input ends.
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import { startKubeCluster } from '../../src/emulator/kube/cluster.ts';

const cluster = await startKubeCluster({
  clock: systemClock,
  random: seededRandom(1),
  log: silentLogger,
});
console.log(JSON.stringify({ url: cluster.url, token: cluster.administratorToken }));
process.stdin.resume();
process.stdin.once('end', () => void cluster.stop().then(() => process.exit(0)));
