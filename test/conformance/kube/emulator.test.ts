// Holds the emulated API server to the suites of this folder, in process and without sockets. Its loops stand still, as
// beside a real server there are none.
import { afterAll, beforeAll, describe } from 'vitest';
import { silentLogger } from '../../../src/base/log.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { startKubeCluster, type KubeCluster } from '../../../src/emulator/kube/cluster.ts';
import { differencesOn } from './differences.ts';
import { emulatorSession } from './emulator-session.ts';
import type { KubeSession } from './session.ts';
import { describeApiServer } from './suites.ts';

describe('the emulated API server', () => {
  let cluster: KubeCluster;
  let session: KubeSession;

  beforeAll(async () => {
    cluster = await startKubeCluster({
      clock: new VirtualClock(),
      random: seededRandom(1),
      log: silentLogger,
      listen: false,
      controllers: false,
      scheduler: false,
      issuer: 'https://kubernetes.default.svc',
    });
    session = emulatorSession(cluster);
  });

  afterAll(() => cluster.stop());

  describeApiServer(() => session, differencesOn('emulator'));
});
