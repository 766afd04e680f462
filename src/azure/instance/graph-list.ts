// What exists in the node resource group of what we make, by Resource Graph. In: a type of resource. Out: the resources with
// our tag; those of AKS machines are the service's and never among them.
import type { GroupRef } from '../arm/resource.ts';
import { queryResources } from '../arm/resource-graph.ts';
import type { Arm } from '../arm/send.ts';
import { tagName } from '../bootstrap/resource-tags.ts';

export function listOwn<T>(
  arm: Arm,
  { subscriptionId, resourceGroup }: GroupRef,
  request: { readonly type: string; readonly signal: AbortSignal },
): Promise<readonly T[]> {
  const query = [
    'Resources',
    `| where type == "${request.type.toLowerCase()}"`,
    `| where resourceGroup == "${resourceGroup.toLowerCase()}"`,
    `| where tags has_cs "${tagName.nodePool}"`,
    `| where tags !has_cs "${tagName.machineNodeClaim}"`,
  ].join('\n');
  return queryResources(arm, { subscriptionId, query }, request.signal);
}
