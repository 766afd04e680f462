// Keeps pods to the nodes that nodeSelector and required node affinity name.
// When every term names nodes by metadata.name, only those are looked at: how a DaemonSet's pods find their node.
import type { NodeSelectorTerm } from '../../../../api/core.ts';
import type { NodeState } from '../node-state.ts';
import { matchesRequiredAffinity } from '../node-selector.ts';
import type { PodShape } from '../pod-shape.ts';
import { refuseForGood, type Verdict } from '../verdict.ts';

export function filterNodeAffinity(shape: PodShape, node: NodeState): Verdict {
  if (matchesRequiredAffinity(shape.spec, node)) return undefined;
  return refuseForGood("node(s) didn't match Pod's node affinity/selector");
}

/** The only nodes that can match; undefined when the terms do not name nodes. */
export function namedNodes(shape: PodShape): ReadonlySet<string> | undefined {
  const required =
    shape.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const named = namesIn(term);
    if (named === undefined) return undefined;
    for (const name of named) names.add(name);
  }
  return names;
}

/** The names that satisfy all name fields of the term; undefined when it has none. */
function namesIn({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  const [first, ...others] = matchFields
    .filter((field) => field.key === 'metadata.name' && field.operator === 'In')
    .map((field) => new Set(field.values));
  if (first === undefined) return undefined;
  return [...first].filter((name) => others.every((set) => set.has(name)));
}
