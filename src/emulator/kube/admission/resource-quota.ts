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
import { objectAt, objectsAt, scalarText, stringAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin } from '../ports.ts';
import { forbidden } from '../status-error.ts';
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

function present(
  store: Store,
  table: string,
  namespace: string,
  kind: { group: string; resource: string },
): Amounts {
  const total: Amounts = new Map();
  for (const object of store.all(table, `${namespace}/`)) {
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

function check(options: {
  readonly quota: ApiObject;
  readonly use: Amounts;
  readonly used: Amounts;
  readonly refuse: (why: string) => Error;
  readonly isPod: boolean;
}): void {
  const { quota, use, used, refuse, isPod } = options;
  const hard: JsonObject = objectAt(quota, 'spec', 'hard') ?? {};
  const names = Object.keys(hard).toSorted();
  const unsaid = isPod ? names.filter((name) => needed.has(name) && !use.has(name)) : [];
  if (unsaid.length > 0) {
    throw refuse(`failed quota: ${quota.metadata.name}: must specify ${unsaid.join(',')}`);
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

export function resourceQuota(store: Store): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    validate: (object, request) => {
      const { operation, group, resource, subresource, namespace, name } = request;
      if (operation !== 'CREATE' || subresource !== '' || namespace === '') return;
      const quotas = store.all('/resourcequotas', `${namespace}/`);
      if (quotas.length === 0) return;
      const use = useOf(group, resource, object);
      const used = present(store, `${group}/${resource}`, namespace, { group, resource });
      for (const quota of quotas) {
        // Scoped quotas see only some of the pods, which is more than is counted here.
        if (objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions').length > 0) continue;
        check({
          quota,
          use,
          used,
          refuse: (why) => forbidden({ group, resource }, name, why),
          isPod: group === '' && resource === 'pods',
        });
      }
    },
  };
}
