import { describe, expect, test } from 'vitest';
import { parseSubnetId } from './subnet-id.ts';
import { subnetId } from './test-node.ts';

const parts = {
  subscriptionId: 'sub-1',
  resourceGroup: 'net-group',
  virtualNetwork: 'aks-vnet-12345678',
  subnet: 'aks-subnet',
};

describe('the id of a subnet', () => {
  test('falls into its parts, in whatever case its keywords are', () => {
    const shouted = subnetId
      .replace('subscriptions', 'SUBSCRIPTIONS')
      .replace('Network/', 'NETWORK/');
    expect([parseSubnetId(subnetId), parseSubnetId(shouted)]).toEqual([parts, parts]);
  });

  test('may have a subnet called subnets', () => {
    expect(parseSubnetId(subnetId.replace('aks-subnet', 'subnets'))).toEqual({
      ...parts,
      subnet: 'subnets',
    });
  });

  test.each([
    ['nothing', ''],
    ['too few parts', subnetId.replace('/subnets/aks-subnet', '')],
    ['too many parts', `${subnetId}/extra`],
    ['a slash at the end', `${subnetId}/`],
    ['another provider', subnetId.replace('Network', 'Compute')],
    ['another keyword', subnetId.replace('virtualNetworks', 'networks')],
  ])('is refused for %s', (_, id) => {
    expect(parseSubnetId(id)).toBeUndefined();
  });
});
