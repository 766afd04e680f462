// Resource groups. In: PUT, PATCH, GET, HEAD, DELETE, list by tag. Out: the group; a deletion is an operation that
// takes everything in the group with it, Compute first, because what a VM holds is free only when the VM is gone.
import type { Json } from '../../../api/meta.ts';
import { stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { pageReply } from '../arm/paging.ts';
import { nameOf } from '../arm/resource-id.ts';
import { checkedTags, objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, groupBeingDeleted, groupNotFound } from '../errors.ts';
import type { Resource } from '../store.ts';

export const resourceGroupType = 'Microsoft.Resources/subscriptions/resourceGroups';

const validName = /^[\p{L}\p{N}_\-().]{0,89}[\p{L}\p{N}_\-()]$/u;

export function resourceGroups(env: AzureEnvironment): ResourceType {
  const existing = (call: ArmCall): Resource => {
    const group = env.store.get(call.id);
    if (group === undefined) throw groupNotFound(nameOf(call.path));
    return group;
  };
  return {
    type: resourceGroupType,
    // Who may read one group only sees that one in the list.
    open: ['list'],
    get: (call) => ok(shown(existing(call))),
    head: (call) => (env.store.get(call.id) === undefined ? { status: 404 } : noContent),
    list: (call) => listReply(env, call),
    put: (call) => put(env, call),
    patch: (call) => patch(env, call, existing(call)),
    delete: (call) => remove(env, call, existing(call)),
  };
}

function put(env: AzureEnvironment, call: ArmCall): ArmReply {
  const name = nameOf(call.path);
  const body = objectBody(call.body);
  const current = env.store.get(call.id);
  if (!validName.test(name)) throw invalidGroupName(name);
  const location = checkedLocation(env, body, current);
  const tags = checkedTags(body['tags']);
  if (current !== undefined && isGoing(current)) throw groupBeingDeleted(name);
  const managedBy = stringAt(body, 'managedBy') ?? stringAt(current?.body, 'managedBy');
  const saved = env.lifecycle.save(call.id, resourceGroupType, {
    body: {
      location,
      ...(managedBy === undefined ? {} : { managedBy }),
      ...(tags === undefined ? {} : { tags }),
      properties: { provisioningState: 'Succeeded' },
    },
  });
  return { status: current === undefined ? 201 : 200, body: shown(saved) };
}

function patch(env: AzureEnvironment, call: ArmCall, group: Resource): ArmReply {
  if (isGoing(group)) throw groupBeingDeleted(group.name);
  const tags = checkedTags(objectBody(call.body)['tags']);
  const saved = env.lifecycle.update(group.id, (body) =>
    tags === undefined ? body : { ...body, tags },
  );
  return ok(shown(saved ?? group));
}

function remove(env: AzureEnvironment, call: ArmCall, group: Resource): ArmReply {
  if (isGoing(group)) throw groupBeingDeleted(group.name);
  const { headers } = env.lifecycle.beginRemoval(call, group, {
    location: textAt(group.body, 'location'),
    removing: () => {
      for (const resource of env.store.below(group.id)) {
        if (resource.type.startsWith('Microsoft.Compute/')) env.lifecycle.remove(resource.id);
      }
    },
  });
  return { status: 202, headers };
}

function listReply(env: AzureEnvironment, call: ArmCall): ArmReply {
  const wanted = tagFilter(call);
  const items = env.store
    .list(resourceGroupType, `/subscriptions/${call.path.subscriptionId}`)
    .filter((group) => env.access.isAllowed(call.caller.objectId, call.operation, group.id))
    .filter((group) => wanted(group))
    .map((group) => ({ key: group.key, json: shown(group) as Json }));
  return pageReply(call, items, env.pageSize);
}

/** `tagName eq 'a' and tagValue eq 'b'`, or only the name. */
function tagFilter(call: ArmCall): (group: Resource) => boolean {
  const text = call.query.get('$filter') ?? '';
  const name = /tagName eq '([^']*)'/i.exec(text)?.[1];
  const value = /tagValue eq '([^']*)'/i.exec(text)?.[1];
  if (text !== '' && name === undefined) {
    throw new ArmError(
      400,
      'InvalidFilterInQueryString',
      `Invalid $filter '${text}' specified in the query string.`,
    );
  }
  if (name === undefined) return () => true;
  return ({ body }) => {
    const tag = stringAt(body, 'tags', name);
    return tag !== undefined && (value === undefined || tag === value);
  };
}

function checkedLocation(
  env: AzureEnvironment,
  body: JsonObject,
  current: Resource | undefined,
): string {
  const asked = stringAt(body, 'location');
  if (asked === undefined || asked === '') {
    throw new ArmError(
      400,
      'LocationRequired',
      'The location property is required for this definition.',
    );
  }
  const region = env.regions.find(asked);
  if (region === undefined) {
    throw new ArmError(
      400,
      'LocationNotAvailableForResourceGroup',
      `The provided location '${asked}' is not available for resource group. List of available regions is '${env.regions.names.join(',')}'.`,
    );
  }
  const existing = textAt(current?.body, 'location');
  if (current !== undefined && existing !== region.name) {
    throw new ArmError(
      409,
      'InvalidResourceGroupLocation',
      `Invalid resource group location '${asked}'. The Resource group already exists in location '${existing}'.`,
    );
  }
  return region.name;
}

function invalidGroupName(name: string): ArmError {
  return new ArmError(
    400,
    'InvalidResourceGroupName',
    `The provided resource group name '${name}' is invalid. Resource group names can only include alphanumeric, underscore, parentheses, hyphen, period (except at end), and Unicode characters that match the allowed characters, and are at most 90 characters long.`,
  );
}

function isGoing(group: Resource): boolean {
  return textAt(group.body, 'properties', 'provisioningState') === 'Deleting';
}

function shown({ id, name, body }: Resource): JsonObject {
  return { id, name, type: 'Microsoft.Resources/resourceGroups', ...body };
}
