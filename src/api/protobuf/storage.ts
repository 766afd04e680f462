// The binary form of volumes, their claims and classes, and where they are attached.
import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeSpec } from '../core.ts';
import type { CsiNode, StorageClass, VolumeAttachment } from '../workloads.ts';
import { objectMeta } from './meta.ts';
import { claimSpec, nodeSelector } from './pod.ts';
import {
  distinctText,
  field,
  inside,
  integer,
  kept,
  list,
  message,
  text,
  texts,
  type WireMessage,
  type WireObject,
} from './wire-field.ts';

export const persistentVolumeClaim: WireObject<PersistentVolumeClaim> = {
  metadata: message(1, objectMeta),
  spec: message(2, claimSpec),
  status: message(3, { phase: text(1) }),
};

// Of the kinds of volume that are known by their presence alone nothing more is read.
const volumeSpec: WireMessage<PersistentVolumeSpec> = {
  awsElasticBlockStore: inside(2, message(2, {})),
  hostPath: inside(2, message(3, {})),
  local: inside(2, message(20, {})),
  csi: inside(2, message(22, { driver: kept(text(1)) })),
  storageClassName: text(6),
  nodeAffinity: message(9, { required: message(1, nodeSelector) }),
};

export const persistentVolume: WireObject<PersistentVolume> = {
  metadata: message(1, objectMeta),
  spec: message(2, volumeSpec),
};

const topologyTerm = {
  matchLabelExpressions: list(message(1, { key: kept(text(1)), values: texts(2) })),
};

export const storageClass: WireObject<StorageClass> = {
  metadata: message(1, objectMeta),
  provisioner: kept(text(2)),
  volumeBindingMode: kept(text(7)),
  allowedTopologies: list(message(8, topologyTerm)),
};

const driver = {
  name: kept(text(1)),
  nodeID: kept(distinctText(2)),
  allocatable: message(4, { count: kept(integer(1)) }),
};

export const csiNode: WireObject<CsiNode> = {
  metadata: message(1, objectMeta),
  spec: message(2, { drivers: list(message(1, driver)) }),
};

const attachmentSpec: WireMessage<VolumeAttachment['spec']> = {
  attacher: kept(text(1)),
  source: message(2, { persistentVolumeName: kept(distinctText(1)) }),
  nodeName: kept(text(3)),
};

export const volumeAttachment: WireObject<VolumeAttachment> = {
  metadata: message(1, objectMeta),
  spec: message(2, attachmentSpec),
  status: message(3, { attached: kept(field(1, 'boolean')) }),
};
