// All authorizers in a row: masters pass, then the node authorizer, then RBAC. In: a request.
// Out: the first yes, or everybody's reasons for a no.
import type { UserInfo } from '../../api.ts';
import type { AuthorizationDecision, AuthorizationRequest, Authorizer } from '../../ports.ts';
import { isMaster, nodeNameOf } from '../user.ts';
import type { NodeAuthorizer } from './node-authorizer.ts';
import { describeMissing, type RbacAuthorizer } from './rbac-authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';

/** What a user may do in a namespace, as far as it can be listed. */
export interface ListedRules {
  readonly rules: readonly PolicyRule[];
  readonly incomplete: boolean;
  /** Empty when all was resolved. */
  readonly error: string;
}

export class ClusterAuthorizer implements Authorizer {
  readonly #node: NodeAuthorizer;
  readonly #rbac: RbacAuthorizer;

  constructor(options: { readonly node: NodeAuthorizer; readonly rbac: RbacAuthorizer }) {
    this.#node = options.node;
    this.#rbac = options.rbac;
  }

  authorize(request: AuthorizationRequest): AuthorizationDecision {
    if (isMaster(request.user)) return { allowed: true, reason: '' };
    const byNode = this.#node.authorize(request);
    if (byNode.allowed) return byNode;
    const byRoles = this.#rbac.authorize(request);
    if (byRoles.allowed) return byRoles;
    const reasons = [byNode.reason, byRoles.reason].filter((reason) => reason !== '');
    return { allowed: false, reason: reasons.join('\n') };
  }

  listRules(user: UserInfo, namespace: string): ListedRules {
    const { rules, missing } = this.#rbac.rulesFor(user, namespace);
    const isNode = nodeNameOf(user) !== undefined;
    const errors = [
      ...(isNode ? ['node authorizer does not support user rule resolution'] : []),
      ...(missing.length === 0 ? [] : [describeMissing(missing)]),
    ];
    const error = errors.length > 1 ? `[${errors.join(', ')}]` : errors.join('');
    return { rules, incomplete: isNode, error };
  }

  close(): void {
    this.#node.close();
    this.#rbac.close();
  }
}
