// Role-based access control over the stored roles and bindings. In: a request. Out: allowed by which binding, or
// not, with what could not be looked up.
// 1. A check sees every role and binding written before it.
// 2. The index is rebuilt at the first check after a change to them, and by nothing else.
import type { UserInfo } from '../../api.ts';
import type { AuthorizationDecision, AuthorizationRequest } from '../../ports.ts';
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { follow, tables, type StoredObjects } from '../stored-objects.ts';
import { ruleAllows, type PolicyRule } from './policy-rule.ts';
import { RbacIndex, type Grant, type RoleReference } from './rbac-index.ts';

/** All that a user may do in a namespace, and the roles it was bound to that do not exist. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleReference[];
}

export class RbacAuthorizer {
  readonly #objects: StoredObjects;
  readonly #followers: readonly Disposable[];
  #index: RbacIndex | undefined;

  constructor(objects: StoredObjects) {
    this.#objects = objects;
    this.#followers = [
      tables.roles,
      tables.roleBindings,
      tables.clusterRoles,
      tables.clusterRoleBindings,
    ].map((table) => follow(objects, table, () => (this.#index = undefined)));
  }

  authorize(request: AuthorizationRequest): AuthorizationDecision {
    const missing = new Map<string, RoleReference>();
    for (const grant of this.#grants(request.user, request.resource?.namespace ?? '')) {
      if (grant.rules === undefined)
        missing.set(`${grant.role.kind} ${grant.role.name}`, grant.role);
      else if (grant.rules.some((rule) => ruleAllows(rule, request))) {
        return { allowed: true, reason: `RBAC: allowed by ${grant.source}` };
      }
    }
    if (missing.size === 0) return { allowed: false, reason: '' };
    return { allowed: false, reason: `RBAC: ${describeMissing([...missing.values()])}` };
  }

  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const byOrder = new Map<number, Grant>();
    for (const grant of this.#grants(user, namespace)) byOrder.set(grant.order, grant);
    const grants = [...byOrder.values()].toSorted((a, b) => a.order - b.order);
    return {
      rules: grants.flatMap((grant) => grant.rules ?? []),
      missing: grants.filter((grant) => grant.rules === undefined).map((grant) => grant.role),
    };
  }

  rulesOfRole(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#current().rulesOfRole(role, namespace);
  }

  close(): void {
    for (const follower of this.#followers) follower[Symbol.dispose]();
  }

  #grants(user: UserInfo, namespace: string): Iterable<Grant> {
    return this.#current().grantsFor(user, namespace);
  }

  #current(): RbacIndex {
    this.#index ??= new RbacIndex({
      roles: this.#objects.all(tables.roles),
      clusterRoles: this.#objects.all(tables.clusterRoles),
      roleBindings: this.#objects.all(tables.roleBindings),
      clusterRoleBindings: this.#objects.all(tables.clusterRoleBindings),
    });
    return this.#index;
  }
}

/** Bare when it is one, in brackets when there are several; repeats once. */
export function describeMissing(
  roles: readonly RoleReference[],
  resource: (role: RoleReference) => string = (role) => role.kind.toLowerCase(),
): string {
  const lines = roles.map(
    (role) => `${resource(role)}.rbac.authorization.k8s.io ${quote(role.name)} not found`,
  );
  const unique = [...new Set(lines)];
  return unique.length === 1 ? unique.join('') : `[${unique.join(', ')}]`;
}
