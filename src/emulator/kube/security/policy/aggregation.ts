// Cluster roles that are gathered from others by label. In: a role and all cluster roles. Out: the rules it should have.
import { objectsAt, sameJson, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { labelSelectorTest } from '../../selector/label-selector.ts';

/** Undefined for a role that is not gathered, or is as it should be. */
export function aggregatedRules(
  role: ApiObject,
  clusterRoles: readonly ApiObject[],
): readonly JsonObject[] | undefined {
  const selectors = objectsAt(role, 'aggregationRule', 'clusterRoleSelectors');
  if (role['aggregationRule'] === undefined) return undefined;
  const sources = clusterRoles.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules: JsonObject[] = [];
  for (const selector of selectors) {
    const matches = labelSelectorTest(selector);
    const selected = sources.filter(
      (source) =>
        source.metadata.name !== role.metadata.name && matches(source.metadata.labels ?? {}),
    );
    for (const rule of selected.flatMap((source) => objectsAt(source, 'rules'))) {
      if (!rules.some((known) => sameJson(known, rule))) rules.push(rule);
    }
  }
  return sameJson(rules, objectsAt(role, 'rules')) ? undefined : rules;
}
