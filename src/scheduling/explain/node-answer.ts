// What an existing node says to a pod. In: a session, a node, a form of a shape. Out: the first rule that refuses, in the
// order in which the original asks.
import { portConflict } from '../../model/host-port.ts';
import { podKey } from '../../model/pod.ts';
import { exceededVolumeLimit } from '../../model/volume-limit.ts';
import type { PodShape, PodVariant } from '../compile/pod-shape.ts';
import { fitsInto } from '../solve/claim.ts';
import { nodeSatisfies } from '../solve/node-topology.ts';
import type { Session } from '../solve/session.ts';
import type { NodeAnswer } from './explanation.ts';

export interface Form {
  readonly shape: PodShape;
  readonly variant: PodVariant;
}

export function answerOfNode(session: Session, node: number, { shape, variant }: Form): NodeAnswer {
  const { nodes, taints } = session.compiled;
  if (!session.takesPods(node)) return 'leaving';
  if (!taints.tolerates(variant.tolerations, nodes.taintsOf[node] as number)) return 'taints';
  if (!hasAttachments(session, node, shape)) return 'volumeLimits';
  if (!hasPorts(session, node, shape)) return 'hostPorts';
  if (!hasRoom(session, node, shape)) return 'resources';
  if (!nodes.meets(node, variant.demand)) return 'requirements';
  if (!shape.places.some((place) => nodes.meets(node, place))) return 'volumes';
  return nodeSatisfies(session, shape, variant, node) ? 'accepts' : 'topology';
}

function hasRoom(session: Session, node: number, { requests }: PodShape): boolean {
  const none = new Float64Array(requests.length);
  return fitsInto(session.room, node * requests.length, none, requests);
}

function hasPorts(session: Session, node: number, shape: PodShape): boolean {
  const running = session.compiled.nodes.nodes[node]?.ports ?? new Map();
  const placed = new Map([['', session.portsOn(node)]]);
  const key = podKey(shape.example);
  return [running, placed].every((usage) => portConflict(usage, key, shape.ports) === undefined);
}

function hasAttachments(session: Session, node: number, { volumes }: PodShape): boolean {
  if (!volumes.ok) return false;
  const limits = session.compiled.nodes.nodes[node]?.volumeLimits ?? new Map();
  return exceededVolumeLimit(limits, session.volumesOn(node), volumes.volumes) === undefined;
}
