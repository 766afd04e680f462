// Tags of everything that is created for a node. In: the cluster, the class, the claim. Out: tags that ARM accepts: it
// allows no slash in a name. By our own tags machines are found again: nobody can override them, not even with a slash.
import { specOf } from '../../api/aks-node-class.ts';
import { label } from '../../api/labels.ts';
import type { ClusterSettings, NodePlan } from './node-plan.ts';

export type Tags = Readonly<Record<string, string>>;

export const tagName = {
  cluster: 'karpenter.azure.com_cluster',
  nodePool: 'karpenter.sh_nodepool',
  machineNodeClaim: 'karpenter.azure.com_aksmachine_nodeclaim',
  billing: 'compute.aks.billing',
} as const;

type Owner = Pick<NodePlan, 'nodeClass' | 'nodeClaim'>;
type Cluster = Pick<ClusterSettings, 'clusterName' | 'additionalTags'>;

export function resourceTags(cluster: Cluster, { nodeClass, nodeClaim }: Owner): Tags {
  const nodePool = nodeClaim.metadata.labels?.[label.nodePool];
  return {
    ...withoutSlashes(cluster.additionalTags),
    ...withoutSlashes(specOf(nodeClass).tags ?? {}),
    [tagName.cluster]: cluster.clusterName,
    [tagName.billing]: 'linux',
    ...(nodePool !== undefined && { [tagName.nodePool]: nodePool }),
  };
}

/** The name of a machine may be shortened, so it names its claim. */
export function machineTags(cluster: Cluster, owner: Owner): Tags {
  return {
    ...resourceTags(cluster, owner),
    [tagName.machineNodeClaim]: owner.nodeClaim.metadata.name,
  };
}

function withoutSlashes(tags: Tags): Tags {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [name.replaceAll('/', '_'), value]),
  );
}
