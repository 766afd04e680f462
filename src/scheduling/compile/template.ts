// NodePools as templates of nodes. In: a pool and its instance types. Out: the state every claim of it starts from, what
// pods can use of each of its types beside DaemonSets, and what its limits leave.
// The host name of a claim stands for itself: a pod that asks for a certain host never gets a new node.
import type { NodePool } from '../../api/node-pool.ts';
import { label } from '../../api/labels.ts';
import type { BitSet } from '../../base/bitset.ts';
import type { LabelRules } from '../../model/label-rules.ts';
import { oneOf } from '../../model/requirement.ts';
import {
  mergeRequirements,
  type Requirements,
  requirementsFromEntries,
  requirementsFromLabels,
  requirementsOf,
} from '../../model/requirements.ts';
import type { StateId } from '../requirement-states.ts';
import type { OverheadGroup } from './daemon-overhead.ts';
import type { PoolLimits } from './pool-limits.ts';

export interface Template {
  readonly index: number;
  readonly name: string;
  readonly pool: NodePool;
  readonly weight: number;
  readonly state: StateId;
  readonly taints: number;
  /** Variants of its own instance types that its requirements leave. */
  readonly members: BitSet;
  /** The same as a list, for loops that run often. */
  readonly memberList: Int32Array;
  /** `variant * columns + column`: what pods can use beside DaemonSets. */
  readonly room: Float64Array;
  readonly overhead: readonly OverheadGroup[];
  readonly hasMinValues: boolean;
  readonly limits: PoolLimits;
}

export const placeholderHostname = 'hostname-placeholder';

export function templateRequirements(rules: LabelRules, pool: NodePool): Requirements {
  const { metadata, spec } = pool.spec.template;
  const { group, kind, name } = spec.nodeClassRef;
  return mergeRequirements(
    requirementsFromEntries(rules, spec.requirements),
    requirementsFromLabels(rules, metadata?.labels),
    requirementsOf([
      oneOf(label.nodePool, [pool.metadata.name]),
      oneOf(`${group}/${kind.toLowerCase()}`, [name]),
      oneOf(label.registered, ['true']),
      oneOf(label.initialized, ['true']),
      oneOf(label.hostname, [placeholderHostname]),
    ]),
  );
}

/** Labels of the solver's own making, which no claim is written with. */
export const internalKeys: readonly string[] = [
  label.registered,
  label.initialized,
  label.hostname,
];

/** Heaviest first; of equal weight the last by name, as the original does. */
export function byWeight<T extends { readonly pool: NodePool }>(pools: readonly T[]): T[] {
  return pools.toSorted(
    (a, b) =>
      (b.pool.spec.weight ?? 0) - (a.pool.spec.weight ?? 0) ||
      (a.pool.metadata.name < b.pool.metadata.name ? 1 : -1),
  );
}
