// Which pods a ResourceQuota is about. In: the quota and a pod. Out: whether it counts there: a quota with scopes sees
// only the pods that are in all of them, and nothing that is no pod.
import { at, listAt, objectsAt, stringAt, textAt, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { qosClass } from '../validation/qos.ts';

export function hasScopes(quota: ApiObject): boolean {
  return requirementsOf(quota).length > 0;
}

export function isInScopes(quota: ApiObject, pod: ApiObject): boolean {
  return requirementsOf(quota).every((requirement) => isInScope(requirement, pod));
}

/** A scope by its name alone is one that has to be there. */
function requirementsOf(quota: ApiObject): readonly JsonObject[] {
  const names = listAt(quota, 'spec', 'scopes').map((scopeName) => ({
    scopeName,
    operator: 'Exists',
  }));
  return [...names, ...objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions')];
}

function isInScope(requirement: JsonObject, pod: ApiObject): boolean {
  switch (stringAt(requirement, 'scopeName')) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return qosClass(pod['spec']) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(pod['spec']) !== 'BestEffort';
    case 'PriorityClass':
      return hasPriorityClass(requirement, textAt(pod, 'spec', 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(pod);
    default:
      return false;
  }
}

function hasDeadline(pod: ApiObject): boolean {
  return at(pod, 'spec', 'activeDeadlineSeconds') !== undefined;
}

function hasPriorityClass(requirement: JsonObject, name: string): boolean {
  const isOneOf = name !== '' && listAt(requirement, 'values').includes(name);
  switch (stringAt(requirement, 'operator')) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return isOneOf;
    case 'NotIn':
      return !isOneOf;
    default:
      return false;
  }
}

/** Terms of affinity that ask for pods of other namespaces. */
function looksElsewhere(pod: ApiObject): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
    ...objectsAt(
      pod,
      'spec',
      'affinity',
      affinity,
      'requiredDuringSchedulingIgnoredDuringExecution',
    ),
    ...objectsAt(
      pod,
      'spec',
      'affinity',
      affinity,
      'preferredDuringSchedulingIgnoredDuringExecution',
    ).map((weighted) => at(weighted, 'podAffinityTerm')),
  ]);
  return terms.some(
    (term) => listAt(term, 'namespaces').length > 0 || at(term, 'namespaceSelector') !== undefined,
  );
}
