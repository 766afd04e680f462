// The binary form of pods and pod templates.
import type {
  Affinity,
  Container,
  ContainerPort,
  ContainerStatus,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PersistentVolumeClaimSpec,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodCondition,
  PodResourceClaim,
  PodSpec,
  PodStatus,
  PodTemplate,
  PodTemplateSpec,
  PreferredSchedulingTerm,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  WeightedPodAffinityTerm,
} from '../core.ts';
import { labelSelector, objectMeta } from './meta.ts';
import {
  alike,
  distinctText,
  field,
  inside,
  integer,
  kept,
  list,
  map,
  message,
  text,
  texts,
  type WireMessage,
  type WireObject,
} from './wire-field.ts';

export const resourceRequirements: WireMessage<ResourceRequirements> = {
  limits: map(1, 'quantity'),
  requests: map(2, 'quantity'),
  claims: list(message(3, { name: kept(text(1)), request: text(2) })),
};

const requirement: WireMessage<NodeSelectorRequirement> = {
  key: kept(text(1)),
  operator: kept(text(2)),
  values: texts(3),
};

const nodeSelectorTerm: WireMessage<NodeSelectorTerm> = {
  matchExpressions: list(message(1, requirement)),
  matchFields: list(message(2, requirement)),
};

export const nodeSelector: WireMessage<NodeSelector> = {
  nodeSelectorTerms: list(message(1, nodeSelectorTerm)),
};

const preferredTerm: WireMessage<PreferredSchedulingTerm> = {
  weight: kept(integer(1)),
  preference: message(2, nodeSelectorTerm),
};

const nodeAffinity: WireMessage<NodeAffinity> = {
  requiredDuringSchedulingIgnoredDuringExecution: message(1, nodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: list(message(2, preferredTerm)),
};

const podAffinityTerm: WireMessage<PodAffinityTerm> = {
  labelSelector: message(1, labelSelector),
  namespaces: texts(2),
  topologyKey: kept(text(3)),
  namespaceSelector: message(4, labelSelector),
  matchLabelKeys: texts(5),
  mismatchLabelKeys: texts(6),
};

const weightedTerm: WireMessage<WeightedPodAffinityTerm> = {
  weight: kept(integer(1)),
  podAffinityTerm: message(2, podAffinityTerm),
};

const podAffinity: WireMessage<PodAffinity> = {
  requiredDuringSchedulingIgnoredDuringExecution: list(message(1, podAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: list(message(2, weightedTerm)),
};

const affinity: WireMessage<Affinity> = {
  nodeAffinity: message(1, nodeAffinity),
  podAffinity: message(2, podAffinity),
  podAntiAffinity: message(3, podAffinity),
};

const toleration: WireMessage<Toleration> = {
  key: text(1),
  operator: text(2),
  value: text(3),
  effect: text(4),
  tolerationSeconds: kept(integer(5)),
};

const spreadConstraint: WireMessage<TopologySpreadConstraint> = {
  maxSkew: kept(integer(1)),
  topologyKey: kept(text(2)),
  whenUnsatisfiable: kept(text(3)),
  labelSelector: message(4, labelSelector),
  minDomains: kept(integer(5)),
  nodeAffinityPolicy: kept(text(6)),
  nodeTaintsPolicy: kept(text(7)),
  matchLabelKeys: texts(8),
};

const port: WireMessage<ContainerPort> = {
  hostPort: integer(2),
  containerPort: kept(integer(3)),
  protocol: text(4),
  hostIP: text(5),
};

const container: WireMessage<Container> = {
  name: kept(text(1)),
  image: text(2),
  ports: alike(list(message(6, port))),
  resources: alike(message(8, resourceRequirements)),
  restartPolicy: kept(text(24)),
};

const volumeRequirements: WireMessage<Omit<ResourceRequirements, 'claims'>> = {
  limits: map(1, 'quantity'),
  requests: map(2, 'quantity'),
};

export const claimSpec: WireMessage<PersistentVolumeClaimSpec> = {
  accessModes: texts(1),
  resources: alike(message(2, volumeRequirements)),
  volumeName: text(3),
  storageClassName: kept(text(5)),
};

const ephemeral: WireMessage<NonNullable<Volume['ephemeral']>> = {
  volumeClaimTemplate: message(1, { spec: message(2, claimSpec) }),
};

const volume: WireMessage<Volume> = {
  // The volume with a pod's token has a random name.
  name: kept(distinctText(1)),
  persistentVolumeClaim: inside(2, message(10, { claimName: kept(distinctText(1)) })),
  ephemeral: inside(2, message(29, ephemeral)),
};

const resourceClaim: WireMessage<PodResourceClaim> = {
  name: kept(text(1)),
  resourceClaimName: kept(distinctText(3)),
  resourceClaimTemplateName: kept(text(4)),
};

const podSpec: WireMessage<PodSpec> = {
  volumes: list(message(1, volume)),
  containers: list(message(2, container)),
  terminationGracePeriodSeconds: kept(integer(4)),
  nodeSelector: alike(map(7)),
  nodeName: text(10),
  hostNetwork: field(11, 'boolean'),
  affinity: alike(message(18, affinity)),
  schedulerName: text(19),
  initContainers: list(message(20, container)),
  tolerations: alike(list(message(22, toleration))),
  priorityClassName: text(24),
  priority: kept(integer(25)),
  overhead: alike(map(32, 'quantity')),
  topologySpreadConstraints: alike(list(message(33, spreadConstraint))),
  resourceClaims: list(message(39, resourceClaim)),
  resources: alike(message(40, resourceRequirements)),
};

const containerStatus: WireMessage<ContainerStatus> = {
  name: kept(text(1)),
  allocatedResources: map(10, 'quantity'),
  resources: alike(message(11, resourceRequirements)),
};

const condition: WireMessage<PodCondition> = {
  type: kept(text(1)),
  status: kept(text(2)),
  lastTransitionTime: field(4, 'time'),
  reason: text(5),
  message: text(6),
};

const podStatus: WireMessage<PodStatus> = {
  phase: text(1),
  conditions: list(message(2, condition)),
  startTime: field(7, 'time'),
  containerStatuses: list(message(8, containerStatus)),
  initContainerStatuses: list(message(10, containerStatus)),
  nominatedNodeName: text(11),
};

export const pod: WireObject<Pod> = {
  metadata: message(1, objectMeta),
  spec: message(2, podSpec),
  status: message(3, podStatus),
};

export const podTemplateSpec: WireMessage<PodTemplateSpec> = {
  metadata: message(1, objectMeta),
  spec: message(2, podSpec),
};

export const podTemplate: WireObject<PodTemplate> = {
  metadata: message(1, objectMeta),
  template: message(2, podTemplateSpec),
};
