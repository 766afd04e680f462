// What a kubelet may write of Node objects: its own, without steering workloads to itself by labels or taints.
// In: the node as it would be and as it was. Out: why not; undefined when it may.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { at, listAt, sameJson } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { AdmissionRequest } from '../../ports.ts';
import { forbiddenLabelChanges } from './node-labels.ts';

export function ownNodeError(
  object: ApiObject,
  request: AdmissionRequest,
  node: string,
): string | undefined {
  const { name, before } = request;
  if (name !== node) return `node ${quote(node)} is not allowed to modify node ${quote(name)}`;
  if (request.operation === 'CREATE') return newNodeError(object, node);
  if (request.operation === 'DELETE' || before === undefined) return undefined;
  return specError(object, before, node) ?? metadataError(object, before, node);
}

function newNodeError(object: ApiObject, node: string): string | undefined {
  if (at(object, 'spec', 'configSource') !== undefined) {
    return `node ${quote(node)} is not allowed to create pods with a non-nil configSource`;
  }
  const labels = forbiddenLabelChanges(object.metadata.labels ?? {}, {});
  return labels.length === 0
    ? undefined
    : `node ${quote(node)} is not allowed to set the following labels: ${labels.join(', ')}`;
}

function specError(object: ApiObject, before: ApiObject, node: string): string | undefined {
  const source = at(object, 'spec', 'configSource');
  if (source !== undefined && !sameJson(source, at(before, 'spec', 'configSource') ?? null)) {
    return `node ${quote(node)} is not allowed to update configSource to a new non-nil configSource`;
  }
  return sameJson(listAt(object, 'spec', 'taints'), listAt(before, 'spec', 'taints'))
    ? undefined
    : `node ${quote(node)} is not allowed to modify taints`;
}

function metadataError(object: ApiObject, before: ApiObject, node: string): string | undefined {
  if (!sameJson(object.metadata.ownerReferences ?? [], before.metadata.ownerReferences ?? [])) {
    return `node ${quote(node)} is not allowed to modify ownerReferences`;
  }
  const changed = forbiddenLabelChanges(object.metadata.labels ?? {}, before.metadata.labels ?? {});
  return changed.length === 0
    ? undefined
    : `is not allowed to modify labels: ${changed.join(', ')}`;
}
