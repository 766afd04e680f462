// The `scale` subresource: any kind with replicas, seen as an autoscaling/v1 Scale. In: the parent object.
// Out: a Scale; a Scale that is written changes nothing of the parent but its replicas.
import { invalid } from '../field-error.ts';
import { countAt, type JsonObject } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import type { Scaling } from '../registry/resource-kind.ts';
import { invalidObject } from '../status-error.ts';

export function scaleOf(scaling: Scaling, object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = scaling.replicas(object);
  const selector = scaling.selector(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    // Zero is what Go leaves out.
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: scaling.currentReplicas(object),
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  };
}

/** The parent with the replicas of a written Scale. */
export function rescaled(
  scaling: Scaling,
  change: {
    readonly parent: ApiObject;
    readonly scale: JsonObject & Partial<ApiObject>;
    readonly isCustom: boolean;
  },
): ApiObject {
  const { parent, scale } = change;
  const replicas = countAt(scale, 'spec', 'replicas');
  // Custom resources are judged as a whole, by their schema and as something that is scaled.
  if (replicas < 0 && !change.isCustom) {
    throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, parent.metadata.name, [
      invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const resourceVersion = scale.metadata?.resourceVersion;
  const versioned =
    resourceVersion === undefined || resourceVersion === ''
      ? withMeta(parent, { resourceVersion: undefined })
      : withMeta(parent, { resourceVersion });
  const { uid = '' } = scale.metadata ?? {};
  // Whose replicas they are is judged with the rest of the object.
  const owned = uid === '' ? versioned : withMeta(versioned, { uid });
  return scaling.withReplicas(owned, replicas);
}
