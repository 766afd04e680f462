// The table of all types of resources, and which handler of a type a request means. In: a parsed path and a method.
// Out: the handler with the name of its operation and its canonical id, or the refusal of the real front door.
import { invalidNamespace, invalidType, methodNotSupported } from '../errors.ts';
import type { ArmHandler, ResourceType } from './arm-call.ts';
import { idText, typeOf, type ArmPath } from './resource-id.ts';

export interface Route {
  readonly type: ResourceType;
  readonly handler: ArmHandler;
  readonly operation: string;
  /** In the casing of the type; see ArmCall. */
  readonly id: string;
  /** Anybody with a token and any role in the subscription may call it. */
  readonly isOpen: boolean;
}

type Verb = 'get' | 'head' | 'put' | 'patch' | 'delete' | 'list';

const suffixes: Readonly<Record<Verb, string>> = {
  get: 'read',
  head: 'read',
  list: 'read',
  put: 'write',
  patch: 'write',
  delete: 'delete',
};

export class TypeRegistry {
  readonly #types = new Map<string, ResourceType>();
  readonly #namespaces = new Map<string, string>();

  constructor(types: readonly ResourceType[]) {
    for (const type of types) {
      this.#types.set(type.type.toLowerCase(), type);
      const namespace = type.type.split('/')[0] ?? '';
      this.#namespaces.set(namespace.toLowerCase(), namespace);
    }
  }

  get namespaces(): string[] {
    return [...this.#namespaces.values()];
  }

  typesOf(namespace: string): ResourceType[] {
    const prefix = `${namespace.toLowerCase()}/`;
    return [...this.#types.values()].filter((type) => type.type.toLowerCase().startsWith(prefix));
  }

  find(type: string): ResourceType | undefined {
    return this.#types.get(type.toLowerCase());
  }

  /** The namespace in its own casing. */
  namespaceOf(path: ArmPath): string {
    const namespace = this.#namespaces.get(path.namespace.toLowerCase());
    if (namespace === undefined) throw invalidNamespace(path.namespace);
    return namespace;
  }

  route(method: string, path: ArmPath, apiVersion: string): Route {
    const isCollection = path.types.length > path.names.length;
    if (method === 'POST') return this.#post(path, apiVersion);
    const type = this.#require(path, apiVersion);
    const verb = verbOf(method, isCollection);
    const handler = verb === undefined ? undefined : type[verb];
    if (verb === undefined || handler === undefined) throw methodNotSupported(method);
    return {
      type,
      handler,
      operation: `${type.type}/${suffixes[verb]}`,
      id: isCollection ? collectionId(type, path) : canonicalId(type, path),
      isOpen: isOpen(type, verb),
    };
  }

  #post(path: ArmPath, apiVersion: string): Route {
    if (path.types.length === path.names.length) throw methodNotSupported('POST');
    const whole = this.find(typeOf(path));
    if (whole?.post === undefined) return this.#action(path, apiVersion);
    return {
      type: whole,
      handler: whole.post,
      operation: whole.postOperation ?? `${whole.type}/action`,
      id: collectionId(whole, path),
      isOpen: isOpen(whole, 'post'),
    };
  }

  #action(path: ArmPath, apiVersion: string): Route {
    const owner = this.#require({ ...path, types: path.types.slice(0, -1) }, apiVersion);
    const asked = (path.types.at(-1) ?? '').toLowerCase();
    const found = Object.entries(owner.actions ?? {}).find(
      ([name]) => name.toLowerCase() === asked,
    );
    if (found === undefined) throw invalidType(path.namespace, path.types.join('/'), apiVersion);
    const [name, handler] = found;
    return {
      type: owner,
      handler,
      operation: `${owner.type}/${name}/action`,
      id: canonicalId(owner, path),
      isOpen: false,
    };
  }

  #require(path: ArmPath, apiVersion: string): ResourceType {
    const type = this.find(typeOf(path));
    if (type === undefined) throw invalidType(path.namespace, path.types.join('/'), apiVersion);
    return type;
  }
}

const verbs: Readonly<Record<string, Verb>> = {
  GET: 'get',
  HEAD: 'head',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** A collection can only be listed. */
function verbOf(method: string, isCollection: boolean): Verb | undefined {
  if (!isCollection) return verbs[method];
  return method === 'GET' ? 'list' : undefined;
}

function isOpen(type: ResourceType, verb: Verb | 'post'): boolean {
  return type.open?.some((open) => open === verb) ?? false;
}

function canonicalId(type: ResourceType, path: ArmPath): string {
  return idText({ scope: path.scope, type: type.type, names: path.names });
}

/** What a collection stands in: its parent resource, or the scope itself. */
function collectionId(type: ResourceType, path: ArmPath): string {
  if (path.names.length === 0) return path.scope;
  const parent = type.type
    .split('/')
    .slice(0, path.names.length + 1)
    .join('/');
  return idText({ scope: path.scope, type: parent, names: path.names });
}
