// Whether the subnet of a node class can be used, as its condition SubnetsReady says it. In: the class's subnet, the cluster's.
// Out: ready, or the condition's reason and message. What only Azure knows is asked of Azure.
import { describeError } from '../../base/errors.ts';
import type { Arm } from '../arm/send.ts';
import { getSubnet } from '../arm/subnets.ts';
import { subnetRefusal } from './subnet-choice.ts';

export type SubnetStatus =
  | { readonly ready: true }
  | {
      readonly ready: false;
      readonly reason: 'SubnetIDInvalid' | 'SubnetNotFound' | 'SubnetUnknownError';
      readonly message: string;
    };

export async function subnetStatus(
  arm: Arm,
  choice: Parameters<typeof subnetRefusal>[0],
  signal: AbortSignal,
): Promise<SubnetStatus> {
  const refusal = subnetRefusal(choice);
  if (refusal !== undefined) return { ready: false, reason: 'SubnetIDInvalid', message: refusal };
  const id = choice.classSubnetId ?? choice.clusterSubnetId;
  try {
    if ((await getSubnet(arm, id, signal)) !== undefined) return { ready: true };
    return { ready: false, reason: 'SubnetNotFound', message: `there is no subnet ${id}` };
  } catch (error) {
    signal.throwIfAborted();
    return { ready: false, reason: 'SubnetUnknownError', message: describeError(error) };
  }
}
