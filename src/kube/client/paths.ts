// Where an object lives on the API server. In: a kind, a name, a namespace. Out: a path with query.
// An empty name or a missing namespace throws: `DELETE /api/v1/nodes/` would delete every node.
import { CodedError } from '../../base/errors.ts';
import type { ResourceType } from '../../api/resource-type.ts';

/** Names one object. The metadata of any object will do. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `namespace/name`, or `name` for what has no namespace: the key of caches and work queues. */
export function keyOf(ref: ObjectRef): string {
  return ref.namespace === undefined || ref.namespace === ''
    ? ref.name
    : `${ref.namespace}/${ref.name}`;
}

/** What `keyOf` was made from. */
export function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash === -1
    ? { name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The path of all objects of a kind, in one namespace or (without one) in all. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  return type.namespaced && namespace !== undefined && namespace !== ''
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${type.plural}`
    : `${root}/${type.plural}`;
}

/** The path of one object, or of one of its subresources. */
export function objectPath(type: ResourceType, ref: ObjectRef, subresource?: string): string {
  if (ref.name === '') throw missing(type, 'name', ref);
  const path = `${namespacedPath(type, ref)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The path of the objects of a kind in exactly one namespace. */
export function namespacedPath(type: ResourceType, ref: Partial<ObjectRef>): string {
  if (type.namespaced && (ref.namespace === undefined || ref.namespace === '')) {
    throw missing(type, 'namespace', ref);
  }
  return collectionPath(type, ref.namespace);
}

/** `?a=1&b=2` without what is undefined, or nothing. */
export function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function missing(type: ResourceType, field: string, ref: Partial<ObjectRef>): CodedError {
  return new CodedError('IncompleteReference', 'an object cannot be addressed without this field', {
    fields: { kind: type.kind, field, name: ref.name, namespace: ref.namespace },
  });
}
