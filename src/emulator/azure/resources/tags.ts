// The tags of any resource, changed on their own: `{resource}/providers/Microsoft.Resources/tags/default`. In:
// replace, merge or delete. Out: the tags as they are then. Writing tags here takes the right to tags only, as in
// Azure.
import { objectAt, textAt, type JsonObject } from '../../kube/json.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { checkedTags, objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError, resourceNotFound } from '../errors.ts';
import type { Resource } from '../store.ts';

const type = 'Microsoft.Resources/tags';

export function tagTypes(env: AzureEnvironment): ResourceType {
  const owner = (call: ArmCall): Resource => {
    const found = env.store.get(call.path.scope);
    if (found !== undefined) return found;
    throw resourceNotFound(
      call.path.scope.split('/providers/').at(-1) ?? '',
      call.path.resourceGroup,
    );
  };
  const write = (call: ArmCall, change: (current: JsonObject) => JsonObject): ArmReply => {
    const resource = owner(call);
    const tags = checkedTags(change(objectAt(resource.body, 'tags') ?? {})) ?? {};
    env.lifecycle.update(resource.id, (body) => ({ ...body, tags }));
    return ok(shown(resource, tags));
  };
  return {
    type,
    get: (call) => ok(shown(owner(call), objectAt(owner(call).body, 'tags') ?? {})),
    put: (call) => write(call, () => tagsOf(call)),
    patch: (call) => write(call, (current) => changed(current, call)),
    delete: (call) => {
      write(call, () => ({}));
      return noContent;
    },
  };
}

function tagsOf(call: ArmCall): JsonObject {
  return objectAt(objectBody(call.body), 'properties', 'tags') ?? {};
}

function changed(current: JsonObject, call: ArmCall): JsonObject {
  const asked = tagsOf(call);
  const operation = textAt(objectBody(call.body), 'operation');
  switch (operation.toLowerCase()) {
    case 'replace':
      return asked;
    case 'merge':
      return { ...current, ...asked };
    case 'delete':
      return Object.fromEntries(Object.entries(current).filter(([name]) => !(name in asked)));
    default:
      throw new ArmError(
        400,
        'InvalidTagOperation',
        `The tags operation '${operation}' is not valid. Valid operations are 'Replace', 'Merge', 'Delete'.`,
      );
  }
}

function shown({ id }: Resource, tags: JsonObject): JsonObject {
  return { id: `${id}/providers/${type}/default`, name: 'default', type, properties: { tags } };
}
