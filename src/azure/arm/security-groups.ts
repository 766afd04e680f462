// Network security groups on the wire. In: a resource group. Out: the names and ids of those in it; their rules are none of
// our business.
import { listAll } from './page.ts';
import { type GroupRef, resourceIn } from './resource.ts';
import type { Arm } from './send.ts';

const apiVersion = '2022-01-01';

export interface SecurityGroup {
  readonly id?: string;
  readonly name?: string;
}

export function listSecurityGroups(
  arm: Arm,
  group: GroupRef,
  signal: AbortSignal,
): Promise<readonly SecurityGroup[]> {
  const path = resourceIn(group, 'Microsoft.Network/networkSecurityGroups');
  return listAll(arm, { path, apiVersion, signal });
}
