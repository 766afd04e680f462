// The stories of the controllers, told to the emulated ones over the emulated server's own HTTP handler, in virtual time.
import { expect, test } from 'vitest';
import { ClusterFixture } from '../../../src/emulator/kube/controllers/cluster-fixture.ts';
import { controllerStories, tell, type Answer, type ManagedCluster } from './controllers.ts';

function managed(cluster: ClusterFixture): ManagedCluster {
  return {
    send: async (method, path, body, contentType): Promise<Answer> =>
      await cluster.send(method, path, body, contentType),
    pause: (ms) => cluster.run(ms),
  };
}

test.each(Object.entries(controllerStories))('%s', async (_, story) => {
  const cluster = await new ClusterFixture().start();
  await tell(story, managed(cluster), 'story');
  cluster.stop();
  expect(cluster.faults.slice(0, 2)).toEqual([]);
});
