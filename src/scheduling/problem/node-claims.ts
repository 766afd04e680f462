// The NodeClaim of a node of a problem. In: what was written of it, the complete node, its NodePool. Out: a NodeClaim
// that has come as far as its node: launched, registered, initialized. One without an expiry never expires: it was
// made before anybody thought of one.
import type { Node, NodeStatus } from '../../api/core.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import { type NodeClaim, nodeClaimCondition } from '../../api/node-claim.ts';
import type { NodePool } from '../../api/node-pool.ts';
import { defaultNodeClass, trueCondition } from './node-pools.ts';
import { stableUid } from './stable-uid.ts';
import type { WrittenNode } from './written-problem.ts';

const reached = [
  nodeClaimCondition.launched,
  nodeClaimCondition.registered,
  nodeClaimCondition.initialized,
  nodeClaimCondition.consolidatable,
  nodeClaimCondition.ready,
];

export function completeNodeClaim(parts: {
  readonly given: WrittenNode['nodeClaim'];
  readonly node: Node;
  readonly pool: NodePool | undefined;
  readonly time: string;
}): NodeClaim {
  const { given = {}, node, pool, time } = parts;
  const metadata = claimMetadata(given.metadata, node.metadata);
  const since = metadata.creationTimestamp ?? time;
  const { conditions = [] } = given.status ?? {};
  return {
    ...given,
    metadata,
    spec: {
      requirements: [],
      expireAfter: 'Never',
      nodeClassRef: pool?.spec.template.spec.nodeClassRef ?? defaultNodeClass,
      ...given.spec,
    },
    status: {
      ...amounts(node.status),
      ...(node.spec?.providerID !== undefined && { providerID: node.spec.providerID }),
      ...given.status,
      nodeName: node.metadata.name,
      conditions:
        conditions.length > 0 ? conditions : reached.map((type) => trueCondition(type, since)),
    },
  };
}

function claimMetadata(given: Partial<ObjectMeta> = {}, node: ObjectMeta): ObjectMeta {
  const name = given.name ?? node.name;
  const { creationTimestamp, labels = {} } = node;
  return {
    uid: stableUid('nodeclaim', '', name),
    labels,
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...given,
    name,
  };
}

function amounts({ capacity, allocatable }: NodeStatus = {}): Partial<
  NonNullable<NodeClaim['status']>
> {
  return { ...(capacity && { capacity }), ...(allocatable && { allocatable }) };
}
