// Nodes of a problem. In: Node and NodeClaim objects, or the short form, or parts of both. Out: both objects, complete.
// 1. What the objects say wins over the short form, and both over what follows from instance type and NodePool.
// 2. A node of a NodePool is registered and initialized unless its own labels say otherwise, and has a NodeClaim; a
//    node of no NodePool has none but the one that was written.
import type { Node, NodeStatus } from '../../api/core.ts';
import { label } from '../../api/labels.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import type { NodePool } from '../../api/node-pool.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { toResourceList } from '../../model/resources.ts';
import { completeNodeClaim } from './node-claims.ts';
import { stableUid } from './stable-uid.ts';
import type { WrittenInstanceType, WrittenNode, WrittenRequirement } from './written-problem.ts';

export interface ExistingNode {
  readonly node: Node;
  readonly nodeClaim?: NodeClaim;
}

export interface NodeSurroundings {
  readonly pools: ReadonlyMap<string, NodePool>;
  readonly types: ReadonlyMap<
    string,
    { readonly written: WrittenInstanceType; readonly type: InstanceType }
  >;
  /** When conditions turned true, for nodes whose creation has no time. */
  readonly time: string;
}

type Labels = Readonly<Record<string, string>>;

export function nodeName(written: WrittenNode, index: number): string {
  const name = written.node?.metadata?.name ?? written.name ?? '';
  return name === '' ? `node-${String(index).padStart(4, '0')}` : name;
}

/** The instance type, by the label or by the short form. */
export function instanceTypeName({ node, instanceType }: WrittenNode): string | undefined {
  return node?.metadata?.labels?.[label.instanceType] ?? instanceType;
}

export function readNode(
  written: WrittenNode,
  index: number,
  around: NodeSurroundings,
): ExistingNode {
  const name = nodeName(written, index);
  const { node: given = {}, nodeClaim } = written;
  const known = around.types.get(instanceTypeName(written) ?? '');
  const ownLabels = { ...shortFormLabels(written, name), ...given.metadata?.labels };
  const poolName = ownLabels[label.nodePool] ?? '';
  const pool = around.pools.get(poolName);
  const labels = {
    ...labelsOfRequirements(known?.written.requirements),
    ...(poolName !== '' && labelsOfManaged(pool)),
    ...ownLabels,
  };
  const node: Node = {
    ...given,
    metadata: { uid: stableUid('node', '', name), ...given.metadata, name, labels },
    spec: { providerID: `problem:///${name}`, ...given.spec },
    status: completeStatus(given.status, known),
  };
  if (poolName === '' && nodeClaim === undefined) return { node };
  const { time } = around;
  return { node, nodeClaim: completeNodeClaim({ given: nodeClaim, node, pool, time }) };
}

function shortFormLabels(written: WrittenNode, name: string): Labels {
  const labels = {
    [label.hostname]: name,
    [label.instanceType]: written.instanceType,
    [label.zone]: written.zone,
    [label.capacityType]: written.capacityType,
    [label.nodePool]: written.nodePool,
  };
  const stated = Object.entries(labels).filter(([, value = '']) => value !== '');
  return Object.fromEntries(stated) as Labels;
}

function labelsOfManaged(pool: NodePool | undefined): Labels {
  return {
    ...pool?.spec.template.metadata?.labels,
    [label.registered]: 'true',
    [label.initialized]: 'true',
  };
}

/** What the instance type leaves no choice about. */
function labelsOfRequirements(requirements: readonly WrittenRequirement[] = []): Labels {
  return Object.fromEntries(
    requirements.flatMap(({ key, operator, values: [value = '', ...others] = [] }) =>
      operator === 'In' && value !== '' && others.length === 0 ? [[key, value]] : [],
    ),
  );
}

function completeStatus(
  given: NodeStatus | undefined,
  known: { readonly written: WrittenInstanceType; readonly type: InstanceType } | undefined,
): NodeStatus {
  const fromType = known && {
    capacity: known.written.capacity,
    allocatable: toResourceList(known.type.allocatable),
  };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' } as const;
  const { conditions = [] } = given ?? {};
  return { ...fromType, ...given, conditions: conditions.length > 0 ? conditions : [ready] };
}
