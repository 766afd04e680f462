import { expect, test } from 'vitest';
import { subnetStatus } from '../../src/azure/network/subnet-status.ts';
import { nodeGroup, subnetId, testAdapter } from '../support/azure/adapter.ts';

const missing = subnetId.replace('aks-vnet-12345678', 'corp');

test.each([
  ['is there', subnetId, undefined, undefined],
  ['is not there', missing, undefined, 'SubnetNotFound'],
  ['is in a network of AKS', subnetId, subnetId.replace('aks-subnet', 'mine'), 'SubnetIDInvalid'],
  ['has no id', subnetId, 'subnet-1', 'SubnetIDInvalid'],
])('a class whose subnet %s is judged so', async (_, clusterSubnetId, classSubnetId, reason) => {
  const { arm, settle, signal } = await testAdapter();
  const choice = { clusterSubnetId, classSubnetId, nodeResourceGroup: nodeGroup };
  const status = await settle(subnetStatus(arm, choice, signal));
  expect(status.ready ? undefined : status.reason).toBe(reason);
});

test('a class whose subnet Azure will not tell of is judged so', async () => {
  const { arm, settle, signal, test } = await testAdapter();
  using _ = test.azure.env.faults.add({
    operation: 'Microsoft.Network/virtualNetworks/subnets/read',
    effect: { kind: 'refuse', status: 403, code: 'AuthorizationFailed', message: 'you may not' },
  });
  const choice = {
    clusterSubnetId: subnetId,
    classSubnetId: undefined,
    nodeResourceGroup: nodeGroup,
  };
  expect(await settle(subnetStatus(arm, choice, signal))).toMatchObject({
    reason: 'SubnetUnknownError',
    message: expect.stringContaining('you may not') as string,
  });
});
