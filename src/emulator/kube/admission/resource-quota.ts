// ResourceQuotas at work: what a new object would use must still be free in every quota of its namespace. Use is counted
// from the store at the moment of the write; keeping the status of a quota up to date is a controller's work.
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../../../model/quantity.ts';
import type { Json } from '../../../api/meta.ts';
import { objectAt, objectsAt, scalarText, stringAt, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin } from '../ports.ts';
import { forbidden } from '../status-error.ts';
import { hasScopes, isInScopes } from './quota-scope.ts';
import type { Store } from '../store/store.ts';

type Amounts = Map<string, Quantity>;

function add(amounts: Amounts, name: string, value: Json | undefined): void {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const quantity = parseQuantity(value);
  const before = amounts.get(name);
  amounts.set(name, before === undefined ? quantity : addQuantities(before, quantity));
}

/** What one pod counts for; a finished one counts for nothing. */
function podUse(pod: ApiObject): Amounts {
  const use: Amounts = new Map();
  const phase = stringAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return use;
  add(use, 'pods', 1);
  add(use, 'count/pods', 1);
  for (const container of objectsAt(pod, 'spec', 'containers')) {
    for (const [name, value] of Object.entries(
      objectAt(container, 'resources', 'requests') ?? {},
    )) {
      add(use, `requests.${name}`, value);
      if (name === 'cpu' || name === 'memory') add(use, name, value);
    }
    for (const [name, value] of Object.entries(objectAt(container, 'resources', 'limits') ?? {})) {
      add(use, `limits.${name}`, value);
    }
  }
  return use;
}

const counted: ReadonlySet<string> = new Set([
  'services',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
]);

function useOf(group: string, resource: string, object: ApiObject): Amounts {
  if (group === '' && resource === 'pods') return podUse(object);
  const use: Amounts = new Map();
  add(use, `count/${group === '' ? resource : `${resource}.${group}`}`, 1);
  if (group === '' && counted.has(resource)) add(use, resource, 1);
  if (group === '' && resource === 'persistentvolumeclaims') {
    add(use, 'requests.storage', stringAt(object, 'spec', 'resources', 'requests', 'storage'));
  }
  return use;
}

function sumOf(
  objects: readonly ApiObject[],
  kind: { readonly group: string; readonly resource: string },
): Amounts {
  const total: Amounts = new Map();
  for (const object of objects) {
    for (const [name, quantity] of useOf(kind.group, kind.resource, object)) {
      const before = total.get(name);
      total.set(name, before === undefined ? quantity : addQuantities(before, quantity));
    }
  }
  return total;
}

function texts(names: readonly string[], amounts: (name: string) => Quantity | undefined): string {
  return names
    .map((name) => {
      const quantity = amounts(name);
      return `${name}=${quantity === undefined ? '0' : formatQuantity(quantity)}`;
    })
    .join(',');
}

const needed: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

/** What is limited in sum every container must ask for: `cpu for: web`, or nothing. */
function unsaidBy(pod: ApiObject | undefined, name: string): readonly string[] {
  if (pod === undefined || !needed.has(name)) return [];
  const [field = '', resource = ''] = name.includes('.') ? name.split('.') : ['requests', name];
  const silent = ['containers', 'initContainers']
    .flatMap((list) => objectsAt(pod, 'spec', list))
    .filter((container) => objectAt(container, 'resources', field)?.[resource] === undefined)
    .map((container) => textAt(container, 'name'));
  return silent.length === 0 ? [] : [`${name} for: ${silent.toSorted().join(',')}`];
}

function check(options: {
  readonly quota: ApiObject;
  readonly use: Amounts;
  readonly used: Amounts;
  readonly refuse: (why: string) => Error;
  /** The object, if it is one. */
  readonly pod: ApiObject | undefined;
}): void {
  const { quota, use, used, refuse, pod } = options;
  const hard: JsonObject = objectAt(quota, 'spec', 'hard') ?? {};
  const names = Object.keys(hard).toSorted();
  const unsaid = names.flatMap((name) => unsaidBy(pod, name));
  if (unsaid.length > 0) {
    throw refuse(`failed quota: ${quota.metadata.name}: must specify ${unsaid.join('; ')}`);
  }
  const limit = (name: string): Quantity => parseQuantity(scalarText(hard[name]));
  const over = names.filter((name) => {
    const wanted = use.get(name);
    if (wanted === undefined) return false;
    const before = used.get(name);
    const total = before === undefined ? wanted : addQuantities(before, wanted);
    return compareQuantities(total, limit(name)) > 0;
  });
  if (over.length === 0) return;
  throw refuse(
    `exceeded quota: ${quota.metadata.name}, requested: ${texts(over, (name) => use.get(name))}, used: ${texts(over, (name) => used.get(name))}, limited: ${texts(over, limit)}`,
  );
}

/** The objects that a quota counts, if it is about the new one at all. */
function seenBy(
  quota: ApiObject,
  object: ApiObject,
  all: { readonly isPod: boolean; readonly present: readonly ApiObject[] },
): readonly ApiObject[] | undefined {
  if (!hasScopes(quota)) return all.present;
  if (!all.isPod || !isInScopes(quota, object)) return undefined;
  return all.present.filter((pod) => isInScopes(quota, pod));
}

export function resourceQuota(store: Store): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    validate: (object, request) => {
      const { operation, group, resource, subresource, namespace, name } = request;
      if (operation !== 'CREATE' || subresource !== '' || namespace === '') return;
      const quotas = store.all('/resourcequotas', `${namespace}/`);
      if (quotas.length === 0) return;
      const kind = { group, resource };
      const use = useOf(group, resource, object);
      const isPod = group === '' && resource === 'pods';
      const present = store.all(`${group}/${resource}`, `${namespace}/`);
      const refuse = (why: string): Error => forbidden(kind, name, why);
      for (const quota of quotas) {
        const seen = seenBy(quota, object, { isPod, present });
        if (seen === undefined) continue;
        const used = sumOf(seen, kind);
        check({ quota, use, used, refuse, pod: isPod ? object : undefined });
      }
    },
  };
}
