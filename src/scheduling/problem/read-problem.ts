// Reads a problem document: one scheduling problem as one JSON value, in the format of the original's oracle. In: the
// parsed file. Out: typed objects, complete with everything that the parts of a running cluster would have filled in.
// 1. Pure: no file, no clock. The moment of the problem is in the document or nowhere.
// 2. A document that is not sound gives one error with every fault in it, each with its path, value, rule and remedy.
// 3. Nothing handed in is changed; what needs no change is shared.
import type { Namespace, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core.ts';
import { AZURE_GROUP, azureWellKnownLabels } from '../../api/labels.ts';
import type { Json, KubeObject } from '../../api/meta.ts';
import type { NodePool } from '../../api/node-pool.ts';
import type { CsiNode, DaemonSet, PodDisruptionBudget, StorageClass } from '../../api/workloads.ts';
import { CodedError } from '../../base/errors.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { coreLabelRules, extendLabelRules, type LabelRules } from '../../model/label-rules.ts';
import { type ExistingNode, type NodeSurroundings, readNode } from './existing-nodes.ts';
import { readInstanceType } from './instance-types.ts';
import { readNodePools } from './node-pools.ts';
import { inside, type Place, rootPlace } from './place.ts';
import { boundPod, daemonSet, pendingPod } from './pods.ts';
import { checkReferences } from './references.ts';
import { withoutNulls } from './shape.ts';
import { toWrittenProblem, type WrittenProblem } from './written-problem.ts';

export interface ProblemDocument {
  /** When the problem is to be solved; undefined: the document leaves it to whoever solves. */
  readonly nowMs: number | undefined;
  readonly rules: LabelRules;
  readonly nodePools: readonly NodePool[];
  readonly instanceTypes: readonly InstanceType[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly ExistingNode[];
  readonly boundPods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly namespaces: readonly Namespace[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CsiNode[];
}

/** Labels that pods may ask for whether a NodePool defines them or not, before the document adds its own. */
const providerRules = extendLabelRules(coreLabelRules, {
  wellKnown: new Set(azureWellKnownLabels),
  restrictedDomains: new Set([AZURE_GROUP]),
});

const beginning = '1970-01-01T00:00:00Z';

/** Throws `InvalidProblem`, whose field `faults` has one line per fault. */
export function readProblem(document: Json, rules: LabelRules = providerRules): ProblemDocument {
  const place = rootPlace();
  const written = toWrittenProblem(withoutNulls(document), place);
  if (written === undefined) throw invalid(place);
  const time = written.now ?? beginning;
  const nodePools = readNodePools(written.nodePools, inside(place, 'nodePools'), time);
  checkReferences(written, place);
  if (place.faults.length > 0) throw invalid(place);
  return complete(written, { nodePools, time, rules: withWellKnown(rules, written) });
}

function complete(
  written: WrittenProblem,
  read: {
    readonly nodePools: readonly NodePool[];
    readonly time: string;
    readonly rules: LabelRules;
  },
): ProblemDocument {
  const { nodePools, time, rules } = read;
  const types = new Map(
    written.instanceTypes.map((entry) => [
      entry.name,
      { written: entry, type: readInstanceType(rules, entry) },
    ]),
  );
  const around: NodeSurroundings = {
    pools: new Map(nodePools.map((pool) => [pool.metadata.name, pool])),
    types,
    time,
  };
  return {
    nowMs: written.now === undefined ? undefined : Date.parse(written.now),
    rules,
    nodePools,
    instanceTypes: [...types.values()].map(({ type }) => type),
    pods: written.pods.map(pendingPod),
    nodes: written.nodes.map((node, i) => readNode(node, i, around)),
    boundPods: written.boundPods.map(boundPod),
    daemonSets: written.daemonSets.map(daemonSet),
    namespaces: written.namespaces,
    podDisruptionBudgets: written.podDisruptionBudgets.map(inNamespace),
    persistentVolumeClaims: written.persistentVolumeClaims.map(inNamespace),
    persistentVolumes: written.persistentVolumes,
    storageClasses: written.storageClasses,
    csiNodes: written.csiNodes,
  };
}

function withWellKnown(rules: LabelRules, { wellKnownLabels }: WrittenProblem): LabelRules {
  if (wellKnownLabels.length === 0) return rules;
  return extendLabelRules(rules, { wellKnown: new Set(wellKnownLabels) });
}

function inNamespace<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { namespace: 'default', ...object.metadata } };
}

function invalid({ faults }: Place): CodedError {
  return new CodedError('InvalidProblem', 'the problem document is not valid', {
    fields: { faults },
  });
}
