// Load balancers on the wire, as far as nodes join them. In: a resource group. Out: its load balancers with their pools; any
// field may be missing.
import { listAll } from './page.ts';
import { type GroupRef, resourceIn } from './resource.ts';
import type { Arm } from './send.ts';

const apiVersion = '2022-01-01';

export interface LoadBalancer {
  readonly name?: string;
  readonly properties?: { readonly backendAddressPools?: readonly BackendPool[] };
}

export interface BackendPool {
  readonly id?: string;
  readonly name?: string;
  readonly properties?: {
    readonly loadBalancerBackendAddresses?: readonly {
      readonly properties?: { readonly ipAddress?: string };
    }[];
  };
}

export function listLoadBalancers(
  arm: Arm,
  group: GroupRef,
  signal: AbortSignal,
): Promise<readonly LoadBalancer[]> {
  const path = resourceIn(group, 'Microsoft.Network/loadBalancers');
  return listAll(arm, { path, apiVersion, signal });
}
