// The interface of a virtual machine, made before it. In: the node and its name. Out: the interface's id, once Azure has it.
// A pool that is gone since we last looked makes Azure refuse the interface: then, and only then, pools are looked up again
// and the interface is tried once more.
import { findArmError } from '../arm/arm-error.ts';
import { networkInterfaceRef } from '../arm/network-interfaces.ts';
import { beginPut } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import type { ClusterSettings } from '../bootstrap/node-plan.ts';
import type { BackendPools } from '../network/backend-pools.ts';
import { nodeInterface } from '../network/node-interface.ts';
import type { LaunchPlan } from './instance.ts';

export interface InterfaceParts {
  readonly arm: Arm;
  readonly cluster: ClusterSettings;
  readonly pools: BackendPools;
  readonly name: string;
  readonly securityGroupId: string;
}

export async function putInterface(
  parts: InterfaceParts,
  plan: LaunchPlan,
  signal: AbortSignal,
): Promise<string> {
  const pools = await parts.pools.get(signal);
  try {
    return await putOnce(parts, plan, { pools: pools.value, signal });
  } catch (error) {
    if (!isAboutPool(error, pools.value)) throw error;
    const newer = await parts.pools.getNewer(pools, signal);
    return await putOnce(parts, plan, { pools: newer.value, signal });
  }
}

async function putOnce(
  { arm, cluster, name, securityGroupId }: InterfaceParts,
  plan: LaunchPlan,
  request: { readonly pools: readonly string[]; readonly signal: AbortSignal },
): Promise<string> {
  const { pools, signal } = request;
  const { subscriptionId, nodeResourceGroup: resourceGroup } = cluster;
  const ref = networkInterfaceRef({ subscriptionId, resourceGroup }, name);
  const body = nodeInterface(cluster, plan, { name, pools, securityGroupId });
  const operation = await beginPut(arm, ref, { body, signal });
  await operation.done(signal);
  return ref.id;
}

export function isAboutPool(error: unknown, pools: readonly string[]): boolean {
  const refusal = findArmError(error);
  if (refusal?.code.toLowerCase() !== 'invalidresourcereference') return false;
  const text = refusal.text.toLowerCase();
  return pools.some((id) => text.includes(id.toLowerCase()));
}
