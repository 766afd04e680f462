// What a kubelet may do: what its node and the pods on it need, and nothing of other nodes. In: a request.
// Out: allowed, or why this authorizer will not allow it; another one may still.
// Writes are let through here where only the object shows whose it is: NodeRestriction looks at that.
import type { AuthorizationDecision, AuthorizationRequest } from '../../ports.ts';
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { stringAt } from '../../json.ts';
import type { ReferencedKind } from '../pod-references.ts';
import { tables, type StoredObjects } from '../stored-objects.ts';
import { nodeNameOf } from '../user.ts';
import type { NodeReferences } from './node-references.ts';
import { ruleAllows, type PolicyRule } from './policy-rule.ts';
import { requiresEqual } from './selector-requirement.ts';

type Attributes = NonNullable<AuthorizationRequest['resource']> & {
  readonly verb: string;
  readonly node: string;
};

/** Undefined: allowed. A text, possibly empty: not, and why. */
type Verdict = string | undefined;

const allowed: AuthorizationDecision = { allowed: true, reason: '' };
const leaseNamespace = 'kube-node-lease';
const ownVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);
const readVerbs = new Set(['get', 'list', 'watch']);
/** On pods, by subresource and verb. */
const podWrites = new Set([
  ' create',
  ' delete',
  'status update',
  'status patch',
  'eviction create',
]);

export class NodeAuthorizer {
  readonly #references: NodeReferences;
  readonly #objects: StoredObjects;
  readonly #rules: readonly PolicyRule[];
  readonly #judges: ReadonlyMap<string, (asked: Attributes) => Verdict>;

  /** `rules` hold for what is not divided among nodes: events, services, certificate requests. */
  constructor(options: {
    readonly objects: StoredObjects;
    readonly references: NodeReferences;
    readonly rules: readonly PolicyRule[];
  }) {
    this.#objects = options.objects;
    this.#references = options.references;
    this.#rules = options.rules;
    this.#judges = new Map<string, (asked: Attributes) => Verdict>([
      ['/secrets', (asked) => this.#readReferenced(asked, 'secrets')],
      ['/configmaps', (asked) => this.#readReferenced(asked, 'configmaps')],
      ['/persistentvolumeclaims', (asked) => this.#claim(asked)],
      ['/persistentvolumes', (asked) => this.#getRelated(asked, this.#ownsVolume(asked))],
      ['/serviceaccounts', (asked) => this.#serviceAccount(asked)],
      ['/nodes', (asked) => judgeNode(asked)],
      ['/pods', (asked) => this.#pod(asked)],
      ['resource.k8s.io/resourceclaims', (asked) => this.#getReferenced(asked, 'resourceclaims')],
      ['resource.k8s.io/resourceslices', (asked) => this.#resourceSlice(asked)],
      [tables.volumeAttachments, (asked) => this.#getRelated(asked, this.#ownsAttachment(asked))],
      ['coordination.k8s.io/leases', (asked) => judgeLease(asked)],
      ['storage.k8s.io/csinodes', (asked) => judgeCsiNode(asked)],
      ['certificates.k8s.io/podcertificaterequests', () => ''],
    ]);
  }

  authorize(request: AuthorizationRequest): AuthorizationDecision {
    const node = nodeNameOf(request.user);
    if (node === undefined) return { allowed: false, reason: '' };
    if (node === '') {
      return { allowed: false, reason: `unknown node for user ${quote(request.user.username)}` };
    }
    const { resource, verb } = request;
    const judge =
      resource === undefined
        ? undefined
        : this.#judges.get(`${resource.group}/${resource.resource}`);
    if (judge === undefined || resource === undefined) {
      return this.#rules.some((rule) => ruleAllows(rule, request))
        ? allowed
        : { allowed: false, reason: '' };
    }
    const verdict = judge({ ...resource, verb, node });
    return verdict === undefined ? allowed : { allowed: false, reason: verdict };
  }

  close(): void {
    this.#references.close();
  }

  #readReferenced(asked: Attributes, kind: ReferencedKind): Verdict {
    if (!readVerbs.has(asked.verb)) return 'can only read resources of this type';
    if (asked.subresource !== '') return 'cannot read subresource';
    if (asked.namespace === '') return 'can only read namespaced object of this type';
    return this.#related(asked, this.#isReferenced(asked, kind));
  }

  #getReferenced(asked: Attributes, kind: ReferencedKind): Verdict {
    return this.#getRelated(asked, this.#isReferenced(asked, kind));
  }

  #getRelated(asked: Attributes, isRelated: boolean): Verdict {
    if (asked.verb !== 'get') return 'can only get individual resources of this type';
    if (asked.subresource !== '') return 'cannot get subresource';
    return this.#related(asked, isRelated);
  }

  #related(asked: Attributes, isRelated: boolean): Verdict {
    if (asked.name === '') return 'No Object name found';
    return isRelated
      ? undefined
      : `no relationship found between node '${asked.node}' and this object`;
  }

  #isReferenced(asked: Attributes, kind: ReferencedKind): boolean {
    return this.#references.has(asked.node, kind, asked.namespace, asked.name);
  }

  #ownsVolume(asked: Attributes): boolean {
    return this.#references.hasVolume(asked.node, asked.name);
  }

  #ownsAttachment(asked: Attributes): boolean {
    const attachment = this.#objects.get(tables.volumeAttachments, asked.name);
    return stringAt(attachment, 'spec', 'nodeName') === asked.node;
  }

  #claim(asked: Attributes): Verdict {
    const kind = 'persistentvolumeclaims';
    if (asked.subresource !== 'status') return this.#getReferenced(asked, kind);
    if (!['update', 'patch'].includes(asked.verb)) return 'can only get/update/patch this type';
    return this.#related(asked, this.#isReferenced(asked, kind));
  }

  #serviceAccount(asked: Attributes): Verdict {
    const kind = 'serviceaccounts';
    if (asked.verb === 'get' && asked.subresource === '') return this.#readReferenced(asked, kind);
    if (asked.verb !== 'create' || asked.name === '') {
      return 'can only create tokens for individual service accounts';
    }
    if (asked.subresource !== 'token') {
      return 'can only create token subresource of serviceaccount';
    }
    return this.#related(asked, this.#isReferenced(asked, kind));
  }

  #pod(asked: Attributes): Verdict {
    if (podWrites.has(`${asked.subresource} ${asked.verb}`)) return undefined;
    if (asked.subresource !== '' || !readVerbs.has(asked.verb)) return '';
    if (asked.verb !== 'get') {
      if (selectsOwn(asked)) return undefined;
      if (asked.name === '') return 'can only list/watch pods with spec.nodeName field selector';
    }
    return this.#related(asked, this.#ownsPod(asked));
  }

  #ownsPod(asked: Attributes): boolean {
    return this.#references.hasPod(asked.node, asked.namespace, asked.name);
  }

  #resourceSlice(asked: Attributes): Verdict {
    if (asked.subresource !== '') return 'cannot authorize ResourceSlice subresources';
    if (asked.verb === 'create') return undefined;
    if (ownVerbs.has(asked.verb)) {
      const slice = this.#objects.get(tables.resourceSlices, asked.name);
      return this.#related(asked, stringAt(slice, 'spec', 'nodeName') === asked.node);
    }
    if (!readVerbs.has(asked.verb) && asked.verb !== 'deletecollection') {
      return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection';
    }
    return selectsOwn(asked)
      ? undefined
      : 'can only list/watch/deletecollection resourceslices with nodeName field selector';
  }
}

function selectsOwn(asked: Attributes): boolean {
  return requiresEqual(asked.fieldSelector ?? '', 'spec.nodeName', asked.node);
}

function judgeNode(asked: Attributes): Verdict {
  const { node, name, verb, subresource } = asked;
  const isWrite = verb === 'update' || verb === 'patch';
  if (subresource === 'status') return isWrite ? undefined : '';
  if (subresource !== '') return '';
  if (isWrite || verb === 'create') return undefined;
  if (!readVerbs.has(verb)) return '';
  // By name and not by relation: a kubelet looks for its node before it makes it.
  if (name === node) return undefined;
  return name === ''
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`;
}

function judgeLease(asked: Attributes): Verdict {
  if (!ownVerbs.has(asked.verb)) {
    return 'can only get, create, update, patch, or delete a node lease';
  }
  if (asked.namespace !== leaseNamespace) {
    return `can only access leases in the ${quote(leaseNamespace)} system namespace`;
  }
  return asked.verb === 'create' || asked.name === asked.node
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
}

function judgeCsiNode(asked: Attributes): Verdict {
  if (!ownVerbs.has(asked.verb)) {
    return 'can only get, create, update, patch, or delete a CSINode';
  }
  if (asked.subresource !== '') return 'cannot authorize CSINode subresources';
  return asked.verb === 'create' || asked.name === asked.node
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';
}
