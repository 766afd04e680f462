// All that Microsoft.Network has here, with the one thing its types share: who has which address.
import type { ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { operationTypes } from '../operations/operation-types.ts';
import { loadBalancers } from './load-balancers.ts';
import { networkInterfaces } from './network-interfaces.ts';
import { publicAddresses } from './public-addresses.ts';
import { routeTables, securityGroups } from './security-groups.ts';
import { SubnetAddresses } from './subnet-addresses.ts';
import { subnets } from './subnets.ts';
import { virtualNetworks } from './virtual-networks.ts';

export function networkTypes(env: AzureEnvironment): ResourceType[] {
  const addresses = new SubnetAddresses();
  return [
    virtualNetworks(env, addresses),
    subnets(env, addresses),
    networkInterfaces(env, addresses),
    securityGroups(env),
    routeTables(env),
    ...loadBalancers(env),
    publicAddresses(env),
    ...operationTypes(env.operations, 'Microsoft.Network'),
  ];
}
