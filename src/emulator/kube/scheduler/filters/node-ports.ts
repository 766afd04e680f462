// Keeps two pods from taking the same port of one node.
import type { NodeState } from '../node-state.ts';
import type { PodShape } from '../pod-shape.ts';
import { refuse, type Verdict } from '../verdict.ts';

export function filterPorts(shape: PodShape, node: NodeState): Verdict {
  if (!shape.hostPorts.some((port) => node.portTaken(port))) return undefined;
  return refuse("node(s) didn't have free ports for the requested pod ports");
}
