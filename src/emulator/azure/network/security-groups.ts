// Network security groups and route tables: rules written inside, and who is under them. In: rules or routes. Out:
// them with ids, Azure's default rules, and the subnets and interfaces that name them. What is in use cannot be
// deleted.
import { randomUuid } from '../../../base/uuid.ts';
import { objectAt, stringAt, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import type { AzureEnvironment } from '../environment.ts';
import { inUse, networkNameRule } from './errors.ts';
import { networkInterfaceType } from './network-interfaces.ts';
import { isSameId, referenceAt, withPartIds } from './references.ts';
import { subnetType } from './subnets.ts';

const securityGroupType = 'Microsoft.Network/networkSecurityGroups';
const routeTableType = 'Microsoft.Network/routeTables';

export function securityGroups(env: AzureEnvironment): ResourceType {
  return ruleSet(env, {
    type: securityGroupType,
    list: 'securityRules',
    field: 'networkSecurityGroup',
    users: [subnetType, networkInterfaceType],
    deletion: 'InUseNetworkSecurityGroupCannotBeDeleted',
    word: 'Network security group',
    extra: (id) => ({ defaultSecurityRules: defaultRules(id) }),
  });
}

export function routeTables(env: AzureEnvironment): ResourceType {
  return ruleSet(env, {
    type: routeTableType,
    list: 'routes',
    field: 'routeTable',
    users: [subnetType],
    deletion: 'InUseRouteTableCannotBeDeleted',
    word: 'Route table',
    extra: () => ({ disableBgpRoutePropagation: false }),
  });
}

interface RuleSet {
  readonly type: string;
  /** Where its rules are written. */
  readonly list: string;
  /** The field by which others name it. */
  readonly field: string;
  readonly users: readonly string[];
  readonly deletion: string;
  readonly word: string;
  extra(id: string): JsonObject;
}

function ruleSet(env: AzureEnvironment, set: RuleSet): ResourceType {
  const random = env.random.fork();
  const usersOf = (id: string, type: string): JsonObject[] =>
    env.store
      .list(type)
      .filter((user) => isSameId(referenceAt(user.body, set.field), id))
      .map((user) => ({ id: user.id }));
  return managedType(env, {
    type: set.type,
    name: networkNameRule,
    etagField: 'etag',
    patch: 'tags',
    plan: ({ id, body, existing }) => ({
      body: {
        properties: {
          ...set.extra(id),
          ...withPartIds(id, set.type, {
            properties: objectAt(body, 'properties') ?? {},
            lists: [set.list],
          }),
          resourceGuid:
            stringAt(existing?.body, 'properties', 'resourceGuid') ?? randomUuid(random),
        },
      },
    }),
    show: ({ id, body }) => {
      const fields = set.users.map((type) => [type.split('/').at(-1) ?? '', usersOf(id, type)]);
      const used = fields.filter(([, users]) => (users as JsonObject[]).length > 0);
      return {
        ...body,
        properties: {
          ...objectAt(body, 'properties'),
          ...(Object.fromEntries(used) as JsonObject),
        },
      };
    },
    checkRemoval: ({ id, name }) => {
      const users = set.users.flatMap((type) => usersOf(id, type));
      if (users.length === 0) return;
      const ids = users.map((user) => stringAt(user, 'id') ?? '');
      throw inUse(set.deletion, `${set.word} ${name}`, ids);
    },
  });
}

/** Name, priority, direction, access, source, destination: what every group has below its own rules. */
const defaults = [
  ['AllowVnetInBound', 65_000, 'Inbound', 'Allow', 'VirtualNetwork', 'VirtualNetwork'],
  ['AllowAzureLoadBalancerInBound', 65_001, 'Inbound', 'Allow', 'AzureLoadBalancer', '*'],
  ['DenyAllInBound', 65_500, 'Inbound', 'Deny', '*', '*'],
  ['AllowVnetOutBound', 65_000, 'Outbound', 'Allow', 'VirtualNetwork', 'VirtualNetwork'],
  ['AllowInternetOutBound', 65_001, 'Outbound', 'Allow', '*', 'Internet'],
  ['DenyAllOutBound', 65_500, 'Outbound', 'Deny', '*', '*'],
] as const;

function defaultRules(id: string): JsonObject[] {
  return defaults.map(([name, priority, direction, access, source, destination]) => ({
    name,
    id: `${id}/defaultSecurityRules/${name}`,
    type: `${securityGroupType}/defaultSecurityRules`,
    properties: {
      provisioningState: 'Succeeded',
      protocol: '*',
      sourcePortRange: '*',
      destinationPortRange: '*',
      sourceAddressPrefix: source,
      destinationAddressPrefix: destination,
      access,
      priority,
      direction,
    },
  }));
}
