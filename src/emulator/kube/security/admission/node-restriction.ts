// Holds kubelets to their own node. In: a write by a kubelet. Out: nothing, or a 403 in the real plugin's words.
// The node authorizer has let these writes through because only their content shows whose they are.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { at, objectAt, sameJson, stringAt, type MutableJsonObject } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../ports.ts';
import { forbidden, type StatusError } from '../../status-error.ts';
import { parseCertificateRequest } from '../../../certificates.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';
import { nodeNameOf } from '../user.ts';
import { mirrorPodError } from './mirror-pod.ts';
import { ownNodeError } from './own-node.ts';

type Check = (object: ApiObject, request: AdmissionRequest, node: string) => string | undefined;

const kubeletSigners = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

export class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly #objects: StoredObjects;
  readonly #checks: ReadonlyMap<string, Check>;

  constructor(objects: StoredObjects) {
    this.#objects = objects;
    this.#checks = new Map<string, Check>([
      ['/pods', (object, request, node) => this.#podError(object, request, node)],
      ['/nodes', ownNodeError],
      ['/persistentvolumeclaims', claimError],
      ['coordination.k8s.io/leases', leaseError],
      ['storage.k8s.io/csinodes', csiNodeError],
      ['resource.k8s.io/resourceslices', resourceSliceError],
      ['certificates.k8s.io/certificatesigningrequests', certificateRequestError],
    ]);
  }

  mutate(object: ApiObject, request: AdmissionRequest): ApiObject {
    const node = nodeNameOf(request.context.user);
    if (node === undefined) return object;
    if (node === '') {
      const who = quote(request.context.user.username);
      throw refusal(request, `could not determine node from user ${who}`);
    }
    const error = this.#checks.get(`${request.group}/${request.resource}`)?.(object, request, node);
    if (error !== undefined) throw refusal(request, error);
    return object;
  }

  #podError(object: ApiObject, request: AdmissionRequest, node: string): string | undefined {
    switch (request.subresource) {
      case '':
        return this.#wholePodError(object, request, node);
      case 'status':
        return podStatusError(object, request.before, node);
      case 'eviction':
        return this.#evictionError(request, node);
      default:
        return `unexpected pod subresource ${quote(request.subresource)}, only 'status' and 'eviction' are allowed`;
    }
  }

  #wholePodError(object: ApiObject, request: AdmissionRequest, node: string): string | undefined {
    if (request.operation === 'CREATE') {
      const own = this.#objects.get(tables.nodes, node);
      return mirrorPodError(object, node, own?.metadata.uid);
    }
    if (request.operation !== 'DELETE') {
      return `unexpected operation ${quote(request.operation)}, node ${quote(node)} can only create and delete mirror pods`;
    }
    return nodeOf(request.before) === node
      ? undefined
      : `node ${quote(node)} can only delete pods with spec.nodeName set to itself`;
  }

  #evictionError(request: AdmissionRequest, node: string): string | undefined {
    const pod = this.#objects.get(tables.pods, keyOf(request.namespace, request.name));
    return nodeOf(pod) === node
      ? undefined
      : `node ${node} can only evict pods with spec.nodeName set to itself`;
  }
}

function refusal(request: AdmissionRequest, why: string): StatusError {
  const name = request.name === '' ? 'Unknown' : request.name;
  return forbidden({ group: request.group, resource: request.resource }, name, why);
}

function nodeOf(pod: ApiObject | undefined): string | undefined {
  return stringAt(pod, 'spec', 'nodeName');
}

function podStatusError(
  object: ApiObject,
  before: ApiObject | undefined,
  node: string,
): string | undefined {
  if (nodeOf(before) !== node) {
    return `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
  }
  const isSame = (...path: readonly string[]): boolean =>
    sameJson(at(object, ...path) ?? null, at(before, ...path) ?? null);
  if (!sameJson(object.metadata.labels ?? {}, before?.metadata.labels ?? {})) {
    return `node ${quote(node)} cannot update labels through pod status`;
  }
  if (!isSame('status', 'resourceClaimStatuses')) {
    return `node ${quote(node)} cannot update resource claim statues`;
  }
  return isSame('status', 'extendedResourceClaimStatus')
    ? undefined
    : `node ${quote(node)} cannot update extended resource claim status`;
}

/** What a kubelet reports of a claim after it has grown a volume. */
const reportedOfClaims = [
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
] as const;

const claimError: Check = (object, request, node) => {
  if (request.subresource !== 'status') return 'may only update PVC status';
  if (request.operation !== 'UPDATE') return `unexpected operation ${quote(request.operation)}`;
  const bare = (claim: ApiObject): ApiObject => {
    const rest: MutableJsonObject = { ...objectAt(claim, 'status') };
    for (const field of reportedOfClaims) delete rest[field];
    const meta = withMeta(claim, { resourceVersion: undefined, managedFields: undefined });
    return { ...meta, status: rest };
  };
  const { before } = request;
  return before !== undefined && sameJson(bare(object), bare(before))
    ? undefined
    : `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
};

const leaseError: Check = (_object, request, node) => {
  if (request.namespace !== 'kube-node-lease') {
    return 'can only access leases in the "kube-node-lease" system namespace';
  }
  return request.name === node
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
};

const csiNodeError: Check = (_object, request, node) =>
  request.name === node
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';

const resourceSliceError: Check = (object, request, node) => {
  if (request.operation === 'UPDATE') return undefined;
  const [slice, verb] =
    request.operation === 'CREATE' ? [object, 'create'] : [request.before, 'delete'];
  return stringAt(slice, 'spec', 'nodeName') === node
    ? undefined
    : `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
};

const certificateRequestError: Check = (object, request, node) => {
  const isNew = request.operation === 'CREATE' && request.subresource === '';
  if (!isNew || !kubeletSigners.has(stringAt(object, 'spec', 'signerName') ?? '')) return undefined;
  const text = Buffer.from(stringAt(object, 'spec', 'request') ?? '', 'base64').toString();
  const parsed = parseCertificateRequest(text);
  if (typeof parsed === 'string') return `unable to parse csr: ${parsed}`;
  const wanted = `system:node:${node}`;
  return parsed.subject.commonName === wanted
    ? undefined
    : `can only create a node CSR with CN=${wanted}`;
};
