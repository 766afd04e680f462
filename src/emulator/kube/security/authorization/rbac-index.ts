// The stored roles and bindings, arranged by who is bound: what a check needs is found without a search.
// In: all roles and bindings at one moment. Out: for a subject, everything that it was granted.
import { objectsAt, stringAt, type JsonObject } from '../../json.ts';
import type { UserInfo } from '../../api.ts';
import type { ApiObject } from '../../object.ts';
import { serviceAccountUsername } from '../user.ts';
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { rulesOf, type PolicyRule } from './policy-rule.ts';

export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/** One binding as it concerns one subject. */
export interface Grant {
  /** The binding's place among all of them; the same for all of its subjects. */
  readonly order: number;
  readonly role: RoleReference;
  /** Undefined when the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** `ClusterRoleBinding "a" of ClusterRole "b" to Group "c"`. */
  readonly source: string;
}

export interface RbacObjects {
  readonly roles: readonly ApiObject[];
  readonly clusterRoles: readonly ApiObject[];
  readonly roleBindings: readonly ApiObject[];
  readonly clusterRoleBindings: readonly ApiObject[];
}

type GrantsBySubject = Map<string, Grant[]>;

const nothing: readonly Grant[] = [];

export class RbacIndex {
  readonly #clusterWide: GrantsBySubject = new Map();
  readonly #byNamespace = new Map<string, GrantsBySubject>();
  readonly #clusterRoles: ReadonlyMap<string, readonly PolicyRule[]>;
  readonly #roles: ReadonlyMap<string, readonly PolicyRule[]>;

  constructor(objects: RbacObjects) {
    this.#clusterRoles = byKey(objects.clusterRoles);
    this.#roles = byKey(objects.roles);
    let order = 0;
    for (const binding of objects.clusterRoleBindings) {
      this.#addBinding(binding, '', this.#clusterWide, order++);
    }
    for (const binding of objects.roleBindings) {
      const namespace = binding.metadata.namespace ?? '';
      this.#addBinding(binding, namespace, this.#namespace(namespace), order++);
    }
  }

  /** The rules of a role that a binding in this namespace refers to; undefined when there is none. */
  rulesOfRole(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    if (role.kind === 'ClusterRole') return this.#clusterRoles.get(`/${role.name}`);
    return this.#roles.get(`${namespace}/${role.name}`);
  }

  /** Cluster-wide grants, then those of the namespace. A binding may come more than once. */
  *grantsFor(user: UserInfo, namespace: string): Iterable<Grant> {
    const local = namespace === '' ? undefined : this.#byNamespace.get(namespace);
    for (const grants of [this.#clusterWide, local]) {
      if (grants === undefined) continue;
      yield* grants.get(userSubject(user.username)) ?? nothing;
      for (const group of user.groups) yield* grants.get(groupSubject(group)) ?? nothing;
    }
  }

  #namespace(namespace: string): GrantsBySubject {
    let grants = this.#byNamespace.get(namespace);
    if (grants === undefined) {
      grants = new Map();
      this.#byNamespace.set(namespace, grants);
    }
    return grants;
  }

  #addBinding(binding: ApiObject, namespace: string, grants: GrantsBySubject, order: number): void {
    const role = {
      kind: stringAt(binding, 'roleRef', 'kind') ?? '',
      name: stringAt(binding, 'roleRef', 'name') ?? '',
    };
    const rules = this.rulesOfRole(role, namespace);
    const { name } = binding.metadata;
    const title = namespace === '' ? name : `${name}/${namespace}`;
    const about = `${binding.kind} ${quote(title)} of ${role.kind} ${quote(role.name)}`;
    const seen = new Set<string>();
    for (const subject of objectsAt(binding, 'subjects')) {
      const id = subjectOf(subject, namespace);
      // Of two subjects that mean the same only the first is ever named.
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      const source = `${about} to ${describeSubject(subject, namespace)}`;
      const list = grants.get(id);
      if (list === undefined) grants.set(id, [{ order, role, rules, source }]);
      else list.push({ order, role, rules, source });
    }
  }
}

function byKey(roles: readonly ApiObject[]): ReadonlyMap<string, readonly PolicyRule[]> {
  return new Map(
    roles.map((role) => [`${role.metadata.namespace ?? ''}/${role.metadata.name}`, rulesOf(role)]),
  );
}

function userSubject(username: string): string {
  return `user ${username}`;
}

function groupSubject(group: string): string {
  return `group ${group}`;
}

/** Undefined for a subject that nobody can be. */
function subjectOf(subject: JsonObject, bindingNamespace: string): string | undefined {
  const name = stringAt(subject, 'name') ?? '';
  switch (stringAt(subject, 'kind')) {
    case 'User':
      return userSubject(name);
    case 'Group':
      return groupSubject(name);
    case 'ServiceAccount': {
      const namespace = namespaceOf(subject, bindingNamespace);
      return namespace === '' ? undefined : userSubject(serviceAccountUsername(namespace, name));
    }
    default:
      return undefined;
  }
}

function describeSubject(subject: JsonObject, bindingNamespace: string): string {
  const kind = stringAt(subject, 'kind') ?? '';
  const name = stringAt(subject, 'name') ?? '';
  const isAccount = kind === 'ServiceAccount';
  const title = isAccount ? `${name}/${namespaceOf(subject, bindingNamespace)}` : name;
  return `${kind} ${quote(title)}`;
}

function namespaceOf(subject: JsonObject, bindingNamespace: string): string {
  const namespace = stringAt(subject, 'namespace') ?? '';
  return namespace === '' ? bindingNamespace : namespace;
}
