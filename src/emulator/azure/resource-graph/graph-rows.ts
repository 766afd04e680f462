// Resources as rows of Resource Graph's tables. In: resources. Out: rows with every column of the table: types, groups and
// locations in lower case, and what a resource does not have empty or null, as the service shows it.
import type { Json } from '../../../api/meta.ts';
import { objectAt, stringAt, textAt, withValue, type JsonObject } from '../../kube/json.ts';
import { powerStateOf, virtualMachineType } from '../compute/vm/machine.ts';
import type { AzureEnvironment } from '../environment.ts';
import { resourceGroupType } from '../resources/resource-groups.ts';
import type { Resource } from '../store.ts';

export interface RowOptions {
  readonly env: AzureEnvironment;
  /** `upper`: ids name groups in upper case, as they do for some types. */
  readonly groupCasing: 'kept' | 'upper';
}

export function tableOf({ type, body }: Resource): 'resources' | 'resourcecontainers' | undefined {
  if (type === resourceGroupType) return 'resourcecontainers';
  return stringAt(body, 'location') === undefined ? undefined : 'resources';
}

export function rowOf(resource: Resource, options: RowOptions): JsonObject {
  const { type, name, subscriptionId, body } = resource;
  const isGroup = type === resourceGroupType;
  return {
    id: options.groupCasing === 'upper' ? withUpperGroup(resource) : resource.id,
    name,
    type: isGroup ? 'microsoft.resources/subscriptions/resourcegroups' : type.toLowerCase(),
    tenantId: options.env.tenantId,
    kind: textAt(body, 'kind'),
    location: textAt(body, 'location').toLowerCase(),
    resourceGroup: (isGroup ? name : resource.resourceGroup).toLowerCase(),
    subscriptionId,
    managedBy: textAt(body, 'managedBy'),
    sku: body['sku'] ?? null,
    plan: body['plan'] ?? null,
    properties: propertiesOf(resource),
    tags: body['tags'] ?? null,
    identity: body['identity'] ?? null,
    zones: body['zones'] ?? null,
    extendedLocation: null,
  };
}

export function subscriptionRow(
  env: AzureEnvironment,
  { id, name }: { readonly id: string; readonly name: string },
): JsonObject {
  return {
    id: `/subscriptions/${id}`,
    name,
    type: 'microsoft.resources/subscriptions',
    tenantId: env.tenantId,
    location: '',
    resourceGroup: '',
    subscriptionId: id,
    managedBy: '',
    properties: { state: 'Enabled' },
    tags: null,
  };
}

function withUpperGroup({ id, resourceGroup }: Resource): string {
  return id.replace(`/${resourceGroup}/`, `/${resourceGroup.toUpperCase()}/`);
}

/** Of a machine also what it does at the moment. */
function propertiesOf(resource: Resource): Json {
  const properties = objectAt(resource.body, 'properties') ?? {};
  if (resource.type !== virtualMachineType) return properties;
  const state = powerStateOf(resource);
  const powerState = {
    code: `PowerState/${state}`,
    displayStatus: `VM ${state}`,
    level: 'Info',
  };
  return withValue(properties, ['extended', 'instanceView', 'powerState'], powerState);
}
