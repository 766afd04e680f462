// The binary form of workloads, disruption budgets and leases.
import type { DaemonSet, Lease, PodDisruptionBudget, ScalableWorkload } from '../workloads.ts';
import { labelSelector, objectMeta } from './meta.ts';
import { podTemplateSpec } from './pod.ts';
import {
  distinctText,
  field,
  integer,
  kept,
  message,
  type WireMessage,
  type WireObject,
} from './wire-field.ts';

const daemonSetSpec: WireMessage<DaemonSet['spec']> = {
  selector: message(1, labelSelector),
  template: message(2, podTemplateSpec),
};

export const daemonSet: WireObject<DaemonSet> = {
  metadata: message(1, objectMeta),
  spec: message(2, daemonSetSpec),
};

const workloadSpec: WireMessage<ScalableWorkload['spec']> = {
  replicas: kept(integer(1)),
  selector: message(2, labelSelector),
  template: message(3, podTemplateSpec),
};

export const scalableWorkload: WireObject<ScalableWorkload> = {
  metadata: message(1, objectMeta),
  spec: message(2, workloadSpec),
};

const budgetSpec: WireMessage<PodDisruptionBudget['spec']> = {
  minAvailable: kept(field(1, 'intOrString')),
  selector: message(2, labelSelector),
  maxUnavailable: kept(field(3, 'intOrString')),
  unhealthyPodEvictionPolicy: kept(field(4, 'text')),
};

const budgetStatus: WireMessage<NonNullable<PodDisruptionBudget['status']>> = {
  disruptionsAllowed: kept(integer(3)),
  currentHealthy: kept(integer(4)),
  desiredHealthy: kept(integer(5)),
  expectedPods: kept(integer(6)),
};

export const podDisruptionBudget: WireObject<PodDisruptionBudget> = {
  metadata: message(1, objectMeta),
  spec: message(2, budgetSpec),
  status: message(3, budgetStatus),
};

const leaseSpec: WireMessage<NonNullable<Lease['spec']>> = {
  holderIdentity: kept(distinctText(1)),
  leaseDurationSeconds: kept(integer(2)),
  acquireTime: field(3, 'microTime'),
  renewTime: field(4, 'microTime'),
  leaseTransitions: kept(integer(5)),
};

export const lease: WireObject<Lease> = {
  metadata: message(1, objectMeta),
  spec: message(2, leaseSpec),
};
