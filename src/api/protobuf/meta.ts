// The binary form of what all objects have in common.
import type {
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ObjectMeta,
  OwnerReference,
  Status,
  StatusCause,
  StatusDetails,
} from '../meta.ts';
import {
  alike,
  distinctText,
  field,
  integer,
  kept,
  list,
  map,
  message,
  text,
  texts,
  type WireMessage,
} from './wire-field.ts';

const ownerReference: WireMessage<OwnerReference> = {
  kind: kept(text(1)),
  name: kept(text(3)),
  uid: kept(text(4)),
  apiVersion: kept(text(5)),
  controller: kept(field(6, 'boolean')),
  blockOwnerDeletion: kept(field(7, 'boolean')),
};

export const objectMeta: WireMessage<ObjectMeta> = {
  name: distinctText(1),
  generateName: text(2),
  namespace: text(3),
  uid: distinctText(5),
  resourceVersion: distinctText(6),
  generation: integer(7),
  creationTimestamp: field(8, 'time'),
  deletionTimestamp: field(9, 'time'),
  deletionGracePeriodSeconds: kept(integer(10)),
  labels: alike(map(11)),
  annotations: alike(map(12)),
  ownerReferences: alike(list(message(13, ownerReference))),
  finalizers: alike(texts(14)),
};

const requirement: WireMessage<LabelSelectorRequirement> = {
  key: kept(text(1)),
  operator: kept(text(2)),
  values: texts(3),
};

export const labelSelector: WireMessage<LabelSelector> = {
  matchLabels: map(1),
  matchExpressions: list(message(2, requirement)),
};

export const listMeta: WireMessage<ListMeta> = {
  resourceVersion: text(2),
  continue: distinctText(3),
  remainingItemCount: kept(integer(4)),
};

const cause: WireMessage<StatusCause> = { reason: text(1), message: text(2), field: text(3) };

const details: WireMessage<StatusDetails> = {
  name: text(1),
  group: text(2),
  kind: text(3),
  causes: list(message(4, cause)),
  retryAfterSeconds: integer(5),
  uid: text(6),
};

export const status: WireMessage<Omit<Status, 'apiVersion' | 'kind'>> = {
  metadata: message(1, listMeta),
  status: text(2),
  message: text(3),
  reason: text(4),
  details: message(5, details),
  code: integer(6),
};
