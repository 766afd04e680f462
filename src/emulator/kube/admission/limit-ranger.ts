// LimitRanges at work: fills in what containers left out, and refuses those that ask for too much or too little.
import { compareQuantities, parseQuantity, type Quantity } from '../../../model/quantity.ts';
import type { Json } from '../../../api/meta.ts';
import {
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  withDefaults,
  withValue,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../ports.ts';
import { forbidden } from '../status-error.ts';
import type { Store } from '../store/store.ts';
import { eachObject } from '../validation/pod-defaults.ts';

const annotation = 'kubernetes.io/limit-ranger';

function limitsOf(store: Store, namespace: string, type: string): readonly JsonObject[] {
  return store
    .all('/limitranges', `${namespace}/`)
    .flatMap((range) => [...objectsAt(range, 'spec', 'limits')])
    .filter((item) => stringAt(item, 'type') === type);
}

function amount(value: Json | undefined): Quantity | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
}

function isNewPod(request: AdmissionRequest): boolean {
  const { operation, group, resource, subresource } = request;
  return operation === 'CREATE' && group === '' && resource === 'pods' && subresource === '';
}

interface Filled {
  readonly container: JsonObject;
  readonly notes: readonly string[];
}

const sources = [
  { field: 'requests', source: 'defaultRequest', word: 'request' },
  { field: 'limits', source: 'default', word: 'limit' },
] as const;

function fill(container: JsonObject, limits: readonly JsonObject[], title: string): Filled {
  const notes: string[] = [];
  let filled = container;
  for (const { field, source, word } of sources) {
    for (const item of limits) {
      const present = objectAt(filled, 'resources', field) ?? {};
      const defaults = objectAt(item, source) ?? {};
      const missing = Object.keys(defaults).filter((name) => present[name] === undefined);
      if (missing.length === 0) continue;
      filled = withValue(filled, ['resources', field], withDefaults(present, defaults));
      notes.push(
        `${missing.toSorted().join(', ')} ${word} for ${title} ${textAt(container, 'name')}`,
      );
    }
  }
  return { container: filled, notes };
}

function withDefaultsOf(pod: ApiObject, limits: readonly JsonObject[]): ApiObject {
  const notes: string[] = [];
  const change = (title: string) => (container: JsonObject) => {
    const filled = fill(container, limits, title);
    notes.push(...filled.notes);
    return filled.container;
  };
  const spec = objectAt(pod, 'spec') ?? {};
  const changed = eachObject(
    eachObject(spec, 'containers', change('container')),
    'initContainers',
    change('init container'),
  );
  if (notes.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return { ...pod, spec: changed, metadata: { ...pod.metadata, annotations } };
}

function breaches(container: JsonObject, item: JsonObject): readonly string[] {
  const requests = objectAt(container, 'resources', 'requests') ?? {};
  const limits = objectAt(container, 'resources', 'limits') ?? {};
  const least = Object.entries(objectAt(item, 'min') ?? {}).flatMap(([name, bound]) => {
    const wanted = amount(requests[name]);
    const floor = amount(bound);
    if (floor === undefined) return [];
    const head = `minimum ${name} usage per Container is ${scalarText(bound)}`;
    if (wanted === undefined) return [`${head}.  No request is specified`];
    return compareQuantities(wanted, floor) < 0
      ? [`${head}, but request is ${scalarText(requests[name])}`]
      : [];
  });
  const most = Object.entries(objectAt(item, 'max') ?? {}).flatMap(([name, bound]) => {
    const wanted = amount(limits[name]);
    const ceiling = amount(bound);
    if (ceiling === undefined) return [];
    const head = `maximum ${name} usage per Container is ${scalarText(bound)}`;
    if (wanted === undefined) return [`${head}.  No limit is specified`];
    return compareQuantities(wanted, ceiling) > 0
      ? [`${head}, but limit is ${scalarText(limits[name])}`]
      : [];
  });
  return [...least, ...most];
}

export function limitRanger(store: Store): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    mutate: (pod, request) => {
      if (!isNewPod(request)) return pod;
      const limits = limitsOf(store, request.namespace, 'Container');
      return limits.length === 0 ? pod : withDefaultsOf(pod, limits);
    },
    validate: (pod, request) => {
      if (!isNewPod(request)) return;
      const limits = limitsOf(store, request.namespace, 'Container');
      const found = ['containers', 'initContainers'].flatMap((field) =>
        objectsAt(pod, 'spec', field).flatMap((container) =>
          limits.flatMap((item) => [...breaches(container, item)]),
        ),
      );
      if (found.length === 0) return;
      const shown = found.length === 1 ? found.join('') : `[${found.join(', ')}]`;
      throw forbidden({ group: '', resource: 'pods' }, request.name, shown);
    },
  };
}
