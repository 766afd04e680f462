// Roles: Azure's own, which stand at every scope, and those that somebody has written. In: GET, list by name, PUT,
// DELETE. Out: definitions with their permissions. A built-in one can be neither changed nor deleted.
import type { Json } from '../../../api/meta.ts';
import { listAt, objectAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { nameOf } from '../arm/resource-id.ts';
import { objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import { roleDefinitionType } from './access.ts';
import { builtInRoles, type RoleFacts } from './built-in-roles.ts';

export function roleDefinitions(env: AzureEnvironment): ResourceType {
  const all = (call: ArmCall): JsonObject[] => [
    ...builtInRoles.map((role) => shownBuiltIn(role, call)),
    ...env.store.list(roleDefinitionType).map(({ id, name, type, body }) => ({
      ...body,
      id,
      type,
      name,
    })),
  ];
  const find = (call: ArmCall): JsonObject | undefined => {
    const name = nameOf(call.path).toLowerCase();
    return all(call).find((definition) => textAt(definition, 'name').toLowerCase() === name);
  };
  return {
    type: roleDefinitionType,
    list: (call) => ok({ value: all(call).filter(filterOf(call)) as Json }),
    get: (call) => {
      const found = find(call);
      if (found === undefined) throw doesNotExist(nameOf(call.path));
      return ok(found);
    },
    put: (call) => write(env, call),
    delete: (call) => {
      checkCustom(call);
      const found = find(call);
      if (found === undefined) return noContent;
      env.lifecycle.remove(textAt(found, 'id'));
      return ok(found);
    },
  };
}

function write(env: AzureEnvironment, call: ArmCall): ArmReply {
  checkCustom(call);
  const properties = objectAt(objectBody(call.body), 'properties');
  const roleName = stringAt(properties, 'roleName');
  const scopes = listAt(properties, 'assignableScopes');
  if (properties === undefined || roleName === undefined || scopes.length === 0) {
    throw new ArmError(
      400,
      'InvalidRoleDefinition',
      'The role definition needs a roleName and at least one assignable scope.',
    );
  }
  const body = { properties: { ...properties, type: 'CustomRole' } };
  const saved = env.lifecycle.save(call.id, roleDefinitionType, { body });
  const shown = { ...body, id: saved.id, type: saved.type, name: saved.name };
  return { status: 201, body: shown };
}

function checkCustom(call: ArmCall): void {
  const name = nameOf(call.path).toLowerCase();
  if (!builtInRoles.some((role) => role.id === name)) return;
  throw new ArmError(
    403,
    'RoleDefinitionUpdateNotPermitted',
    `The role definition '${name}' is built in and can not be changed.`,
  );
}

function doesNotExist(name: string): ArmError {
  return new ArmError(
    404,
    'RoleDefinitionDoesNotExist',
    `The specified role definition with ID '${name}' does not exist.`,
  );
}

function shownBuiltIn(role: RoleFacts, call: ArmCall): JsonObject {
  const place = call.path.subscriptionId === '' ? '' : `/subscriptions/${call.path.subscriptionId}`;
  return {
    id: `${place}/providers/${roleDefinitionType}/${role.id}`,
    type: roleDefinitionType,
    name: role.id,
    properties: {
      roleName: role.name,
      type: 'BuiltInRole',
      description: role.description,
      assignableScopes: ['/'],
      permissions: [
        {
          actions: [...role.actions],
          notActions: [...(role.notActions ?? [])],
          dataActions: [],
          notDataActions: [],
        },
      ],
    },
  };
}

/** `roleName eq 'Reader'`, `type eq 'CustomRole'`, also joined by `and`; atScope() leaves out nothing that we have. */
function filterOf(call: ArmCall): (definition: JsonObject) => boolean {
  const text = call.query.get('$filter') ?? '';
  const name = /roleName eq '([^']*)'/i.exec(text)?.[1]?.toLowerCase();
  const type = /type eq '([^']*)'/i.exec(text)?.[1]?.toLowerCase();
  return (definition) =>
    (name === undefined || textAt(definition, 'properties', 'roleName').toLowerCase() === name) &&
    (type === undefined || textAt(definition, 'properties', 'type').toLowerCase() === type);
}
