// Fields of others that an applied configuration would change. In: the managers and what would be written. Out: one
// conflict per manager and field, and the server's words for them.
import type { Manager, Managers } from './managed-fields.ts';
import type { FieldSet, Path } from './field-set.ts';
import { pathText } from './path-element.ts';
import type { Refusal } from './refusal.ts';

export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

/** Of all managers but `self`, in the order of their names and paths. */
export function conflictsOf(managers: Managers, written: FieldSet, self: string): Conflict[] {
  return [...managers]
    .filter(([id]) => id !== self)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, manager]) =>
      [...manager.fields.intersection(written).paths()].map((path) => ({ manager, path })),
    );
}

export function conflictRefusal(conflicts: readonly Conflict[]): Refusal {
  return {
    code: 409,
    reason: 'Conflict',
    message: messageOf(conflicts),
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    })),
  };
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first, ...more] = conflicts;
  if (first !== undefined && more.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const byManager = Map.groupBy(conflicts, ({ manager }) => manager);
  const lines = [...byManager].flatMap(([manager, its]) => [
    `conflicts with ${managerText(manager)}:`,
    ...its.map(({ path }) => `- ${pathText(path)}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ name, subresource, operation, apiVersion }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(name)}${through}${using}`;
}
