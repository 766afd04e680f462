// The hash of what a NodePool makes of its nodes. In: a NodePool. Out: the decimal text for the annotation
// `karpenter.sh/nodepool-hash`, under `nodePoolHashVersion`.
// Counted: labels, annotations, taints, node class, grace period, expiry of the template. Not counted:
// requirements (their drift is judged by meaning) and everything outside the template.
// The version changes when a counted field gets another default, when a field with existing values starts to
// count, or when one stops to.
import type { NodeClaimTemplate, NodePool } from '../api/node-pool.ts';
import {
  durationHash,
  ifPresent,
  listHash,
  mapHash,
  nillableDurationHash,
  nonEmptyHash,
  type PartHash,
  structHash,
  timeHash,
} from './structural-hash.ts';

export const nodePoolHashVersion = 'v3';

type TemplateSpec = NodeClaimTemplate['spec'];
type Taint = NonNullable<TemplateSpec['taints']>[number];

export function nodePoolHash(nodePool: NodePool): string {
  const { metadata, spec } = nodePool.spec.template;
  const hash = structHash('NodeClaimTemplate', [
    ['ObjectMeta', metadataHash(metadata)],
    ['Spec', specHash(spec)],
  ]);
  return hash.toString();
}

function metadataHash(metadata: NodeClaimTemplate['metadata']): PartHash {
  const labels = ifPresent(metadata?.labels, mapHash);
  const annotations = ifPresent(metadata?.annotations, mapHash);
  if (labels === undefined && annotations === undefined) return undefined;
  return structHash('ObjectMeta', [
    ['Labels', labels],
    ['Annotations', annotations],
  ]);
}

function specHash(spec: TemplateSpec): bigint {
  const { group, kind, name } = spec.nodeClassRef;
  return structHash('NodeClaimTemplateSpec', [
    ['Taints', ifPresent(spec.taints, taintsHash)],
    ['StartupTaints', ifPresent(spec.startupTaints, taintsHash)],
    [
      'NodeClassRef',
      structHash('NodeClassReference', [
        ['Kind', nonEmptyHash(kind)],
        ['Name', nonEmptyHash(name)],
        ['Group', nonEmptyHash(group)],
      ]),
    ],
    ['TerminationGracePeriod', ifPresent(spec.terminationGracePeriod, durationHash)],
    ['ExpireAfter', nillableDurationHash(spec.expireAfter)],
  ]);
}

function taintsHash(taints: readonly Taint[]): bigint {
  return listHash(
    taints.map((taint) =>
      structHash('Taint', [
        ['Key', nonEmptyHash(taint.key)],
        ['Value', nonEmptyHash(taint.value)],
        ['Effect', nonEmptyHash(taint.effect)],
        ['TimeAdded', ifPresent(taint.timeAdded, timeHash)],
      ]),
    ),
  );
}
