// Keeps claims and volumes while they are in use. In: claims, volumes, pods. Out: a finalizer on each from the start,
// removed when it is being deleted and nobody uses it any more.
import { stringAt } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import { podOf } from '../../scheduler/objects.ts';
import type { ResourceAddress } from '../../api.ts';
import { address } from '../runtime/addresses.ts';
import type { Controller, ControllerContext, ControllerFactory } from '../runtime/controller.ts';
import { objectKey } from '../runtime/informer.ts';

export const claimProtection: ControllerFactory = (context) => {
  const pods = context.informers.of(address.pods);
  pods.addIndex('claim', claimsOf);
  pods.onChange(({ before, after }) => {
    for (const pod of [before, after]) {
      for (const key of pod === undefined ? [] : claimsOf(pod)) context.enqueue(key);
    }
  });
  return protection(context, {
    name: 'pvc-protection-controller',
    resource: address.claims,
    finalizer: 'kubernetes.io/pvc-protection',
    isInUse: (claim) =>
      pods.indexed('claim', objectKey(claim)).some((pod) => {
        const phase = stringAt(pod, 'status', 'phase');
        return phase !== 'Succeeded' && phase !== 'Failed';
      }),
  });
};

export const volumeProtection: ControllerFactory = (context) =>
  protection(context, {
    name: 'pv-protection-controller',
    resource: address.volumes,
    finalizer: 'kubernetes.io/pv-protection',
    isInUse: (volume) => stringAt(volume, 'status', 'phase') === 'Bound',
  });

function protection(
  context: ControllerContext,
  rule: {
    readonly name: string;
    readonly resource: ResourceAddress;
    readonly finalizer: string;
    readonly isInUse: (object: ApiObject) => boolean;
  },
): Controller {
  const { resource, finalizer } = rule;
  const informer = context.informers.of(resource);
  informer.onChange(({ after }) => {
    if (after !== undefined) context.enqueue(objectKey(after));
  });
  return {
    name: rule.name,
    reconcile: (key) => {
      const object = informer.get(key);
      if (object === undefined) return undefined;
      const { finalizers = [], deletionTimestamp } = object.metadata;
      const has = finalizers.includes(finalizer);
      if (deletionTimestamp === undefined && !has) {
        context.client.update(
          resource,
          withMeta(object, { finalizers: [...finalizers, finalizer] }),
        );
      } else if (deletionTimestamp !== undefined && has && !rule.isInUse(object)) {
        const kept = finalizers.filter((other) => other !== finalizer);
        const changed = withMeta(object, { finalizers: kept.length === 0 ? undefined : kept });
        context.client.update(resource, changed);
      }
      return undefined;
    },
  };
}

function claimsOf(pod: ApiObject): readonly string[] {
  const { namespace, name } = pod.metadata;
  return (podOf(pod).spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) {
      return [`${namespace}/${volume.persistentVolumeClaim.claimName}`];
    }
    return volume.ephemeral === undefined ? [] : [`${namespace}/${name}-${volume.name}`];
  });
}
