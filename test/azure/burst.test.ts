// Many launches at once, on an Azure that counts calls as the real one does.
import { expect, test } from 'vitest';
import { sized, testAdapter, testClaim } from '../support/azure/adapter.ts';
import { testProvider } from '../support/azure/provider.ts';

test('two hundred claims all get their machine within the budgets of calls', async () => {
  const adapter = await testAdapter({ retryAfterSeconds: 10 });
  const cluster = testProvider(adapter);
  const { signal } = adapter;
  const claims = Array.from({ length: 200 }, (_, i) =>
    testClaim(`default-${String(i).padStart(5, '0')}`, sized('Standard_D2s_v3')),
  );
  const launched = await adapter.settle(
    Promise.all(claims.map((claim) => cluster.launch(claim, signal))),
  );
  await adapter.test.clock.advance(30 * 60 * 1000);
  expect(new Set(launched.map(({ status }) => status?.providerID)).size).toBe(200);
  expect([
    cluster.claims.size,
    adapter.left('Microsoft.Compute/virtualMachines').length,
    adapter.left('Microsoft.Compute/virtualMachines/extensions').length,
    adapter.left('Microsoft.Network/networkInterfaces').length,
  ]).toEqual([200, 200, 200, 200]);
  // Nobody was told to wait: calls go out no faster than Azure takes them.
  expect(await adapter.registry.text()).not.toContain('status="429"');
});
