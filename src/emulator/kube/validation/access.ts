// Roles and bindings: rules that name something, and a binding that never points elsewhere.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, notSupported, required } from '../field-error.ts';
import { listAt, objectAt, objectsAt, sameJson, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { dnsSubdomainErrors, pathSegmentName } from './names.ts';
import { eachObject } from './pod-defaults.ts';
import { selectorErrors } from './selector.ts';

const accessGroup = 'rbac.authorization.k8s.io';

function ruleErrors(rule: JsonObject, field: string, isNamespaced: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (listAt(rule, 'verbs').length === 0) {
    errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  }
  const urls = listAt(rule, 'nonResourceURLs');
  if (urls.length > 0) {
    const refuse = (why: string): FieldError => invalid(`${field}.nonResourceURLs`, urls, why);
    if (isNamespaced) errors.push(refuse('namespaced rules cannot apply to non-resource URLs'));
    if (['apiGroups', 'resources', 'resourceNames'].some((name) => listAt(rule, name).length > 0)) {
      errors.push(refuse('rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (listAt(rule, 'apiGroups').length === 0) {
    errors.push(
      required(`${field}.apiGroups`, 'resource rules must supply at least one api group'),
    );
  }
  if (listAt(rule, 'resources').length === 0) {
    errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function roleErrors(role: ApiObject): readonly FieldError[] {
  const isNamespaced = role.metadata.namespace !== undefined;
  const rules = objectsAt(role, 'rules').flatMap((rule, index) => [
    ...ruleErrors(rule, `rules[${index}]`, isNamespaced),
  ]);
  return isNamespaced ? rules : [...rules, ...aggregationErrors(role)];
}

/** A role that is gathered from others says from which. */
function aggregationErrors(role: ApiObject): readonly FieldError[] {
  const rule = objectAt(role, 'aggregationRule');
  if (rule === undefined) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsAt(rule, 'clusterRoleSelectors');
  if (selectors.length === 0) {
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [required(field, why)];
  }
  return selectors.flatMap((selector, index) => [
    ...selectorErrors(selector, `${field}[${index}]`),
  ]);
}

export const roleStrategy: Strategy = {
  nameErrors: pathSegmentName,
  allowCreateOnUpdate: true,
  // Go writes the list of rules even when it is empty.
  defaults: (role) => (role['rules'] === undefined ? { ...role, rules: null } : role),
  validate: roleErrors,
  validateUpdate: (role) => roleErrors(role),
};

const personKinds: ReadonlySet<string> = new Set(['User', 'Group']);

function subjectDefaults(subject: JsonObject): JsonObject {
  const isFilled = !personKinds.has(textAt(subject, 'kind')) || textAt(subject, 'apiGroup') !== '';
  return isFilled ? subject : { ...subject, apiGroup: accessGroup };
}

function subjectErrors(
  subject: JsonObject,
  field: string,
  isNamespaced: boolean,
): readonly FieldError[] {
  const kind = textAt(subject, 'kind');
  const nameless = textAt(subject, 'name') === '' ? [required(`${field}.name`)] : [];
  if (kind === 'ServiceAccount') {
    return [...nameless, ...accountErrors(subject, field, isNamespaced)];
  }
  if (!personKinds.has(kind)) {
    const kinds = ['ServiceAccount', 'User', 'Group'];
    return [...nameless, notSupported(`${field}.kind`, kind, kinds)];
  }
  const group = textAt(subject, 'apiGroup');
  if (group === accessGroup) return nameless;
  return [...nameless, notSupported(`${field}.apiGroup`, group, [accessGroup])];
}

/** A binding of a namespace means the account of its own unless it says otherwise. */
function accountErrors(
  account: JsonObject,
  field: string,
  isNamespaced: boolean,
): readonly FieldError[] {
  const name = textAt(account, 'name');
  const complaints = name === '' ? [] : dnsSubdomainErrors(name);
  const group = textAt(account, 'apiGroup');
  const isHomeless = !isNamespaced && textAt(account, 'namespace') === '';
  return [
    ...complaints.map((complaint) => invalid(`${field}.name`, name, complaint)),
    ...(group === '' ? [] : [notSupported(`${field}.apiGroup`, group, [''])]),
    ...(isHomeless ? [required(`${field}.namespace`)] : []),
  ];
}

function bindingErrors(binding: ApiObject): readonly FieldError[] {
  const role = objectAt(binding, 'roleRef');
  const errors: FieldError[] = [];
  const isNamespaced = binding.metadata.namespace !== undefined;
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const group = textAt(role, 'apiGroup');
  const kind = textAt(role, 'kind');
  if (group !== accessGroup) errors.push(notSupported('roleRef.apiGroup', group, [accessGroup]));
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  const name = textAt(role, 'name');
  if (name === '') errors.push(required('roleRef.name'));
  else
    errors.push(
      ...pathSegmentName(name, false).map((error) => invalid('roleRef.name', name, error)),
    );
  return [
    ...errors,
    ...objectsAt(binding, 'subjects').flatMap((subject, index) => [
      ...subjectErrors(subject, `subjects[${index}]`, isNamespaced),
    ]),
  ];
}

/** A reference as the server's own language prints it. */
function roleOf(binding: ApiObject): JsonObject {
  const role = objectAt(binding, 'roleRef');
  return {
    APIGroup: textAt(role, 'apiGroup'),
    Kind: textAt(role, 'kind'),
    Name: textAt(role, 'name'),
  };
}

export const bindingStrategy: Strategy = {
  nameErrors: pathSegmentName,
  allowCreateOnUpdate: true,
  defaults: (binding) => {
    const filled = eachObject(binding, 'subjects', subjectDefaults) as ApiObject;
    if (textAt(filled, 'roleRef', 'apiGroup') !== '') return filled;
    return { ...filled, roleRef: { ...objectAt(filled, 'roleRef'), apiGroup: accessGroup } };
  },
  validate: bindingErrors,
  validateUpdate: (binding, before) => [
    ...bindingErrors(binding),
    ...(sameJson(roleOf(binding), roleOf(before))
      ? []
      : [invalid('roleRef', roleOf(binding), 'cannot change roleRef')]),
  ],
};
