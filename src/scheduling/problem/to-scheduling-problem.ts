// A problem document → what the solver takes. In: objects as they would be in a cluster. Out: nodes as places for pods,
// pools that may grow, the pods of DaemonSets; and the pods that never reach the solver, with the reason.
import { type NodePool, nodePoolCondition } from '../../api/node-pool.ts';
import { isConditionTrue } from '../../model/conditions.ts';
import type { StorageLookup } from '../../model/storage.ts';
import { daemonPod } from '../daemon-pod.ts';
import { schedulableNode } from '../schedulable-node.ts';
import type { SchedulingProblem } from '../scheduling-problem.ts';
import type { ProblemDocument } from './read-problem.ts';

export function toSchedulingProblem(document: ProblemDocument): SchedulingProblem {
  const storage = storageLookup(document);
  const podsOn = Map.groupBy(document.boundPods, ({ spec }) => spec.nodeName ?? '');
  const csiNodes = new Map(document.csiNodes.map((csiNode) => [csiNode.metadata.name, csiNode]));
  return {
    rules: document.rules,
    pools: document.nodePools
      .filter(mayGrow)
      .map((pool) => ({ pool, instanceTypes: document.instanceTypes })),
    nodes: document.nodes.map(({ node, nodeClaim }) =>
      schedulableNode({
        node,
        nodeClaim,
        pods: podsOn.get(node.metadata.name) ?? [],
        csiNode: csiNodes.get(node.metadata.name),
        storage,
      }),
    ),
    pods: document.pods,
    daemonPods: document.daemonSets.map((daemonSet) => daemonPod(daemonSet, document.boundPods)),
    namespaces: document.namespaces,
    storage,
  };
}

function mayGrow({ metadata, spec, status }: NodePool): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec.replicas === undefined &&
    isConditionTrue(status?.conditions, nodePoolCondition.ready)
  );
}

function storageLookup(document: ProblemDocument): StorageLookup {
  const claims = new Map(
    document.persistentVolumeClaims.map((claim) => [
      `${claim.metadata.namespace ?? ''}/${claim.metadata.name}`,
      claim,
    ]),
  );
  const volumes = new Map(document.persistentVolumes.map((one) => [one.metadata.name, one]));
  const classes = new Map(document.storageClasses.map((one) => [one.metadata.name, one]));
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.get(name),
  };
}
