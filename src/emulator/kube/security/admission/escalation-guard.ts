// Nobody hands out rights that they do not have. In: roles and bindings about to be written, and by whom.
// Out: nothing, or a 403 that lists what the writer lacks.
// Passes: masters; who holds all of it; who may `escalate` the role, or `bind` what the binding refers to.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { listAt, sameJson, stringAt } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from '../../ports.ts';
import {
  badRequest,
  forbidden,
  notFound,
  unknownFailure,
  type StatusError,
} from '../../status-error.ts';
import { missingRules } from '../authorization/escalation.ts';
import { rulesOf, type PolicyRule } from '../authorization/policy-rule.ts';
import { describeMissing, type RbacAuthorizer } from '../authorization/rbac-authorizer.ts';
import { quoteAll } from '../quoted-list.ts';
import { isMaster } from '../user.ts';

const group = 'rbac.authorization.k8s.io';
const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const fullAuthority: readonly PolicyRule[] = [
  { ...none, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...none, verbs: ['*'], nonResourceURLs: ['*'] },
];

export class EscalationGuard implements AdmissionPlugin {
  readonly name = 'RBACEscalation';
  readonly #rbac: RbacAuthorizer;
  readonly #authorizer: Authorizer;

  /** `authorizer` is all of them together: whoever would be asked about any other request. */
  constructor(options: { readonly rbac: RbacAuthorizer; readonly authorizer: Authorizer }) {
    this.#rbac = options.rbac;
    this.#authorizer = options.authorizer;
  }

  /** Changes nothing; it stands with the changing plugins because the real check comes before validation. */
  mutate(object: ApiObject, request: AdmissionRequest): ApiObject {
    const isWrite = request.operation !== 'DELETE' && request.subresource === '';
    if (request.group !== group || !isWrite || isMaster(request.context.user)) return object;
    if (isGarbageCollection(object, request.before)) return object;
    if (request.resource === 'roles' || request.resource === 'clusterroles') {
      this.#checkRole(object, request);
    } else if (request.resource === 'rolebindings' || request.resource === 'clusterrolebindings') {
      this.#checkBinding(object, request);
    }
    return object;
  }

  #checkRole(object: ApiObject, request: AdmissionRequest): void {
    // A new object has no name yet when the right to write it is looked up.
    const name = request.operation === 'CREATE' ? '' : request.name;
    if (this.#isAllowed('escalate', request, { group, resource: request.resource, name })) return;
    this.#confirm(rulesOf(object), object, request);
    if (!isAggregated(object) && !isAggregated(request.before)) return;
    const { rules } = this.#rbac.rulesFor(request.context.user, request.namespace);
    if (missingRules(rules, fullAuthority).length === 0) return;
    throw refusal(object, request, 'must have cluster-admin privileges to use the aggregationRule');
  }

  #checkBinding(object: ApiObject, request: AdmissionRequest): void {
    const { kind = '', name = '', apiGroup = group } = roleOf(object);
    const resource = roleResources.get(kind);
    if (resource === undefined) {
      throw unknownFailure(500, `unsupported role reference kind: ${quote(kind)}`);
    }
    if (this.#isAllowed('bind', request, { group: apiGroup, resource, name })) return;
    if (resource === 'roles' && request.namespace === '') {
      throw badRequest('Namespace parameter required.');
    }
    const rules = this.#rbac.rulesOfRole({ kind, name }, request.namespace);
    if (rules === undefined) throw notFound({ group, resource: request.resource }, name);
    this.#confirm(rules, object, request);
  }

  #isAllowed(
    verb: 'escalate' | 'bind',
    request: AdmissionRequest,
    role: { readonly group: string; readonly resource: string; readonly name: string },
  ): boolean {
    const resource = { ...role, version: '*', subresource: '', namespace: request.namespace };
    return this.#authorizer.authorize({ user: request.context.user, verb, resource, path: '' })
      .allowed;
  }

  #confirm(rules: readonly PolicyRule[], object: ApiObject, request: AdmissionRequest): void {
    const { user } = request.context;
    const held = this.#rbac.rulesFor(user, request.namespace);
    const missing = missingRules(held.rules, rules);
    if (missing.length === 0) return;
    // The real server names the resource of the request here, not that of the role.
    const unresolved =
      held.missing.length === 0
        ? ''
        : `; resolution errors: [${describeMissing(held.missing, () => request.resource)}]`;
    const who = `user ${quote(user.username)} (groups=${quoteAll(user.groups)})`;
    const what = 'is attempting to grant RBAC permissions not currently held';
    throw refusal(object, request, `${who} ${what}:\n${missing.join('\n')}${unresolved}`);
  }
}

const roleResources: ReadonlyMap<string, 'roles' | 'clusterroles'> = new Map([
  ['Role', 'roles'],
  ['ClusterRole', 'clusterroles'],
]);

function refusal(object: ApiObject, request: AdmissionRequest, why: string): StatusError {
  return forbidden({ group, resource: request.resource }, object.metadata.name, why);
}

function roleOf(binding: ApiObject): {
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly apiGroup: string | undefined;
} {
  const part = (field: string): string | undefined => stringAt(binding, 'roleRef', field);
  return { kind: part('kind'), name: part('name'), apiGroup: part('apiGroup') };
}

function isAggregated(role: ApiObject | undefined): boolean {
  return listAt(role, 'aggregationRule', 'clusterRoleSelectors').length > 0;
}

/** Owners and finalizers may be taken off by whoever may write, or nothing could ever be collected. */
function isGarbageCollection(object: ApiObject, before: ApiObject | undefined): boolean {
  if (before === undefined) return false;
  const bare = (value: ApiObject): ApiObject =>
    withMeta(value, {
      ownerReferences: undefined,
      finalizers: undefined,
      managedFields: undefined,
    });
  return sameJson(bare(object), bare(before));
}
