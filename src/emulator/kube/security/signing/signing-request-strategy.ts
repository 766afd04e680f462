// How CertificateSigningRequests are made and changed: the requester is written by the server, the spec never changes,
// approval and certificate are written through endpoints of their own. In: writes. Out: what is stored of them.
import { toTimestamp } from '../../../../base/clock.ts';
import type { UserInfo } from '../../api.ts';
import { objectAt, objectsAt, stringAt, without, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { RuleContext, Strategy, Subresource } from '../../registry/resource-kind.ts';
import { conditionsOf } from './signing-request.ts';
import { signingRequestErrors, signingRequestUpdateErrors } from './signing-request-validation.ts';

export const signingRequestStrategy: Strategy = {
  nameErrors: () => [],
  allowUnconditionalUpdate: true,
  generation: 'none',
  prepareForCreate: (object, { context }) => ({
    ...object,
    spec: { ...withoutRequester(objectAt(object, 'spec') ?? {}), ...requester(context.user) },
    status: {},
  }),
  prepareForUpdate: (object, before) => keep(object, before, objectAt(before, 'status') ?? {}),
  prepareForStatusUpdate(object, before, rules) {
    const status = objectAt(object, 'status') ?? {};
    const conditions = keepDecisions(conditionsOf(object), conditionsOf(before));
    return keep(object, before, withConditions(status, stamped(conditions, before, rules)));
  },
  validate: (object) => signingRequestErrors(object),
  validateUpdate: (object, before) => signingRequestUpdateErrors(object, before, 'whole'),
  validateStatusUpdate: (object, before) => signingRequestUpdateErrors(object, before, 'status'),
};

/** `…/approval`: writes conditions and nothing else. */
export const approvalSubresource: Subresource = {
  name: 'approval',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate(object, before, rules) {
    const conditions = stamped(conditionsOf(object), before, rules);
    return keep(object, before, withConditions(objectAt(before, 'status') ?? {}, conditions));
  },
  validateUpdate: (object, before) => signingRequestUpdateErrors(object, before, 'approval'),
};

function withoutRequester(spec: JsonObject): JsonObject {
  return ['username', 'uid', 'groups', 'extra'].reduce((rest, field) => without(rest, field), spec);
}

function requester({ username, uid = '', groups, extra = {} }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function keep(object: ApiObject, before: ApiObject, status: JsonObject): ApiObject {
  return { ...object, spec: before['spec'] ?? {}, status };
}

function withConditions(status: JsonObject, conditions: readonly JsonObject[]): JsonObject {
  const rest = without(status, 'conditions');
  return conditions.length === 0 ? rest : { ...rest, conditions };
}

/** Whoever writes the status writes the decisions as they were; one more or one less is for validation to refuse. */
function keepDecisions(
  conditions: readonly JsonObject[],
  before: readonly JsonObject[],
): readonly JsonObject[] {
  return ['Approved', 'Denied'].reduce((kept, type) => {
    const old = before.filter((condition) => condition['type'] === type);
    const isSameCount =
      kept.filter((condition) => condition['type'] === type).length === old.length;
    if (!isSameCount) return kept;
    const next = old.values();
    return kept.map((condition) =>
      condition['type'] === type ? (next.next().value ?? condition) : condition,
    );
  }, conditions);
}

/** Times that were left out: now, or for a transition when the same condition was already so. */
function stamped(
  conditions: readonly JsonObject[],
  before: ApiObject,
  { nowMs }: RuleContext,
): readonly JsonObject[] {
  const now = toTimestamp(nowMs);
  return conditions.map((condition) => {
    const old = objectsAt(before, 'status', 'conditions').find(
      (item) => item['type'] === condition['type'] && item['status'] === condition['status'],
    );
    return {
      ...condition,
      lastUpdateTime: stringAt(condition, 'lastUpdateTime') ?? now,
      lastTransitionTime:
        stringAt(condition, 'lastTransitionTime') ?? stringAt(old, 'lastTransitionTime') ?? now,
    };
  });
}
