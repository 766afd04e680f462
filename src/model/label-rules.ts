// What is special about which label, as one value that is handed around. In: the core's tables and a
// provider's additions. Out: normal spellings of keys and values, and who may use a key.
// Nothing here is global state: two providers in one process have two rule sets.
import {
  capacityType,
  coreLabelAliases,
  coreWellKnownLabels,
  KARPENTER_GROUP,
  label,
} from '../api/labels.ts';

export interface LabelRules {
  /** Labels that instance types and offerings speak about; a NodePool need not define them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains whose labels only we may set, their subdomains included. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restricted: ReadonlySet<string>;
  /** Old spelling of a key → the one used everywhere inside. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Per normal key: spelling of a value → the one used everywhere inside. */
  readonly valueAliases: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Keys whose values are a closed set. */
  readonly knownValues: ReadonlyMap<string, ReadonlySet<string>>;
}

export const coreLabelRules: LabelRules = {
  wellKnown: new Set(coreWellKnownLabels),
  restrictedDomains: new Set([KARPENTER_GROUP]),
  restricted: new Set([label.hostname]),
  aliases: new Map(Object.entries(coreLabelAliases)),
  valueAliases: new Map(),
  knownValues: new Map([[label.capacityType, new Set(Object.values(capacityType))]]),
};

/** `rules` plus everything in `additions`; a key named in both keeps the addition. */
export function extendLabelRules(rules: LabelRules, additions: Partial<LabelRules>): LabelRules {
  return {
    wellKnown: rules.wellKnown.union(additions.wellKnown ?? new Set()),
    restrictedDomains: rules.restrictedDomains.union(additions.restrictedDomains ?? new Set()),
    restricted: rules.restricted.union(additions.restricted ?? new Set()),
    aliases: new Map([...rules.aliases, ...(additions.aliases ?? [])]),
    valueAliases: new Map([...rules.valueAliases, ...(additions.valueAliases ?? [])]),
    knownValues: new Map([...rules.knownValues, ...(additions.knownValues ?? [])]),
  };
}

export function normalKey(rules: LabelRules, key: string): string {
  return rules.aliases.get(key) ?? key;
}

/** The normal spellings of `values` under a key that is already normal. */
export function normalValues(
  rules: LabelRules,
  key: string,
  values: readonly string[],
): readonly string[] {
  const spellings = rules.valueAliases.get(key);
  return spellings === undefined ? values : values.map((value) => spellings.get(value) ?? value);
}

/** Why a key may not be used in requirements and labels; empty when it may. */
export function restrictionFaults(rules: LabelRules, key: string): string[] {
  if (rules.wellKnown.has(key)) return [];
  const domain = labelDomain(key);
  const owner = [...rules.restrictedDomains].find(
    (restricted) => domain === restricted || domain.endsWith(`.${restricted}`),
  );
  if (owner === undefined && !rules.restricted.has(key)) return [];
  const because =
    owner === undefined ? 'it is set by the node itself' : `the domain ${owner} is reserved`;
  const known = [...rules.wellKnown].toSorted().join(', ');
  return [
    `label ${key} may not be used because ${because}; use a label of another domain or one of ${known}`,
  ];
}

function labelDomain(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}
