// What a subscription uses of its quotas in a region. In: a location. Out: totals and one entry for each family that
// is sold there, as the Compute usages API tells it.
import type { Json } from '../../../api/meta.ts';
import { ok, type ArmCall, type ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { Quotas } from './quotas.ts';
import type { SizeCatalog } from './size-catalog.ts';

const totals = [
  ['availabilitySets', 'Availability Sets'],
  ['cores', 'Total Regional vCPUs'],
  ['virtualMachines', 'Virtual Machines'],
  ['virtualMachineScaleSets', 'Virtual Machine Scale Sets'],
  ['lowPriorityCores', 'Total Regional Spot vCPUs'],
] as const;

export function computeUsages(
  env: AzureEnvironment,
  options: { readonly catalog: SizeCatalog; readonly quotas: Quotas },
): ResourceType {
  const { catalog, quotas } = options;
  return {
    type: 'Microsoft.Compute/locations/usages',
    open: ['list'],
    list: (call) => {
      const region = regionOf(env, call);
      const families = [...new Set(catalog.offeredIn(region).map((size) => size.family))];
      const names = [...totals, ...families.map((name) => [name, familyWording(name)] as const)];
      const value = names.map(([name, localizedValue]): Json => {
        const { current, limit } = quotas.usage(call.path.subscriptionId, region, name);
        const unit = 'Count';
        return { limit, unit, currentValue: current, name: { value: name, localizedValue } };
      });
      return ok({ value });
    },
  };
}

export function regionOf(env: AzureEnvironment, call: ArmCall): string {
  const [asked = ''] = call.path.names;
  const region = env.regions.find(asked);
  if (region !== undefined) return region.name;
  throw new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for location '${asked}' and API version '${call.apiVersion}' for type '${call.path.types.join('/')}'. The supported locations are '${env.regions.names.join(', ')}'.`,
  );
}

/** `standardDSv3Family` → `Standard DSv3 Family vCPUs` */
function familyWording(family: string): string {
  const [, name = family] = /^standard(.*?)Family$/i.exec(family) ?? [];
  return `Standard ${name} Family vCPUs`;
}
