// Custom data for a machine that nobody else prepares. In: the cluster and what was chosen for the node. Out: the
// machine's custom data, or why there is none. Equal inputs give equal bytes.
import { bootVariables } from './boot-variables.ts';
import { type CustomData, customDataOf } from './custom-data.ts';
import type { ClusterSettings, NodePlan } from './node-plan.ts';

/** Images know the addresses of these clouds; for any other they would have to be told, and have no way to be. */
const knownClouds: readonly string[] = [
  'AzurePublicCloud',
  'AzureChinaCloud',
  'AzureUSGovernmentCloud',
];

export function scriptlessCustomData(cluster: ClusterSettings, plan: NodePlan): CustomData {
  if (knownClouds.includes(cluster.cloud)) return customDataOf(bootVariables(cluster, plan));
  return {
    ok: false,
    reason: `nodes cannot be made without AKS's help in cloud ${cluster.cloud}, only in ${knownClouds.join(', ')}; use another provision mode`,
  };
}
