// Puts a pod on a node, once. In: a Binding. Out: Success; a pod that has a node, is going, or is still gated is a conflict.
import { objectAt, objectsAt, stringAt, textAt, withValue } from '../json.ts';
import { withMeta, type ApiObject } from '../object.ts';
import { aggregate, type FieldError } from '../../../api/crd/validation/field-error.ts';
import { notSupported, required } from '../field-error.ts';
import { badRequest, conflict, notFound, unknownFailure } from '../status-error.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { decode } from '../resource/decode.ts';
import type { Environment } from '../resource/environment.ts';
import type { CreateRequest } from '../resource/kube-api.ts';
import { uidComplaint, updateObject } from '../resource/update.ts';
import { toTimestamp } from '../../../base/clock.ts';

const pods = { group: '', resource: 'pods' };

export const success: ApiObject = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {} as ApiObject['metadata'],
  status: 'Success',
  code: 201,
};

function targetOf(binding: ApiObject): string {
  const kind = textAt(binding, 'target', 'kind');
  const name = textAt(binding, 'target', 'name');
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node')
    errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(required('target.name'));
  if (errors.length > 0) throw unknownFailure(500, aggregate(errors));
  return name;
}

function bound(pod: ApiObject, node: string, now: string): ApiObject {
  const conditions = objectsAt(pod, 'status', 'conditions').filter(
    (condition) => stringAt(condition, 'type') !== 'PodScheduled',
  );
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
  };
  return withValue(
    withValue(pod, ['spec', 'nodeName'], node),
    ['status', 'conditions'],
    [...conditions, scheduled],
  );
}

function checkUid(kind: ResourceKind, pod: ApiObject, binding: ApiObject): void {
  const { uid: wanted = '' } = binding.metadata;
  const { uid: found = '', name, namespace } = pod.metadata;
  if (wanted === '' || wanted === found) return;
  throw conflict(pods, name, uidComplaint(kind, { namespace, name }, { wanted, found }));
}

export function bindPod(env: Environment, request: CreateRequest): ApiObject {
  const { context, namespace } = request;
  const gvk = { group: '', version: 'v1', kind: 'Binding' };
  const binding = decode(
    request.body,
    { ...gvk, isCustom: false, schema: env.typeOf(gvk) },
    context,
  );
  const name = request.name === '' ? binding.metadata.name : request.name;
  if (request.name !== '' && binding.metadata.name !== '' && binding.metadata.name !== name) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const node = targetOf(binding);
  const kind = env.registry.find('', 'v1', 'pods') ?? request.kind;
  updateObject(
    env,
    { kind, context, namespace, name, subresource: 'binding', tracksItself: true },
    (pod) => {
      if (pod === undefined) throw notFound(pods, name);
      const refuse = (why: string): Error =>
        conflict({ group: '', resource: 'pods/binding' }, name, why);
      const { resourceVersion } = binding.metadata;
      checkUid(kind, pod, binding);
      if (pod.metadata.deletionTimestamp !== undefined) {
        throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
      }
      const current = textAt(pod, 'spec', 'nodeName');
      if (current !== '')
        throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(current)}`);
      if (objectsAt(pod, 'spec', 'schedulingGates').length > 0) {
        throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
      }
      const moved = bound(pod, node, toTimestamp(env.clock.now()));
      const annotations = objectAt(binding, 'metadata', 'annotations') as
        | Record<string, string>
        | undefined;
      return withMeta(moved, {
        resourceVersion: resourceVersion ?? '',
        ...(annotations === undefined
          ? {}
          : { annotations: { ...pod.metadata.annotations, ...annotations } }),
      });
    },
  );
  return success;
}
