// Virtual networks and subnets on the wire. In: an id. Out: what is there, or undefined. Nothing here writes: networks are
// their owner's.
import { getResource } from './resource.ts';
import type { Arm } from './send.ts';

const apiVersion = '2022-01-01';

export interface Subnet {
  readonly id?: string;
  readonly properties?: { readonly addressPrefix?: string };
}

interface VirtualNetwork {
  readonly properties?: { readonly resourceGuid?: string };
}

export function getSubnet(arm: Arm, id: string, signal: AbortSignal): Promise<Subnet | undefined> {
  return getResource(arm, { id, apiVersion }, signal);
}

/** Undefined when there is no such network or it has none. */
export async function getVirtualNetworkGuid(
  arm: Arm,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const network = await getResource<VirtualNetwork>(arm, { id, apiVersion }, signal);
  return network?.properties?.resourceGuid;
}
