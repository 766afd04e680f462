// The network security group that AKS manages for its nodes. In: the groups in the node resource group. Out: the one, by the
// name AKS gives it. None or several are an error: a node behind the wrong one, or behind none, is worse than no node.
import type { GroupRef } from '../arm/resource.ts';
import { listSecurityGroups, type SecurityGroup } from '../arm/security-groups.ts';
import type { Arm } from '../arm/send.ts';
import { CodedError } from '../../base/errors.ts';
import { CachedLookup } from './cached-lookup.ts';

export interface ManagedSecurityGroup {
  readonly id: string;
  readonly name: string;
}

export type ManagedSecurityGroups = CachedLookup<ManagedSecurityGroup>;

const keptMs = 2 * 60 * 60 * 1000;
const shape = /^aks-agentpool-\d{8}-nsg$/i;

export function securityGroupLookup(arm: Arm, nodeGroup: GroupRef): ManagedSecurityGroups {
  return new CachedLookup({
    clock: arm.clock,
    ttlMs: keptMs,
    load: async (signal) =>
      managedOf(await listSecurityGroups(arm, nodeGroup, signal), nodeGroup.resourceGroup),
  });
}

export function managedOf(
  groups: readonly SecurityGroup[],
  resourceGroup: string,
): ManagedSecurityGroup {
  const managed = groups.flatMap(({ id = '', name = '' }) =>
    shape.test(name) ? [{ id, name }] : [],
  );
  const [only, ...others] = managed;
  if (only !== undefined && others.length === 0) return only;
  throw new CodedError(
    'SecurityGroupUnknown',
    'there must be exactly one network security group named aks-agentpool-<8 digits>-nsg',
    { fields: { resourceGroup, found: managed.map(({ name }) => name) } },
  );
}
