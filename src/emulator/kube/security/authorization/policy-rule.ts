// One rule of a role, and whether it lets a request through. In: rules as stored. Out: yes or no.
// A rule only ever grants; what no rule grants is refused.
import type { AuthorizationRequest } from '../../ports.ts';
import { listAt, objectsAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: any name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const all = '*';

export function rulesOf(role: ApiObject): readonly PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => toRule(rule));
}

function toRule(rule: JsonObject): PolicyRule {
  const texts = (field: string): readonly string[] =>
    listAt(rule, field).filter((item) => typeof item === 'string');
  return {
    verbs: texts('verbs'),
    apiGroups: texts('apiGroups'),
    resources: texts('resources'),
    resourceNames: texts('resourceNames'),
    nonResourceURLs: texts('nonResourceURLs'),
  };
}

export function ruleAllows(rule: PolicyRule, request: AuthorizationRequest): boolean {
  if (!rule.verbs.includes(request.verb) && !rule.verbs.includes(all)) return false;
  const { resource } = request;
  if (resource === undefined) {
    return rule.nonResourceURLs.some((pattern) => pathCovers(pattern, request.path));
  }
  return (
    (rule.apiGroups.includes(resource.group) || rule.apiGroups.includes(all)) &&
    resourceMatches(rule.resources, resource.resource, resource.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(resource.name))
  );
}

/** `*` covers everything, a trailing `*` all that begins so; a star elsewhere is only itself. */
export function pathCovers(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  return pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, ''));
}

function resourceMatches(
  resources: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  if (resources.includes(all)) return true;
  if (subresource === '') return resources.includes(resource);
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}
