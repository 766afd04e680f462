// The load balancer pools that a node's interface joins. In: the load balancers of the node resource group. Out: pool ids.
// Nodes join both of Kubernetes' load balancers at once: the cloud controller would otherwise edit every new machine.
import { listLoadBalancers, type BackendPool, type LoadBalancer } from '../arm/load-balancers.ts';
import type { GroupRef } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import { CachedLookup } from './cached-lookup.ts';

export type BackendPools = CachedLookup<readonly string[]>;

const keptMs = 2 * 60 * 60 * 1000;
const balancerNames: ReadonlySet<string> = new Set(['kubernetes', 'kubernetes-internal']);
/** Interfaces have IPv4 addresses only. */
const otherPools: ReadonlySet<string> = new Set(['kubernetes-ipv6', 'aksoutboundbackendpool-ipv6']);

export function backendPoolLookup(arm: Arm, nodeGroup: GroupRef): BackendPools {
  return new CachedLookup({
    clock: arm.clock,
    ttlMs: keptMs,
    load: async (signal) => poolsToJoin(await listLoadBalancers(arm, nodeGroup, signal)),
  });
}

export function poolsToJoin(balancers: readonly LoadBalancer[]): readonly string[] {
  return balancers
    .filter(({ name = '' }) => balancerNames.has(name.toLowerCase()))
    .flatMap(({ properties }) => properties?.backendAddressPools ?? [])
    .filter((pool) => !otherPools.has(pool.name?.toLowerCase() ?? '') && !hasAddresses(pool))
    .flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/** A pool of addresses takes no interfaces. */
function hasAddresses({ properties }: BackendPool): boolean {
  return (properties?.loadBalancerBackendAddresses ?? []).some(
    (address) => (address.properties?.ipAddress ?? '') !== '',
  );
}
