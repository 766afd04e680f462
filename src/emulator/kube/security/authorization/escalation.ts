// Which of the rules that somebody wants to hand out they do not hold themselves. In: held and wanted rules.
// Out: what is missing, in the words of the refusal; nothing when all is held.
import { quoteAll } from '../quoted-list.ts';
import { pathCovers, type PolicyRule } from './policy-rule.ts';

/** One line per missing resource or path, sorted. */
export function missingRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly string[] {
  const uncovered = wanted
    .flatMap((rule) => atoms(rule))
    .filter((atom) => !held.some((rule) => covers(rule, atom)));
  const lines = compact(uncovered).map((rule) => describe(rule));
  return [...new Set(lines)].toSorted(byBytes);
}

/** Rules with one group, resource, name and verb each: one held rule covers such a rule wholly or not at all. */
function atoms(rule: PolicyRule): readonly PolicyRule[] {
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...none,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
        })),
      ),
    ),
  );
  const onPaths = rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({ ...none, verbs: [verb], nonResourceURLs: [path] })),
  );
  return [...onResources, ...onPaths];
}

function covers(held: PolicyRule, atom: PolicyRule): boolean {
  return (
    includesAll(held.verbs, atom.verbs) &&
    includesAll(held.apiGroups, atom.apiGroups) &&
    atom.resources.every((resource) => resourceCovered(held.resources, resource)) &&
    atom.nonResourceURLs.every((path) =>
      held.nonResourceURLs.some((pattern) => pathCovers(pattern, path)),
    ) &&
    namesCovered(held.resourceNames, atom.resourceNames)
  );
}

function includesAll(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes('*') || wanted.every((item) => held.includes(item));
}

function resourceCovered(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && held.includes(`*${resource.slice(slash)}`);
}

/** Without names a rule is about all names, which only a rule without names covers. */
function namesCovered(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

/** Atoms that differ in the verb only become one. */
function compact(missing: readonly PolicyRule[]): readonly PolicyRule[] {
  const paths = missing.filter((rule) => rule.nonResourceURLs.length > 0);
  const resources = missing.filter((rule) => rule.nonResourceURLs.length === 0);
  const grouped = Map.groupBy(resources, (rule) =>
    JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]),
  );
  const merged = [...grouped.values()].flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : [{ ...first, verbs: [...first.verbs, ...rest.flatMap((rule) => rule.verbs)] }],
  );
  return [...paths, ...merged];
}

function describe(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = parts
    .filter(([, items]) => items.length > 0)
    .map(([name, items]) => `${name}:${quoteAll(items)}`);
  return `{${shown.join(', ')}}`;
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
