// A topology rule that pods share, and where the pods it speaks about are. In: rules of pods. Out: one group per
// distinct rule. Groups are facts; the counts that change while pods are placed are in counts.ts.
import { label } from '../../api/labels.ts';
import type { BitSet } from '../../base/bitset.ts';
import type { StateId } from '../requirement-states.ts';
import type { DomainTable } from './domain-table.ts';
import { type Matcher, matchersIdentity } from './matcher.ts';

/**
 * `avoided` is anti-affinity seen from the other side: it counts the pods that have the rule, and forbids their
 * domains to the pods that the rule speaks about, whether those know of it or not.
 */
export type GroupKind = 'spread' | 'affinity' | 'anti-affinity' | 'avoided';

/** Which nodes a spread looks at. */
export interface NodeFilter {
  /** One of these must hold on the node; empty: any node. */
  readonly alternatives: readonly StateId[];
  /** Undefined: taints do not matter. */
  readonly tolerations: number | undefined;
}

export interface GroupRule {
  readonly kind: GroupKind;
  readonly key: string;
  readonly matchers: readonly Matcher[];
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly filter: NodeFilter;
  /** Domains that only nodes to be made could have count too, as far as the filter allows. */
  readonly ownDomainsOnly: boolean;
}

export interface TopologyGroup extends GroupRule {
  readonly index: number;
  readonly isHostname: boolean;
  readonly table: DomainTable;
  /** Domains there are or could be; not kept for host names. */
  readonly known: BitSet;
}

export const anyNode: NodeFilter = { alternatives: [], tolerations: undefined };

export function isHostnameKey(key: string): boolean {
  return key === label.hostname;
}

/** Rules with one identity are one rule. */
export function ruleIdentity(rule: GroupRule): string {
  const { kind, key, matchers, maxSkew, minDomains, filter, ownDomainsOnly } = rule;
  return [
    kind,
    key,
    matchersIdentity(matchers),
    maxSkew,
    minDomains,
    filter.alternatives.toSorted((a, b) => a - b).join(' '),
    filter.tolerations,
    ownDomainsOnly,
  ].join('\n');
}
