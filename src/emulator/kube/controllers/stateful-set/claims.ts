// The claims of a StatefulSet's pods. In: claim templates and a pod's name. Out: claims made before the pod, and the
// volumes that mount them. What happens to them when the set shrinks or goes is the retention policy's: claims that
// may be deleted are owned by the pod or the set, so the garbage collector does it.
import type { Json } from '../../../../api/meta.ts';
import type { JsonObject } from '../../json.ts';
import { withMeta, type ApiObject, type OwnerReference } from '../../object.ts';
import { address } from '../runtime/addresses.ts';
import type { ControllerContext } from '../runtime/controller.ts';

export interface ClaimTemplate {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: JsonObject;
}

export interface Retention {
  readonly whenDeleted?: 'Retain' | 'Delete';
  readonly whenScaled?: 'Retain' | 'Delete';
}

export function claimName(template: ClaimTemplate, podName: string): string {
  return `${template.metadata.name}-${podName}`;
}

export function ensureClaims(
  context: ControllerContext,
  set: ApiObject,
  templates: readonly ClaimTemplate[],
  podName: string,
): void {
  const { namespace = '' } = set.metadata;
  const selector = (set['spec'] as { selector?: { matchLabels?: Json } }).selector;
  for (const template of templates) {
    const { labels, annotations } = template.metadata;
    const made = context.client.createIfAbsent(
      address.claims,
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: claimName(template, podName),
          namespace,
          labels: { ...labels, ...(selector?.matchLabels as JsonObject | undefined) },
          ...(annotations === undefined ? {} : { annotations }),
        },
        spec: template.spec,
      },
      namespace,
    );
    if (made === undefined) continue;
    const message = `Create Claim ${made.metadata.name} Pod ${podName} in StatefulSet ${set.metadata.name} success`;
    context.events.say({ about: set, reason: 'SuccessfulCreate', message });
  }
}

interface RetentionCase {
  readonly context: ControllerContext;
  readonly set: ApiObject;
  readonly templates: readonly ClaimTemplate[];
  readonly retention: Retention;
  readonly pod: ApiObject;
  /** The ordinal is no longer wanted. */
  readonly isCondemned: boolean;
}

/** Makes owners of the claims of a pod what the policy says. */
export function applyRetention(options: RetentionCase): void {
  const { context, set, templates, pod } = options;
  const informer = context.informers.of(address.claims);
  for (const template of templates) {
    const claim = informer.get(
      `${set.metadata.namespace}/${claimName(template, pod.metadata.name)}`,
    );
    if (claim === undefined) continue;
    const { ownerReferences = [] } = claim.metadata;
    const ours = new Set([`StatefulSet/${set.metadata.name}`, `Pod/${pod.metadata.name}`]);
    const foreign = ownerReferences.filter(({ kind, name }) => !ours.has(`${kind}/${name}`));
    const wanted = [...foreign, ...ownersOf(options)];
    if (JSON.stringify(wanted) === JSON.stringify(ownerReferences)) continue;
    const changed = wanted.length === 0 ? undefined : wanted;
    context.client.update(address.claims, withMeta(claim, { ownerReferences: changed }));
  }
}

function ownersOf({ set, retention, pod, isCondemned }: RetentionCase): OwnerReference[] {
  if (retention.whenScaled === 'Delete' && isCondemned) return [reference(pod)];
  return retention.whenDeleted === 'Delete' ? [reference(set)] : [];
}

function reference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' };
}
