// The remembered templates of a StatefulSet or DaemonSet. In: the owner with its template. Out: ControllerRevisions,
// the newest of which is the template of now.
// 1. Equal templates share one revision: going back to an old template makes its revision the newest again.
// 2. Revisions that pods still run, and the newest, are never cleaned up.
import type { Json } from '../../../api/meta.ts';
import { numberAt, objectAt } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { claimChildren } from './claim-children.ts';
import { canonical, templateHash } from './deployment/template-hash.ts';
import { controllerReference } from './pods.ts';
import { address } from './runtime/addresses.ts';
import type { ControllerContext } from './runtime/controller.ts';

/** On pods of both kinds of owners. */
export const revisionLabel = 'controller-revision-hash';

export interface History {
  readonly newest: ApiObject;
  /** Oldest first, the newest last. */
  readonly all: readonly ApiObject[];
}

/** How the two owners mark their revisions. */
export interface RevisionStyle {
  readonly hashLabel: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function ensureHistory(
  context: ControllerContext,
  owner: ApiObject,
  style: RevisionStyle,
): History {
  const informer = context.informers.of(address.controllerRevisions);
  const spec = owner['spec'] as unknown as {
    readonly template: Record<string, Json>;
    readonly selector?: object;
  };
  const owned = claimChildren({
    client: context.client,
    resource: address.controllerRevisions,
    owner,
    selector: spec.selector,
    candidates: [...informer.values()].filter(
      (revision) => revision.metadata.namespace === owner.metadata.namespace,
    ),
  }).toSorted((a, b) => numberOf(a) - numberOf(b));
  const data: Json = { spec: { template: { ...spec.template, $patch: 'replace' } } };
  const next = owned.length === 0 ? 1 : numberOf(owned.at(-1) as ApiObject) + 1;
  const equal = owned.findLast(
    (revision) => canonical(objectAt(revision, 'data') ?? {}) === canonical(data),
  );
  if (equal === undefined) {
    const newest = createRevision({ context, owner, style }, data, next);
    return { newest, all: [...owned, newest] };
  }
  if (equal === owned.at(-1)) return { newest: equal, all: owned };
  const newest = context.client.update(address.controllerRevisions, { ...equal, revision: next });
  return { newest, all: [...owned.filter((revision) => revision !== equal), newest] };
}

export function cleanHistory(
  context: ControllerContext,
  history: History,
  /** Names of the revisions that must stay. */
  options: { readonly inUse: ReadonlySet<string>; readonly limit: number },
): void {
  const idle = history.all.filter(
    (revision) => revision !== history.newest && !options.inUse.has(revision.metadata.name),
  );
  for (const revision of idle.slice(0, Math.max(0, idle.length - options.limit))) {
    context.client.delete(address.controllerRevisions, revision);
  }
}

export function hashOf(revision: ApiObject, hashLabel: string): string {
  return revision.metadata.labels?.[hashLabel] ?? '';
}

function numberOf(revision: ApiObject): number {
  return numberAt(revision, 'revision') ?? 0;
}

function createRevision(
  options: {
    readonly context: ControllerContext;
    readonly owner: ApiObject;
    readonly style: RevisionStyle;
  },
  data: Json,
  revision: number,
): ApiObject {
  const { context, owner, style } = options;
  const { name, namespace = '' } = owner.metadata;
  const template = objectAt(data, 'spec', 'template') ?? {};
  const labels = (objectAt(template, 'metadata', 'labels') ?? {}) as Record<string, string>;
  for (let collisions = 0; ; collisions++) {
    const hash = templateHash(template, collisions);
    const made = context.client.createIfAbsent(
      address.controllerRevisions,
      {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: {
          name: `${name}-${hash}`,
          namespace,
          labels: { ...labels, [style.hashLabel]: hash },
          ...(style.annotations === undefined ? {} : { annotations: style.annotations }),
          ownerReferences: [controllerReference(owner)],
        },
        data,
        revision,
      },
      namespace,
    );
    if (made !== undefined) return made;
  }
}
