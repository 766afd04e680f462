// The scopes of a ResourceQuota. In: the quota. Out: field errors, in the server's words and order.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, required } from '../field-error.ts';
import { listAt, objectAt, objectsAt, sameJson, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';

const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const podResources: ReadonlySet<string> = new Set(['pods', ...compute]);
const claimResources: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);

/** What a quota with the scope may limit. */
const resourcesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  BestEffort: new Set(['pods']),
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  VolumeAttributesClass: claimResources,
};

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

export function scopeErrors(
  quota: ApiObject,
  isStandard: (name: string) => boolean,
): readonly FieldError[] {
  const resources = Object.keys(objectAt(quota, 'spec', 'hard') ?? {}).filter(isStandard);
  return [...namedErrors(quota, resources), ...selectorErrors(quota, resources)];
}

/** Scopes are for life. */
export function scopeChangeErrors(quota: ApiObject, before: ApiObject): readonly FieldError[] {
  const scopes = (object: ApiObject) => listAt(object, 'spec', 'scopes').map(String).toSorted();
  if (sameJson(scopes(quota), scopes(before))) return [];
  return [invalid('spec.scopes', listAt(quota, 'spec', 'scopes'), 'field is immutable')];
}

function namedErrors(quota: ApiObject, resources: readonly string[]): readonly FieldError[] {
  const scopes = listAt(quota, 'spec', 'scopes');
  const complain = (detail: string): FieldError => invalid('spec.scopes', scopes, detail);
  const names = scopes.map(String);
  return [
    ...names.flatMap((name) => [
      ...(name in resourcesOf ? [] : [complain('unsupported scope')]),
      ...misplaced(name, resources).map(() => complain('unsupported scope applied to resource')),
    ]),
    ...conflicts(names).map(() => complain('conflicting scopes')),
  ];
}

function misplaced(scope: string, resources: readonly string[]): readonly string[] {
  const known = resourcesOf[scope];
  return known === undefined ? [] : resources.filter((resource) => !known.has(resource));
}

function conflicts(names: readonly string[]): readonly unknown[] {
  return opposites.filter((pair) => pair.every((name) => names.includes(name)));
}

function selectorErrors(quota: ApiObject, resources: readonly string[]): readonly FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const requirements = objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions');
  const shown = {
    MatchExpressions: requirements.map((requirement) => ({
      ScopeName: textAt(requirement, 'scopeName'),
      Operator: textAt(requirement, 'operator'),
      Values: listAt(requirement, 'values').length === 0 ? null : listAt(requirement, 'values'),
    })),
  };
  const names = requirements.map((requirement) => textAt(requirement, 'scopeName'));
  return [
    ...requirements.flatMap((requirement, i) => [
      ...(names[i] !== undefined && names[i] in resourcesOf
        ? []
        : [invalid(`${field}.scopeName`, names[i] ?? '', 'unsupported scope')]),
      ...misplaced(names[i] ?? '', resources).map(() =>
        invalid(field, shown, 'unsupported scope applied to resource'),
      ),
      ...requirementErrors(requirement, field),
    ]),
    ...conflicts(names).map(() =>
      invalid(field, listAt(quota, 'spec', 'scopes'), 'conflicting scopes'),
    ),
  ];
}

const existence =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function requirementErrors(requirement: JsonObject, field: string): readonly FieldError[] {
  const operator = textAt(requirement, 'operator');
  const values = listAt(requirement, 'values');
  const scope = textAt(requirement, 'scopeName');
  const isPlain =
    !['PriorityClass', 'VolumeAttributesClass'].includes(scope) && scope in resourcesOf;
  return [
    ...(isPlain && operator !== 'Exists'
      ? [invalid(`${field}.operator`, operator, existence)]
      : []),
    ...operatorErrors(operator, values, field),
  ];
}

function operatorErrors(
  operator: string,
  values: ReturnType<typeof listAt>,
  field: string,
): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const rule =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${field}.values`, rule)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const rule =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [invalid(`${field}.values`, values, rule)];
    }
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
