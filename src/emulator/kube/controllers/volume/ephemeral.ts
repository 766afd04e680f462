// Claims of generic ephemeral volumes. In: pods with a claim template in their volumes. Out: one claim per volume,
// owned by the pod, so that it goes when the pod goes.
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { address } from '../runtime/addresses.ts';
import type { ControllerFactory } from '../runtime/controller.ts';
import { controllerReference } from '../pods.ts';
import { objectKey } from '../runtime/informer.ts';

interface EphemeralVolume {
  readonly name: string;
  readonly ephemeral?: {
    readonly volumeClaimTemplate?: { readonly metadata?: JsonObject; readonly spec: JsonObject };
  };
}

export const ephemeralVolumeController: ControllerFactory = (context) => {
  const pods = context.informers.of(address.pods);
  const claims = context.informers.of(address.claims);
  pods.onChange(({ after }) => {
    if (after !== undefined && templatesOf(after).length > 0) context.enqueue(objectKey(after));
  });
  return {
    name: 'ephemeral-volume-controller',
    reconcile: (key) => {
      const pod = pods.get(key);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
      const { namespace = '' } = pod.metadata;
      for (const { name, ephemeral } of templatesOf(pod)) {
        const template = ephemeral?.volumeClaimTemplate;
        const claimName = `${pod.metadata.name}-${name}`;
        if (template === undefined || claims.get(`${namespace}/${claimName}`) !== undefined)
          continue;
        const metadata = {
          ...template.metadata,
          name: claimName,
          namespace,
          ownerReferences: [controllerReference(pod)],
        };
        const object = {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata,
          spec: template.spec,
        };
        context.client.createIfAbsent(address.claims, object, namespace);
      }
      return undefined;
    },
  };
};

function templatesOf(pod: ApiObject): readonly EphemeralVolume[] {
  const { volumes = [] } = pod['spec'] as unknown as { volumes?: readonly EphemeralVolume[] };
  return volumes.filter(({ ephemeral }) => ephemeral !== undefined);
}
