// Answers "may they do that?". In: SubjectAccessReviews of three kinds: about anybody, about oneself, and about
// anybody in one namespace. Out: the same with allowed and a reason, from the authorizer that judges requests.
import type { UserInfo } from '../../api.ts';
import type { FieldError } from '../../../../api/crd/validation/field-error.ts';
import { forbidden as forbiddenValue, invalid, required } from '../../field-error.ts';
import {
  isEmpty,
  listAt,
  objectAt,
  objectsAt,
  stringAt,
  without,
  withValue,
  type JsonObject,
} from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { AuthorizationRequest, Authorizer, VirtualCreate } from '../../ports.ts';
import { invalidObject, StatusError } from '../../status-error.ts';
import { answered } from './answered.ts';
import { readSelectors } from './review-selectors.ts';

const group = 'authorization.k8s.io';
const apiVersion = `${group}/v1`;
const attributesField = 'spec.resourceAttributes';

export function subjectAccessReviews(authorizer: Authorizer): VirtualCreate {
  return ({ object }) => {
    check([...attributeErrors(object), ...subjectErrors(object), ...metadataErrors(object)]);
    return answer({ authorizer, kind: 'SubjectAccessReview', object, user: subjectOf(object) });
  };
}

export function selfSubjectAccessReviews(authorizer: Authorizer): VirtualCreate {
  return ({ object, context }) => {
    check([...attributeErrors(object), ...metadataErrors(object)]);
    return answer({ authorizer, kind: 'SelfSubjectAccessReview', object, user: context.user });
  };
}

export function localSubjectAccessReviews(authorizer: Authorizer): VirtualCreate {
  return ({ object, namespace }) => {
    const placed = withValue(object, ['metadata', 'namespace'], namespace);
    check([
      ...attributeErrors(placed),
      ...subjectErrors(placed),
      ...metadataErrors(placed, 'namespace'),
      ...localErrors(placed, namespace),
    ]);
    const user = subjectOf(placed);
    return answer({ authorizer, kind: 'LocalSubjectAccessReview', object: placed, user });
  };
}

function answer(options: {
  readonly authorizer: Authorizer;
  readonly kind: string;
  readonly object: JsonObject;
  readonly user: UserInfo;
}): ApiObject {
  const { authorizer, kind, object, user } = options;
  const { fieldSelector, error } = readSelectors(objectAt(object, 'spec', 'resourceAttributes'));
  const { allowed, reason } = authorizer.authorize(requestOf(object, user, fieldSelector));
  return answered({ apiVersion, kind }, object, {
    allowed,
    ...(reason === '' ? {} : { reason }),
    ...(error === '' ? {} : { evaluationError: error }),
  });
}

function requestOf(
  object: JsonObject,
  user: UserInfo,
  fieldSelector: string,
): AuthorizationRequest {
  const attributes = objectAt(object, 'spec', 'resourceAttributes');
  if (attributes === undefined) {
    const path = objectAt(object, 'spec', 'nonResourceAttributes');
    return { user, verb: stringAt(path, 'verb') ?? '', path: stringAt(path, 'path') ?? '' };
  }
  const part = (field: string): string => stringAt(attributes, field) ?? '';
  const resource = {
    group: part('group'),
    version: part('version') === '' ? '*' : part('version'),
    resource: part('resource'),
    subresource: part('subresource'),
    namespace: part('namespace'),
    name: part('name'),
    fieldSelector,
  };
  return { user, verb: part('verb'), resource, path: '' };
}

function subjectOf(object: JsonObject): UserInfo {
  const extra = Object.entries(objectAt(object, 'spec', 'extra') ?? {}).map(
    ([key, values]) => [key, listAt({ values }, 'values').map(String)] as const,
  );
  const uid = stringAt(object, 'spec', 'uid');
  return {
    username: stringAt(object, 'spec', 'user') ?? '',
    groups: listAt(object, 'spec', 'groups').map(String),
    ...(uid === undefined ? {} : { uid }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

/** The refusal names the group only: the real server has lost the kind by then. */
function check(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { status } = invalidObject({ group, kind: '' }, '', errors);
  const { kind: _kind, ...details } = status.details ?? {};
  throw new StatusError({ ...status, details });
}

function attributeErrors(object: JsonObject): readonly FieldError[] {
  const attributes = objectAt(object, 'spec', 'resourceAttributes');
  const path = objectAt(object, 'spec', 'nonResourceAttributes');
  if (attributes === undefined && path === undefined) {
    const rule = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    return [invalid(attributesField, null, rule)];
  }
  const both = 'cannot be specified in combination with resourceAttributes';
  return [
    ...(attributes !== undefined && path !== undefined
      ? [invalid('spec.nonResourceAttributes', shownPath(path), both)]
      : []),
    ...selectorErrors(attributes, 'fieldSelector'),
    ...selectorErrors(attributes, 'labelSelector'),
  ];
}

/** The real server prints its own field names here. */
function shownPath(path: JsonObject): JsonObject {
  return { Path: stringAt(path, 'path') ?? '', Verb: stringAt(path, 'verb') ?? '' };
}

function subjectErrors(object: JsonObject): readonly FieldError[] {
  const { username, groups } = subjectOf(object);
  if (username !== '' || groups.length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function metadataErrors(object: JsonObject, allowed?: 'namespace'): readonly FieldError[] {
  const metadata = without(objectAt(object, 'metadata') ?? {}, 'managedFields');
  const rest = allowed === undefined ? metadata : without(metadata, allowed);
  if (Object.values(rest).every((value) => isEmpty(value))) return [];
  const rule = allowed === undefined ? 'must be empty' : 'must be empty except for namespace';
  return [invalid('metadata', metadata, rule)];
}

function localErrors(object: JsonObject, namespace: string): readonly FieldError[] {
  const attributes = objectAt(object, 'spec', 'resourceAttributes');
  const path = objectAt(object, 'spec', 'nonResourceAttributes');
  const asked = stringAt(attributes, 'namespace') ?? '';
  return [
    ...(attributes !== undefined && asked !== namespace
      ? [invalid(`${attributesField}.namespace`, asked, 'must match metadata.namespace')]
      : []),
    ...(path === undefined
      ? []
      : [
          invalid(
            'spec.nonResourceAttributes',
            shownPath(path),
            'disallowed on this kind of request',
          ),
        ]),
  ];
}

function selectorErrors(
  attributes: JsonObject | undefined,
  name: 'fieldSelector' | 'labelSelector',
): readonly FieldError[] {
  const selector = objectAt(attributes, name);
  if (selector === undefined) return [];
  const field = `${attributesField}.${name}`;
  const raw = stringAt(selector, 'rawSelector') ?? '';
  const requirements = objectsAt(selector, 'requirements');
  if (raw === '' && requirements.length === 0) {
    const rule = `when ${field} is specified, requirements or rawSelector is required`;
    return [required(`${field}.requirements`, rule)];
  }
  return [
    ...(raw !== '' && requirements.length > 0
      ? [invalid(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]
      : []),
    ...requirements.flatMap((item, i) => requirementErrors(item, `${field}.requirements[${i}]`)),
  ];
}

function requirementErrors(requirement: JsonObject, field: string): readonly FieldError[] {
  const count = listAt(requirement, 'values').length;
  const noKey = isEmpty(requirement['key']) ? [required(`${field}.key`, 'must be specified')] : [];
  switch (stringAt(requirement, 'operator')) {
    case 'In':
    case 'NotIn': {
      const rule = "must be specified when `operator` is 'In' or 'NotIn'";
      return count === 0 ? [...noKey, required(`${field}.values`, rule)] : noKey;
    }
    case 'Exists':
    case 'DoesNotExist': {
      const rule = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return count > 0 ? [...noKey, forbiddenValue(`${field}.values`, rule)] : noKey;
    }
    default:
      // A newer client may know operators that this server does not: it is answered without them.
      return noKey;
  }
}
