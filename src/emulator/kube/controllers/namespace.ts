// Namespace deletion: everything in it goes first. In: a namespace that is being deleted. Out: its contents deleted,
// conditions that say what is left, and in the end the finalizer removed, which removes the namespace.
import type { ApiObject } from '../object.ts';
import { address } from './runtime/addresses.ts';
import { withCondition, type Condition } from './runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import {
  addressOf,
  collectableKinds,
  type KindCatalog,
  type KindInfo,
} from './runtime/kind-catalog.ts';
import { writeStatus } from './runtime/status.ts';

/** A look now and then, beside the word of every departure. */
const retryMs = 5_000;

interface Remaining {
  readonly kind: KindInfo;
  readonly items: readonly ApiObject[];
}

export function namespaceController(catalog: KindCatalog): ControllerFactory {
  return (context) => new NamespaceController(context, catalog);
}

class NamespaceController implements Controller {
  readonly name = 'namespace-controller';
  readonly #context: ControllerContext;
  readonly #catalog: KindCatalog;

  constructor(context: ControllerContext, catalog: KindCatalog) {
    this.#context = context;
    this.#catalog = catalog;
    context.informers.of(address.namespaces).onChange(({ after }) => {
      if (after?.metadata.deletionTimestamp !== undefined) context.enqueue(after.metadata.name);
    });
    // The last pod to leave is what a namespace usually waits for.
    context.informers.of(address.pods).onChange(({ before, after }) => {
      const namespace = after === undefined ? before?.metadata.namespace : undefined;
      if (namespace !== undefined && this.#isTerminating(namespace)) context.enqueue(namespace);
    });
  }

  reconcile(name: string): Again {
    const namespace = this.#context.informers.of(address.namespaces).get(name);
    if (namespace?.metadata.deletionTimestamp === undefined) return undefined;
    this.#deleteContents(name);
    const remaining = this.#remaining(name);
    const updated = this.#report(namespace, remaining);
    if (remaining.length > 0) return retryMs;
    this.#finalize(updated);
    return undefined;
  }

  #isTerminating(name: string): boolean {
    const namespace = this.#context.informers.of(address.namespaces).get(name);
    return namespace?.metadata.deletionTimestamp !== undefined;
  }

  #deleteContents(namespace: string): void {
    const { client } = this.#context;
    for (const { kind, items } of this.#remaining(namespace)) {
      const resource = addressOf(kind);
      const due = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      for (const object of due)
        client.delete(resource, object, { propagationPolicy: 'Background' });
    }
  }

  #remaining(namespace: string): readonly Remaining[] {
    const { client } = this.#context;
    return collectableKinds(this.#catalog)
      .filter((kind) => kind.namespaced)
      .map((kind) => {
        const resource = addressOf(kind);
        const { items } = client.api.list({ context: client.context, resource, namespace });
        return { kind, items };
      })
      .filter(({ items }) => items.length > 0);
  }

  #report(namespace: ApiObject, remaining: readonly Remaining[]): ApiObject {
    const nowMs = this.#context.clock.now();
    let { conditions = [] } = (namespace['status'] ?? {}) as { conditions?: readonly Condition[] };
    for (const wanted of conditionsFor(remaining)) {
      conditions = withCondition(conditions, wanted, nowMs);
    }
    const status = { phase: 'Terminating', conditions };
    const { client } = this.#context;
    return writeStatus(client, address.namespaces, namespace, { status, spelledOut: [] });
  }

  #finalize(namespace: ApiObject): void {
    const spec = namespace['spec'] as { finalizers?: readonly string[] } | undefined;
    const finalizers = (spec?.finalizers ?? []).filter((finalizer) => finalizer !== 'kubernetes');
    const changed = { ...namespace, spec: { ...spec, finalizers } };
    this.#context.client.update(address.namespaces, changed, 'finalize');
  }
}

function conditionsFor(remaining: readonly Remaining[]): readonly Condition[] {
  const contents = remaining
    .map(({ kind, items }) => `${qualified(kind)} has ${items.length} resource instances`)
    .toSorted()
    .join(', ');
  const held = new Map<string, number>();
  for (const { items } of remaining) {
    for (const finalizer of items.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      held.set(finalizer, (held.get(finalizer) ?? 0) + 1);
    }
  }
  const finalizers = [...held]
    .map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
    .toSorted()
    .join(', ');
  const say = (type: string, isTrue: boolean, reason: string, message: string): Condition => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason,
    message,
  });
  return [
    say(
      'NamespaceDeletionDiscoveryFailure',
      false,
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    say(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    say(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    contents === ''
      ? say(
          'NamespaceContentRemaining',
          false,
          'ContentRemoved',
          'All content successfully removed',
        )
      : say(
          'NamespaceContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${contents}`,
        ),
    finalizers === ''
      ? say(
          'NamespaceFinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : say(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers}`,
        ),
  ];
}

/** `pods.`, `deployments.apps`: the core group leaves its dot. */
function qualified({ plural, group }: KindInfo): string {
  return `${plural}.${group}`;
}
