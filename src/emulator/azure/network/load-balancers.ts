// Load balancers and their backend pools. In: frontends, pools, probes and rules, written inside. Out: them with ids,
// and in each pool the IP configurations of the interfaces that stand in it.
import type { Json } from '../../../api/meta.ts';
import { randomUuid } from '../../../base/uuid.ts';
import { objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { ok, type ArmCall, type ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import { nameOf, toKey } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { resourceNotFound } from '../errors.ts';
import { childNotFound, inUse, networkNameRule } from './errors.ts';
import { networkInterfaceType } from './network-interfaces.ts';
import { withPartIds } from './references.ts';

export const loadBalancerType = 'Microsoft.Network/loadBalancers';

const lists = [
  'frontendIPConfigurations',
  'backendAddressPools',
  'loadBalancingRules',
  'probes',
  'inboundNatRules',
  'inboundNatPools',
  'outboundRules',
] as const;

export function loadBalancers(env: AzureEnvironment): ResourceType[] {
  const random = env.random.fork();
  const pools = (balancerId: string, properties: JsonObject | undefined): JsonObject[] =>
    objectsAt(properties, 'backendAddressPools').map((pool) => withMembers(env, balancerId, pool));
  return [
    managedType(env, {
      type: loadBalancerType,
      name: networkNameRule,
      etagField: 'etag',
      patch: 'tags',
      plan: ({ id, body, existing }) => {
        const properties = objectAt(body, 'properties') ?? {};
        return {
          body: {
            sku: { name: 'Standard', tier: 'Regional', ...objectAt(body, 'sku') },
            properties: {
              ...withPartIds(id, loadBalancerType, { properties, lists }),
              resourceGuid:
                stringAt(existing?.body, 'properties', 'resourceGuid') ?? randomUuid(random),
            },
          },
        };
      },
      show: ({ id, body }) => {
        const properties = objectAt(body, 'properties');
        const shownPools = pools(id, properties) as Json;
        return { ...body, properties: { ...properties, backendAddressPools: shownPools } };
      },
      checkRemoval: ({ id, body }) => {
        const members = pools(id, objectAt(body, 'properties')).flatMap((pool) =>
          objectsAt(pool, 'properties', 'backendIPConfigurations'),
        );
        if (members.length === 0) return;
        const ids = members.map((member) => textAt(member, 'id'));
        throw inUse('LoadBalancerInUseByVirtualMachine', `Load balancer ${id}`, ids);
      },
    }),
    backendPools(env, pools),
  ];
}

/** Read only: pools are written as part of their load balancer. */
function backendPools(
  env: AzureEnvironment,
  pools: (balancerId: string, properties: JsonObject | undefined) => JsonObject[],
): ResourceType {
  const of = (call: ArmCall): JsonObject[] => {
    const [name = ''] = call.path.names;
    const id = `${call.path.scope}/providers/${loadBalancerType}/${name}`;
    const balancer = env.store.get(id);
    if (balancer === undefined) {
      throw resourceNotFound(`${loadBalancerType}/${name}`, call.path.resourceGroup);
    }
    return pools(balancer.id, objectAt(balancer.body, 'properties'));
  };
  return {
    type: `${loadBalancerType}/backendAddressPools`,
    list: (call) => ok({ value: of(call) }),
    get: (call) => {
      const name = nameOf(call.path).toLowerCase();
      const pool = of(call).find((one) => textAt(one, 'name').toLowerCase() === name);
      if (pool === undefined) throw childNotFound(call.id);
      return ok(pool);
    },
  };
}

function withMembers(env: AzureEnvironment, balancerId: string, pool: JsonObject): JsonObject {
  const poolKey = toKey(`${balancerId}/backendAddressPools/${textAt(pool, 'name')}`);
  const members = env.store
    .list(networkInterfaceType)
    .flatMap((nic) =>
      objectsAt(nic.body, 'properties', 'ipConfigurations').filter((configuration) =>
        objectsAt(configuration, 'properties', 'loadBalancerBackendAddressPools').some(
          (one) => toKey(textAt(one, 'id')) === poolKey,
        ),
      ),
    );
  if (members.length === 0) return pool;
  const backendIPConfigurations = members.map((member) => ({ id: textAt(member, 'id') }));
  return { ...pool, properties: { ...objectAt(pool, 'properties'), backendIPConfigurations } };
}
