// The binary form of nodes, namespaces and config maps.
import type {
  ConfigMap,
  Namespace,
  Node,
  NodeCondition,
  NodeSpec,
  NodeStatus,
  Taint,
} from '../core.ts';
import { objectMeta } from './meta.ts';
import {
  distinctText,
  field,
  kept,
  list,
  map,
  message,
  text,
  type WireField,
  type WireMessage,
  type WireObject,
} from './wire-field.ts';

const taint: WireMessage<Taint> = {
  key: kept(text(1)),
  value: text(2),
  effect: kept(text(3)),
  timeAdded: field(4, 'time'),
};

const nodeSpec: WireMessage<NodeSpec> = {
  providerID: distinctText(3),
  unschedulable: field(4, 'boolean'),
  taints: list(message(5, taint)),
};

const condition: WireMessage<NodeCondition> = {
  type: kept(text(1)),
  status: kept(text(2)),
  lastHeartbeatTime: field(3, 'time'),
  lastTransitionTime: field(4, 'time'),
  reason: text(5),
  message: text(6),
};

const nodeInfo: Readonly<Record<string, WireField>> = {
  machineID: kept(distinctText(1)),
  systemUUID: kept(distinctText(2)),
  bootID: kept(distinctText(3)),
  kernelVersion: kept(text(4)),
  osImage: kept(text(5)),
  containerRuntimeVersion: kept(text(6)),
  kubeletVersion: kept(text(7)),
  kubeProxyVersion: kept(text(8)),
  operatingSystem: kept(text(9)),
  architecture: kept(text(10)),
};

const nodeStatus: WireMessage<NodeStatus> = {
  capacity: map(1, 'quantity'),
  allocatable: map(2, 'quantity'),
  conditions: list(message(4, condition)),
  addresses: list(message(5, { type: kept(text(1)), address: kept(distinctText(2)) })),
  nodeInfo: message(7, nodeInfo),
};

export const node: WireObject<Node> = {
  metadata: message(1, objectMeta),
  spec: message(2, nodeSpec),
  status: message(3, nodeStatus),
};

export const namespace: WireObject<Namespace> = {
  metadata: message(1, objectMeta),
  status: message(3, { phase: text(1) }),
};

export const configMap: WireObject<ConfigMap> = {
  metadata: message(1, objectMeta),
  data: map(2),
};
