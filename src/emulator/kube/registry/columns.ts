// Cells that many kinds share, and how the server writes ages and lists in them. In: an object. Out: the text that
// `kubectl get` prints.
import type { Json } from '../../../api/meta.ts';
import { at, isObject, listAt, objectAt, objectsAt, scalarText, textAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Column } from './resource-kind.ts';

type Cell = Column['cell'];

export function column(name: string, cell: Cell, type: Column['type'] = 'string'): Column {
  return { name, type, description: `${name} of the object.`, cell };
}

/** Shown by `-o wide` only. */
export function wide(name: string, cell: Cell, type: Column['type'] = 'string'): Column {
  return { ...column(name, cell, type), priority: 1 };
}

export const nameColumn: Column = {
  ...column('Name', (object) => object.metadata.name),
  format: 'name',
};

export const ageColumn: Column = column('Age', (object, nowMs) =>
  age(object.metadata.creationTimestamp, nowMs),
);

export const createdAtColumn: Column = column(
  'Created At',
  (object) => object.metadata.creationTimestamp ?? null,
  'date',
);

export function age(timestamp: string | undefined, nowMs: number): string {
  if (timestamp === undefined) return '<unknown>';
  return shortDuration(nowMs - Date.parse(timestamp));
}

/** From below this many seconds: the unit, its length, and the next smaller unit where it still matters. */
const durationSteps: readonly (readonly [
  below: number,
  unit: string,
  length: number,
  rest?: string,
])[] = [
  [120, 's', 1],
  [600, 'm', 60, 's'],
  [180 * 60, 'm', 60],
  [8 * 3600, 'h', 3600, 'm'],
  [48 * 3600, 'h', 3600],
  [8 * 86_400, 'd', 86_400, 'h'],
  [730 * 86_400, 'd', 86_400],
  [8 * 365 * 86_400, 'y', 365 * 86_400, 'd'],
  [Infinity, 'y', 365 * 86_400],
];

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Two units at most, and only one where the second no longer matters. */
export function shortDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  // A clock that runs a little ahead is no reason for alarm.
  if (seconds < 0) return seconds < -1 ? '<invalid>' : '0s';
  const step = durationSteps.find(([below]) => seconds < below);
  if (step === undefined) return '<invalid>';
  const [, unit, length, rest] = step;
  const large = `${Math.floor(seconds / length)}${unit}`;
  const small = rest === undefined ? 0 : Math.floor((seconds % length) / (unitSeconds[rest] ?? 1));
  return small === 0 ? large : `${large}${small}${rest}`;
}

/** Text at a path, or what stands for nothing. */
export function text(...path: readonly string[]): Cell {
  return (object) => textAt(object, ...path);
}

export function textOr(none: string, ...path: readonly string[]): Cell {
  return (object) => {
    const found = at(object, ...path);
    return found === undefined || found === null || found === '' ? none : scalarText(found);
  };
}

/** A number at a path; zero where there is none. */
export function count(...path: readonly string[]): Cell {
  return (object) => {
    const found = at(object, ...path);
    return typeof found === 'number' ? found : 0;
  };
}

export function flag(...path: readonly string[]): Cell {
  return (object) => at(object, ...path) === true;
}

export function lengthOf(...path: readonly string[]): Cell {
  return (object) => listAt(object, ...path).length;
}

/** `a=1,b in (2,3),!c`, as a selector reads on a command line. */
export function selectorText(selector: Json | undefined): string {
  const labels = labelText(objectAt(selector, 'matchLabels'));
  const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };
  const expressions = objectsAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key');
    const operator = textAt(expression, 'operator');
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    const values = listAt(expression, 'values').map((value) => scalarText(value));
    return `${key} ${operators[operator] ?? operator} (${values.toSorted().join(',')})`;
  });
  return [...(labels === '' ? [] : [labels]), ...expressions].join(',');
}

export function labelText(labels: Json | undefined): string {
  if (!isObject(labels)) return '';
  const entries = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${scalarText(value)}`).join(',');
}

export function orNone(value: string): string {
  return value === '' ? '<none>' : value;
}

/** Names and images of the containers of a pod template, and the selector that finds its pods. */
export function templateColumns(
  template: readonly string[] = ['spec', 'template', 'spec'],
  selector: readonly string[] = ['spec', 'selector'],
): readonly Column[] {
  const containers =
    (field: string): Cell =>
    (object) =>
      objectsAt(object, ...template, 'containers')
        .map((container) => textAt(container, field))
        .join(',');
  return [
    wide('Containers', containers('name')),
    wide('Images', containers('image')),
    wide('Selector', (object) => orNone(selectorText(at(object, ...selector)))),
  ];
}

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export function accessModes(...path: readonly string[]): Cell {
  return (object) => {
    const found = new Set(listAt(object, ...path).map((mode) => scalarText(mode)));
    return Object.entries(modes)
      .filter(([mode]) => found.has(mode))
      .map(([, short]) => short)
      .join(',');
  };
}

/** The controller that owns the object, as `kind.group/name`. */
export function ownerText(object: ApiObject): string {
  const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  const suffix = group === '' ? '' : `.${group}`;
  return `${owner.kind.toLowerCase()}${suffix}/${owner.name}`;
}
