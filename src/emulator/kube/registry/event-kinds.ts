// Events, which have two faces: core/v1, in which they are kept, and events.k8s.io/v1, which names half of the fields
// differently. In: an event of one. Out: the same event as the other; no field is lost on the way there and back.
import type { Json } from '../../../api/meta.ts';
import { at, numberAt, stringAt, textAt, withDefaults } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { builtIn } from './built-in-kind.ts';
import { age, column, nameColumn, text, wide } from './columns.ts';
import type { Column, ResourceKind, Strategy } from './resource-kind.ts';

function firstSeen(event: ApiObject, nowMs: number): string {
  return age(stringAt(event, 'firstTimestamp') ?? stringAt(event, 'eventTime'), nowMs);
}

function lastSeen(event: ApiObject, nowMs: number): string {
  const observed = stringAt(event, 'series', 'lastObservedTime');
  const last = observed ?? stringAt(event, 'lastTimestamp');
  return last === undefined ? firstSeen(event, nowMs) : age(last, nowMs);
}

function objectText(event: ApiObject): string {
  const kind = textAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = textAt(event, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function sourceText(event: ApiObject): string {
  const component = textAt(event, 'source', 'component');
  const isNew = component === '';
  const parts = isNew
    ? [stringAt(event, 'reportingComponent'), stringAt(event, 'reportingInstance')]
    : [component, stringAt(event, 'source', 'host')];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

export const eventColumns: readonly Column[] = [
  column('Last Seen', lastSeen),
  column('Type', text('type')),
  column('Reason', text('reason')),
  column('Object', objectText),
  wide('Subobject', text('involvedObject', 'fieldPath')),
  wide('Source', sourceText),
  column('Message', (event) => textAt(event, 'message').trim()),
  wide('First Seen', firstSeen),
  wide(
    'Count',
    (event) => numberAt(event, 'series', 'count') ?? Math.max(1, numberAt(event, 'count') ?? 1),
  ),
  { ...nameColumn, priority: 1 },
];

/** Written even when they are empty, and then nobody's. */
const alwaysThere = {
  eventTime: null,
  firstTimestamp: null,
  lastTimestamp: null,
  reportingComponent: '',
  reportingInstance: '',
  source: {},
};

export const eventStrategy: Strategy = {
  allowCreateOnUpdate: true,
  prepareForCreate: (event) => withDefaults(event, alwaysThere),
  prepareForUpdate: (event) => withDefaults(event, alwaysThere),
};

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function selectors(prefix: string): ResourceKind['fieldSelectors'] {
  return Object.fromEntries(
    involved.map((field) => [
      `${prefix}.${field}`,
      (event: ApiObject) => textAt(event, prefix, field),
    ]),
  );
}

export const eventSelectors: ResourceKind['fieldSelectors'] = {
  ...selectors('involvedObject'),
  reason: (event) => textAt(event, 'reason'),
  reportingComponent: (event) => textAt(event, 'reportingComponent'),
  source: (event) => stringAt(event, 'source', 'component') ?? textAt(event, 'reportingComponent'),
  type: (event) => textAt(event, 'type'),
};

/** [core/v1, events.k8s.io/v1] */
const renamed: readonly (readonly [string, string])[] = [
  ['message', 'note'],
  ['involvedObject', 'regarding'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

const toNewName = new Map(renamed);
const toOldName = new Map(renamed.map(([old, fresh]) => [fresh, old]));

function rename(
  object: ApiObject,
  names: ReadonlyMap<string, string>,
  apiVersion: string,
): ApiObject {
  const entries = Object.entries(object).map(([name, value]): [string, Json] => [
    names.get(name) ?? name,
    value,
  ]);
  return { ...(Object.fromEntries(entries) as ApiObject), apiVersion };
}

const shown = new WeakMap<ApiObject, ApiObject>();

function toNew(stored: ApiObject): ApiObject {
  let event = shown.get(stored);
  if (event === undefined) {
    event = rename(stored, toNewName, 'events.k8s.io/v1');
    shown.set(stored, event);
  }
  return event;
}

export const newEvents: ResourceKind = builtIn({
  group: 'events.k8s.io',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  allColumns: eventColumns.map((entry) => ({
    ...entry,
    cell: (event, nowMs) => entry.cell(rename(event, toOldName, 'v1'), nowMs),
  })),
  fieldSelectors: {
    ...selectors('regarding'),
    reason: (event) => textAt(event, 'reason'),
    reportingController: (event) => textAt(event, 'reportingController'),
    type: (event) => textAt(event, 'type'),
  },
  strategy: {
    allowCreateOnUpdate: true,
    validate: (event) => missingFields(event),
  },
  storage: '/events',
  convert: { fromStorage: toNew, toStorage: (event) => rename(event, toOldName, 'v1') },
});

function missingFields(event: ApiObject) {
  const required = ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason'];
  return required
    .filter((field) => (at(event, field) ?? '') === '')
    .map((field) => ({ field, type: 'Required' as const, detail: '' }));
}
