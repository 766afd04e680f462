// How a node is summed up in one line: ready or not, its roles, and what it runs on.
import { objectsAt, stringAt, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { ageColumn, column, nameColumn, orNone, text, wide } from './columns.ts';
import type { Column } from './resource-kind.ts';
import { at } from '../json.ts';

function statusText(node: ApiObject): string {
  const ready = objectsAt(node, 'status', 'conditions').find(
    (condition) => stringAt(condition, 'type') === 'Ready',
  );
  const words: Readonly<Record<string, string>> = {
    True: 'Ready',
    False: 'NotReady',
    Unknown: 'NotReady',
  };
  const state = ready === undefined ? 'Unknown' : (words[textAt(ready, 'status')] ?? 'NotReady');
  return at(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesText(node: ApiObject): string {
  const labels = Object.entries(node.metadata.labels ?? {});
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix))
      return key.length > rolePrefix.length ? [key.slice(rolePrefix.length)] : [];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return orNone([...new Set(roles)].toSorted().join(','));
}

function address(type: string): Column['cell'] {
  return (node) => {
    const found = objectsAt(node, 'status', 'addresses').find(
      (item) => stringAt(item, 'type') === type,
    );
    return orNone(textAt(found, 'address'));
  };
}

function orUnknown(...path: readonly string[]): Column['cell'] {
  return (node) => {
    const value = textAt(node, ...path);
    return value === '' ? '<unknown>' : value;
  };
}

export const nodeColumns: readonly Column[] = [
  nameColumn,
  column('Status', statusText),
  column('Roles', rolesText),
  ageColumn,
  column('Version', text('status', 'nodeInfo', 'kubeletVersion')),
  wide('Internal-IP', address('InternalIP')),
  wide('External-IP', address('ExternalIP')),
  wide('OS-Image', orUnknown('status', 'nodeInfo', 'osImage')),
  wide('Kernel-Version', orUnknown('status', 'nodeInfo', 'kernelVersion')),
  wide('Container-Runtime', orUnknown('status', 'nodeInfo', 'containerRuntimeVersion')),
];
