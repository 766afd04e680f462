// Keeps the registry in step with the stored definitions. In: every write to a definition or to one of its objects.
// Out: kinds that come and go, conditions that say so, and at the end of a definition the end of its objects.
//
//   written ─▶ names checked ─▶ NamesAccepted ─▶ Established ─▶ served
//   deleted ─▶ Terminating ─▶ objects deleted ─▶ none left ─▶ finalizer removed ─▶ gone, no longer served
import { toTimestamp } from '../../../base/clock.ts';
import type { Json } from '../../../api/meta.ts';
import type { RequestContext } from '../api.ts';
import { at, listAt, objectsAt, sameJson, stringAt, textAt, type JsonObject } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { deleteObject } from '../resource/delete.ts';
import type { Environment } from '../resource/environment.ts';
import { updateObject } from '../resource/update.ts';
import type { TypeSchemas } from '../schema/type-schemas.ts';
import { cleanupFinalizer } from '../validation/definition.ts';
import { customKind } from './custom-kind.ts';

const table = 'apiextensions.k8s.io/customresourcedefinitions';

const system: RequestContext = {
  user: { username: 'system:apiserver', groups: ['system:masters'] },
  fieldManager: 'kube-apiserver',
};

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

export class Definitions {
  readonly #env: Environment;
  readonly #types: TypeSchemas;
  /** The kinds of each definition that is served. */
  readonly #served = new Map<string, readonly ResourceKind[]>();

  constructor(env: Environment, types: TypeSchemas) {
    this.#env = env;
    this.#types = types;
  }

  /** Serves what a restored store holds. */
  start(): void {
    for (const definition of this.#env.store.all(table)) this.#changed(definition);
  }

  /** Told of every write. */
  written(kind: ResourceKind, object: ApiObject, gone: boolean): void {
    if (kind.storage === table) {
      if (gone) this.#unserve(object.metadata.name);
      else this.#changed(object);
    } else if (gone && kind.custom !== undefined) {
      const definition = this.#env.store.get(table, `${kind.plural}.${kind.group}`);
      if (definition?.metadata.deletionTimestamp !== undefined) this.#finalize(definition);
    }
  }

  #changed(definition: ApiObject): void {
    const current = this.#withStatus(definition);
    // The write of the status comes back here; the newer call has done the rest.
    if (current !== definition) return;
    if (isTrue(definition, 'Established')) this.#serve(definition);
    if (definition.metadata.deletionTimestamp !== undefined) this.#finalize(definition);
  }

  #withStatus(definition: ApiObject): ApiObject {
    const conflict = this.#conflict(definition);
    const isDeleted = definition.metadata.deletionTimestamp !== undefined;
    const status = this.#status(definition, conflict, isDeleted);
    if (sameJson(status, definition['status'])) return definition;
    const kind = this.#env.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (kind === undefined) return definition;
    const { name } = definition.metadata;
    return updateObject(
      this.#env,
      { kind, context: system, name, subresource: 'status' },
      (current = definition) => ({ ...current, status }),
    );
  }

  #status(definition: ApiObject, conflict: Conflict | undefined, isDeleted: boolean): JsonObject {
    const now = toTimestamp(this.#env.clock.now());
    const before = objectsAt(definition, 'status', 'conditions');
    const condition = (type: string, status: string, words: Conflict): JsonObject => {
      const old = before.find((item) => stringAt(item, 'type') === type);
      const isSame = stringAt(old, 'status') === status;
      return {
        type,
        status,
        reason: words.reason,
        message: words.message,
        lastTransitionTime: isSame ? (stringAt(old, 'lastTransitionTime') ?? now) : now,
      };
    };
    const isEstablished = conflict === undefined || isTrue(definition, 'Established');
    const accepted = condition(
      'NamesAccepted',
      conflict === undefined ? 'True' : 'False',
      conflict ?? { reason: 'NoConflicts', message: 'no conflicts found' },
    );
    const established = isEstablished
      ? condition('Established', 'True', {
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        })
      : condition('Established', 'False', {
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        });
    const terminating = condition('Terminating', 'True', {
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    return {
      acceptedNames:
        conflict === undefined
          ? acceptedNames(definition)
          : (at(definition, 'status', 'acceptedNames') ?? {}),
      conditions: [accepted, established, ...(isDeleted ? [terminating] : [])],
      storedVersions: listAt(definition, 'status', 'storedVersions'),
    };
  }

  /** The first name of this definition that another kind of the group already has. */
  #conflict(definition: ApiObject): Conflict | undefined {
    const group = textAt(definition, 'spec', 'group');
    const plural = textAt(definition, 'spec', 'names', 'plural');
    const others = [...this.#env.registry.kinds].filter(
      (kind) => kind.group === group && kind.plural !== plural,
    );
    const names = new Set(
      others.flatMap((kind) => [kind.plural, kind.singular, ...kind.shortNames]),
    );
    const kinds = new Set(others.flatMap((kind) => [kind.kind, kind.listKind]));
    const field = (name: string): string => textAt(definition, 'spec', 'names', name);
    const checks: readonly (readonly [string, string, ReadonlySet<string>])[] = [
      [field('plural'), 'PluralConflict', names],
      [field('singular'), 'SingularConflict', names],
      ...listAt(definition, 'spec', 'names', 'shortNames').map(
        (name) => [typeof name === 'string' ? name : '', 'ShortNamesConflict', names] as const,
      ),
      [field('kind'), 'KindConflict', kinds],
      [field('listKind'), 'ListKindConflict', kinds],
    ];
    const found = checks.findLast(([name, , taken]) => taken.has(name));
    return found === undefined
      ? undefined
      : { reason: found[1], message: `${JSON.stringify(found[0])} is already in use` };
  }

  #serve(definition: ApiObject): void {
    const { registry } = this.#env;
    const { name } = definition.metadata;
    for (const kind of this.#served.get(name) ?? []) registry.remove(kind);
    const kinds = objectsAt(definition, 'spec', 'versions')
      .filter((version) => at(version, 'served') === true)
      .map((version) => customKind(definition, version, this.#types));
    for (const kind of kinds) registry.add(kind);
    this.#served.set(name, kinds);
  }

  #unserve(name: string): void {
    for (const kind of this.#served.get(name) ?? []) this.#env.registry.remove(kind);
    this.#served.delete(name);
  }

  /** Deletes what is left of the objects; without any the definition itself may go. */
  #finalize(definition: ApiObject): void {
    const { name, finalizers = [] } = definition.metadata;
    if (!finalizers.includes(cleanupFinalizer)) return;
    const [kind] = this.#served.get(name) ?? [];
    if (kind !== undefined) {
      for (const object of this.#env.store.all(kind.storage)) {
        if (object.metadata.deletionTimestamp !== undefined) continue;
        deleteObject(this.#env, {
          kind,
          context: system,
          namespace: object.metadata.namespace,
          name: object.metadata.name,
        });
      }
      if (this.#env.store.count(kind.storage) > 0) return;
    }
    // Deleting the last object has come here already by another way.
    if (this.#env.store.get(table, name) === undefined) return;
    const own = this.#env.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (own === undefined) return;
    updateObject(this.#env, { kind: own, context: system, name }, (current = definition) => {
      const rest = (current.metadata.finalizers ?? []).filter(
        (finalizer) => finalizer !== cleanupFinalizer,
      );
      return withMeta(current, { finalizers: rest.length === 0 ? undefined : rest });
    });
  }
}

function acceptedNames(definition: ApiObject): Json {
  return at(definition, 'spec', 'names') ?? {};
}

function isTrue(definition: ApiObject, type: string): boolean {
  return objectsAt(definition, 'status', 'conditions').some(
    (condition) => stringAt(condition, 'type') === type && stringAt(condition, 'status') === 'True',
  );
}
