// Tenants, subscriptions and their locations. In: GET and list. Out: what the caller has any role in, as `az login`
// reads it; a subscription in which the caller has none does not exist for it.
import type { Json } from '../../../api/meta.ts';
import { ok, type ArmCall, type ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment, Subscription } from '../environment.ts';
import type { RegionFacts } from '../facts.ts';

export function subscriptionTypes(env: AzureEnvironment): ResourceType[] {
  return [
    {
      type: 'Microsoft.Resources/tenants',
      open: ['list'],
      list: () => ok({ value: [tenant(env.tenantId)] }),
    },
    {
      type: 'Microsoft.Resources/subscriptions',
      open: ['get', 'list'],
      list: (call) =>
        ok({
          value: env.subscriptions
            .filter(({ id }) => env.access.hasAnyRole(call.caller.objectId, id))
            .map((subscription) => shown(subscription, env.tenantId)),
        }),
      get: (call) => ok(shown(subscriptionOf(env, call), env.tenantId)),
    },
    {
      type: 'Microsoft.Resources/subscriptions/locations',
      open: ['list'],
      list: (call) =>
        ok({ value: env.regions.all.map((region) => location(region, subscriptionOf(env, call))) }),
    },
  ];
}

function subscriptionOf(env: AzureEnvironment, call: ArmCall): Subscription {
  const id = call.path.subscriptionId.toLowerCase();
  // The front door has seen to it that there is one.
  return env.subscriptions.find((subscription) => subscription.id === id) ?? { id, name: id };
}

function tenant(tenantId: string): Json {
  return {
    id: `/tenants/${tenantId}`,
    tenantId,
    countryCode: 'US',
    displayName: 'Emulator',
    domains: ['emulator.onmicrosoft.com'],
    defaultDomain: 'emulator.onmicrosoft.com',
    tenantCategory: 'Home',
    tenantType: 'AAD',
  };
}

function shown({ id, name }: Subscription, tenantId: string): Json {
  return {
    id: `/subscriptions/${id}`,
    authorizationSource: 'RoleBased',
    managedByTenants: [],
    subscriptionId: id,
    tenantId,
    displayName: name,
    state: 'Enabled',
    subscriptionPolicies: {
      locationPlacementId: 'Public_2014-09-01',
      quotaId: 'PayAsYouGo_2014-09-01',
      spendingLimit: 'Off',
    },
  };
}

function location(region: RegionFacts, { id }: Subscription): Json {
  const place = (name: string): string => `/subscriptions/${id}/locations/${name}`;
  return {
    id: place(region.name),
    name: region.name,
    type: 'Region',
    displayName: region.displayName,
    regionalDisplayName: `(${region.geographyGroup ?? 'US'}) ${region.displayName}`,
    metadata: {
      regionType: 'Physical',
      regionCategory: 'Recommended',
      geography: region.geography ?? 'United States',
      geographyGroup: region.geographyGroup ?? 'US',
      pairedRegion:
        region.pairedRegion === undefined
          ? []
          : [{ name: region.pairedRegion, id: place(region.pairedRegion) }],
    },
    ...(region.zones.length === 0
      ? {}
      : {
          availabilityZoneMappings: region.zones.map((zone) => ({
            logicalZone: zone,
            physicalZone: `${region.name}-az${zone}`,
          })),
        }),
  };
}
