// rbac.authorization.k8s.io: roles and bindings.
import { objectsAt, stringAt, textAt } from '../json.ts';
import { bindingStrategy, roleStrategy } from '../validation/access.ts';
import { builtIn } from './built-in-kind.ts';
import { ageColumn, column, createdAtColumn, nameColumn, wide } from './columns.ts';
import type { Column, ResourceKind } from './resource-kind.ts';

function subjects(kind: string): Column['cell'] {
  return (object) =>
    objectsAt(object, 'subjects')
      .filter((subject) => stringAt(subject, 'kind') === kind)
      .map((subject) => {
        const name = textAt(subject, 'name');
        return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
      })
      .join(', ');
}

const bindingColumns: readonly Column[] = [
  nameColumn,
  column(
    'Role',
    (object) => `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  ),
  ageColumn,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
];

const accessGroup = 'rbac.authorization.k8s.io';
const roleColumns = [nameColumn, createdAtColumn];

export const accessKinds: readonly ResourceKind[] = [
  builtIn({
    group: accessGroup,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    allColumns: bindingColumns,
    strategy: bindingStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    allColumns: roleColumns,
    strategy: roleStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    allColumns: bindingColumns,
    strategy: bindingStrategy,
  }),
  builtIn({
    group: accessGroup,
    kind: 'Role',
    plural: 'roles',
    allColumns: roleColumns,
    strategy: roleStrategy,
  }),
];
