// Placing pods on a node that exists. In: a session, a form of a shape, how many there are. Out: how many it took.
// Checked in the order in which a misfit is cheapest to find. Whatever fails here but topology fails for good: rooms only
// shrink within a solve.
import { portConflict } from '../../model/host-port.ts';
import { podKey } from '../../model/pod.ts';
import { exceededVolumeLimit } from '../../model/volume-limit.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import type { StateId } from '../requirement-states.ts';
import { howMany, noRequests } from './claim.ts';
import type { Pods } from './on-claim.ts';
import { nodeSatisfies, recordOnNode } from './node-topology.ts';
import type { Session } from './session.ts';

export type NodeOutcome = 'never' | 'not now' | number;

export function placeOnNode(session: Session, node: number, pods: Pods): NodeOutcome {
  const { shape, variant, isFree, company = shape.requests } = pods;
  const { nodes, taints } = session.compiled;
  const room = roomFor(session, node, { shape, added: company, most: isFree ? pods.most : 1 });
  if (room === 0) return 'never';
  if (!taints.tolerates(variant.tolerations, nodes.taintsOf[node] as number)) return 'never';
  if (!nodes.meets(node, variant.demand)) return 'never';
  const place = shape.places.find((state) => nodes.meets(node, state));
  if (place === undefined) return 'never';
  if (!hasPorts(session, node, shape) || !hasAttachments(session, node, shape)) return 'never';
  if (!nodeSatisfies(session, shape, variant, node)) return 'not now';
  put(session, node, { shape, variant, place, count: room });
  return room;
}

function put(
  session: Session,
  node: number,
  load: { shape: PodShape; variant: PodVariant; place: StateId; count: number },
): void {
  session.addToNode(node, load);
  recordOnNode(session, load.shape, node, load.count);
}

function roomFor(
  session: Session,
  node: number,
  {
    shape,
    added,
    most,
  }: { readonly shape: PodShape; readonly added: Float64Array; readonly most: number },
): number {
  return howMany({
    room: session.room,
    row: node * added.length,
    requests: noRequests(added),
    added,
    // Pods that want a port of the host or a volume of their own go one by one.
    most: shape.ports.length > 0 || hasVolumes(shape) ? 1 : most,
  });
}

function hasPorts(session: Session, node: number, shape: PodShape): boolean {
  if (shape.ports.length === 0) return true;
  const running = session.compiled.nodes.nodes[node]?.ports ?? new Map();
  const placed = new Map([['', session.portsOn(node)]]);
  const key = podKey(shape.example);
  return (
    portConflict(running, key, shape.ports) === undefined &&
    portConflict(placed, key, shape.ports) === undefined
  );
}

function hasAttachments(session: Session, node: number, shape: PodShape): boolean {
  if (!shape.volumes.ok) return false;
  if (shape.volumes.volumes.size === 0) return true;
  const limits = session.compiled.nodes.nodes[node]?.volumeLimits ?? new Map();
  return exceededVolumeLimit(limits, session.volumesOn(node), shape.volumes.volumes) === undefined;
}

function hasVolumes({ volumes }: PodShape): boolean {
  return !volumes.ok || volumes.volumes.size > 0;
}
