// Who may do what where. In: a principal, an action and a scope. Out: yes, or AuthorizationFailed in Azure's words.
// A role assignment holds at its scope and everywhere below; a role's notActions take away only from the same role.
import { stringAt, textAt, listAt, type JsonObject } from '../../kube/json.ts';
import type { ArmCall, Caller } from '../arm/arm-call.ts';
import { toKey } from '../arm/resource-id.ts';
import { ArmError } from '../errors.ts';
import type { ResourceStore } from '../store.ts';
import { builtInRoles } from './built-in-roles.ts';

/** A right that a request needs on another resource than the one it addresses. */
export interface LinkedAccess {
  readonly action: string;
  readonly scope: string;
}

export const roleAssignmentType = 'Microsoft.Authorization/roleAssignments';
export const roleDefinitionType = 'Microsoft.Authorization/roleDefinitions';

interface Permission {
  readonly actions: readonly RegExp[];
  readonly notActions: readonly RegExp[];
}

interface Grant {
  readonly scope: string;
  readonly permissions: readonly Permission[];
}

export class Access {
  readonly #store: ResourceStore;
  readonly #builtIn: ReadonlyMap<string, readonly Permission[]>;
  /** By principal; made anew after any change of roles or assignments. */
  #grants: Map<string, Grant[]> | undefined;

  constructor(store: ResourceStore) {
    this.#store = store;
    this.#builtIn = new Map(builtInRoles.map((role) => [role.id, [toPermission(role)]]));
    store.onChange(({ before, after }) => {
      const type = (after ?? before)?.type;
      if (type === roleAssignmentType || type === roleDefinitionType) this.#grants = undefined;
    });
  }

  isAllowed(objectId: string, action: string, scope: string): boolean {
    const key = toKey(scope);
    return this.#grantsOf(objectId).some(
      (grant) => covers(grant.scope, key) && grant.permissions.some((one) => permits(one, action)),
    );
  }

  /** True for who has any role at all in a subscription or below. */
  hasAnyRole(objectId: string, subscriptionId: string): boolean {
    const key = toKey(`/subscriptions/${subscriptionId}`);
    return this.#grantsOf(objectId).some(
      ({ scope }) => covers(scope, key) || scope.startsWith(`${key}/`),
    );
  }

  require(caller: Caller, action: string, scope: string): void {
    if (this.isAllowed(caller.objectId, action, scope)) return;
    throw authorizationFailed(caller, action, scope);
  }

  requireLinked(call: ArmCall, links: readonly LinkedAccess[]): void {
    const missing = links.filter(
      ({ action, scope }) => !this.isAllowed(call.caller.objectId, action, scope),
    );
    if (missing.length > 0) throw linkedAuthorizationFailed(call, missing);
  }

  #grantsOf(objectId: string): readonly Grant[] {
    this.#grants ??= this.#readGrants();
    return this.#grants.get(objectId.toLowerCase()) ?? [];
  }

  #readGrants(): Map<string, Grant[]> {
    const grants = new Map<string, Grant[]>();
    for (const assignment of this.#store.list(roleAssignmentType)) {
      const properties = assignment.body['properties'];
      const principal = textAt(properties, 'principalId').toLowerCase();
      const role = textAt(properties, 'roleDefinitionId').split('/').at(-1) ?? '';
      const grant = {
        scope: toKey(textAt(properties, 'scope')),
        permissions: this.#permissionsOf(role.toLowerCase()),
      };
      grants.set(principal, [...(grants.get(principal) ?? []), grant]);
    }
    return grants;
  }

  #permissionsOf(roleId: string): readonly Permission[] {
    const builtIn = this.#builtIn.get(roleId);
    if (builtIn !== undefined) return builtIn;
    const custom = this.#store
      .list(roleDefinitionType)
      .find((definition) => definition.name.toLowerCase() === roleId);
    return listAt(custom?.body, 'properties', 'permissions').map((permission) =>
      toPermission({
        actions: textsAt(permission as JsonObject, 'actions'),
        notActions: textsAt(permission as JsonObject, 'notActions'),
      }),
    );
  }
}

export function authorizationFailed(caller: Caller, action: string, scope: string): ArmError {
  return new ArmError(
    403,
    'AuthorizationFailed',
    `The client '${caller.name}' with object id '${caller.objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  );
}

function linkedAuthorizationFailed(call: ArmCall, missing: readonly LinkedAccess[]): ArmError {
  const actions = missing.map((link) => link.action).join(',');
  const scopes = missing.map((link) => link.scope).join(',');
  return new ArmError(
    403,
    'LinkedAuthorizationFailed',
    `The client '${call.caller.name}' with object id '${call.caller.objectId}' has permission to perform action '${call.operation}' on scope '${call.id}'; however, it does not have permission to perform action(s) '${actions}' on the linked scope(s) '${scopes}' (respectively) or the linked scope(s) are invalid.`,
  );
}

function covers(scope: string, key: string): boolean {
  return scope === '' || scope === '/' || key === scope || key.startsWith(`${scope}/`);
}

function permits(permission: Permission, action: string): boolean {
  return (
    permission.actions.some((pattern) => pattern.test(action)) &&
    !permission.notActions.some((pattern) => pattern.test(action))
  );
}

function toPermission(role: {
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
}): Permission {
  return {
    actions: role.actions.map((action) => actionPattern(action)),
    notActions: (role.notActions ?? []).map((action) => actionPattern(action)),
  };
}

// A star between slashes stands for nothing too: that is how Managed Identity Operator may read an identity.
function actionPattern(action: string): RegExp {
  const escaped = action.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped.replaceAll('/*/', '(/.*)?/').replaceAll(/(?<!\.)\*/g, '.*');
  return new RegExp(`^${pattern}$`, 'i');
}

function textsAt(value: JsonObject, field: string): string[] {
  return listAt(value, field).filter((item) => typeof item === 'string');
}

/** The last segment of a role definition's id. */
export function roleIdOf(body: JsonObject): string | undefined {
  return stringAt(body, 'properties', 'roleDefinitionId')?.split('/').at(-1)?.toLowerCase();
}
