// Role assignments: who has which role where. In: PUT, GET, DELETE at any scope, lists with Azure's filters. Out: the
// assignment, effective at once. Two assignments of one role to one principal at one scope cannot exist.
import type { Json } from '../../../api/meta.ts';
import { stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { noContent, ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { nameOf, toKey } from '../arm/resource-id.ts';
import { objectBody } from '../arm/validation.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { Resource } from '../store.ts';
import { roleAssignmentType, roleDefinitionType, roleIdOf } from './access.ts';
import { builtInRoles } from './built-in-roles.ts';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function roleAssignments(env: AzureEnvironment): ResourceType {
  const existing = (call: ArmCall): Resource => {
    const found = env.store.get(call.id);
    if (found !== undefined) return found;
    throw new ArmError(
      404,
      'RoleAssignmentNotFound',
      `The role assignment '${nameOf(call.path)}' is not found.`,
    );
  };
  return {
    type: roleAssignmentType,
    get: (call) => ok(shown(existing(call))),
    list: (call) => {
      const filter = filterOf(call);
      const found = env.store.list(roleAssignmentType).filter((assignment) => filter(assignment));
      return ok({ value: found.map((assignment) => shown(assignment)) as Json });
    },
    put: (call) => create(env, call),
    delete: (call) => {
      const found = env.store.get(call.id);
      if (found === undefined) return noContent;
      env.lifecycle.remove(found.id);
      return ok(shown(found));
    },
  };
}

/** Writes an assignment that nobody has asked for by request, such as the owner's. */
export function assignRole(
  env: AzureEnvironment,
  assignment: {
    readonly scope: string;
    readonly name: string;
    readonly roleId: string;
    readonly principalId: string;
  },
): void {
  const { scope, name, roleId, principalId } = assignment;
  env.lifecycle.save(`${scope}/providers/${roleAssignmentType}/${name}`, roleAssignmentType, {
    body: {
      properties: {
        roleDefinitionId: `/providers/${roleDefinitionType}/${roleId}`,
        principalId,
        principalType: 'ServicePrincipal',
        scope: scope === '' ? '/' : scope,
      },
    },
  });
}

function create(env: AzureEnvironment, call: ArmCall): ArmReply {
  const name = nameOf(call.path);
  if (!guid.test(name)) {
    throw new ArmError(
      400,
      'InvalidRoleAssignmentId',
      `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
    );
  }
  const body = objectBody(call.body);
  const principalId = stringAt(body, 'properties', 'principalId') ?? '';
  const roleId = checkedRole(env, body);
  checkPrincipal(env, body, principalId);
  const scope = call.path.scope === '' ? '/' : call.path.scope;
  const current = env.store.get(call.id);
  if (current !== undefined) return unchanged(current, { principalId, roleId });
  checkUnique(env, { scope, principalId, roleId });
  const moment = new Date(env.clock.now()).toISOString();
  const saved = env.lifecycle.save(call.id, roleAssignmentType, {
    body: {
      properties: {
        ...(body['properties'] as JsonObject),
        scope,
        createdOn: moment,
        updatedOn: moment,
        createdBy: call.caller.objectId,
        updatedBy: call.caller.objectId,
      },
    },
  });
  return { status: 201, body: shown(saved) };
}

function unchanged(
  current: Resource,
  asked: { readonly principalId: string; readonly roleId: string },
): ArmReply {
  const isSame =
    textAt(current.body, 'properties', 'principalId') === asked.principalId &&
    roleIdOf(current.body) === asked.roleId;
  if (isSame) return ok(shown(current));
  throw new ArmError(
    403,
    'RoleAssignmentUpdateNotPermitted',
    'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
  );
}

function checkedRole(env: AzureEnvironment, body: JsonObject): string {
  const roleId = roleIdOf(body) ?? '';
  const isKnown =
    builtInRoles.some((role) => role.id === roleId) ||
    env.store.list(roleDefinitionType).some((role) => role.name.toLowerCase() === roleId);
  if (isKnown) return roleId;
  throw new ArmError(
    400,
    'RoleDefinitionDoesNotExist',
    `The specified role definition with ID '${roleId}' does not exist.`,
  );
}

/** With a type given, Azure believes the caller: a new principal may not have arrived everywhere. */
function checkPrincipal(env: AzureEnvironment, body: JsonObject, principalId: string): void {
  if (!guid.test(principalId)) {
    throw new ArmError(
      400,
      'InvalidPrincipalId',
      `A valid principal ID must be provided for role assignment.`,
    );
  }
  if (stringAt(body, 'properties', 'principalType') !== undefined) return;
  if (env.directory.byObjectId(principalId) !== undefined) return;
  throw new ArmError(
    400,
    'PrincipalNotFound',
    `Principal ${principalId.replaceAll('-', '')} does not exist in the directory ${env.tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.  See https://aka.ms/docs-principaltype`,
  );
}

function checkUnique(
  env: AzureEnvironment,
  asked: { readonly scope: string; readonly principalId: string; readonly roleId: string },
): void {
  const twin = env.store
    .list(roleAssignmentType)
    .find(
      ({ body }) =>
        toKey(textAt(body, 'properties', 'scope')) === toKey(asked.scope) &&
        textAt(body, 'properties', 'principalId') === asked.principalId &&
        roleIdOf(body) === asked.roleId,
    );
  if (twin === undefined) return;
  throw new ArmError(
    409,
    'RoleAssignmentExists',
    `The role assignment already exists. The ID of the existing role assignment is ${twin.name.replaceAll('-', '')}.`,
  );
}

function shown({ id, type, name, body }: Resource): JsonObject {
  return { ...body, id, type, name };
}

/** Without a filter a scope shows what holds at it, above it and below it. */
function filterOf(call: ArmCall): (assignment: Resource) => boolean {
  const text = call.query.get('$filter') ?? '';
  const here = toKey(call.path.scope);
  const onlyHere = /atScope\(\)/i.test(text);
  const principal = /(?:principalId eq|assignedTo\()\s*'([^']*)'/i.exec(text)?.[1]?.toLowerCase();
  return ({ body }) => {
    const scope = toKey(textAt(body, 'properties', 'scope'));
    const isAbove = scope === '' || scope === '/' || here === scope || here.startsWith(`${scope}/`);
    const isSeen = isAbove || (!onlyHere && scope.startsWith(`${here}/`));
    const owner = textAt(body, 'properties', 'principalId').toLowerCase();
    return isSeen && (principal === undefined || owner === principal);
  };
}
