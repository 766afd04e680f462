// A problem document → a cluster at one moment. In: objects of a file, the moment. Out: what disruption looks at. Pods that
// fail validation wait for somebody to mend them, not for a node, and are left out.
import { validatePod } from '../prepare/validate-pod.ts';
import type { ProblemDocument } from '../problem/read-problem.ts';
import { toSchedulingProblem } from '../problem/to-scheduling-problem.ts';
import type { Cluster } from './cluster.ts';

export function problemCluster(document: ProblemDocument, nowMs: number): Cluster {
  const problem = toSchedulingProblem(document);
  const { instanceTypes, nodePools, podDisruptionBudgets } = document;
  return {
    nowMs,
    nodes: document.nodes.map(({ node, nodeClaim }, i) => ({
      node,
      nodeClaim,
      // The nodes of the problem are those of the document, in their order.
      place: problem.nodes[i] as (typeof problem.nodes)[number],
    })),
    pools: new Map(nodePools.map((pool) => [pool.metadata.name, { pool, instanceTypes }])),
    podDisruptionBudgets,
    problem: { ...problem, pods: problem.pods.filter((pod) => validatePod(pod, problem).ok) },
  };
}
