// All built-in kinds in the order in which the real server's discovery shows their groups.
import {
  accessKinds,
  admissionKinds,
  certificateKinds,
  coordinationKinds,
  deviceKinds,
  discoveryKinds,
  extensionKinds,
  networkKinds,
  nodeKinds,
  reviewKinds,
  schedulingKinds,
  storageKinds,
} from './cluster.ts';
import { coreKinds } from './core.ts';
import { newEvents } from './event-kinds.ts';
import type { ResourceKind } from './resource-kind.ts';
import { appsKinds, autoscalingKinds, batchKinds, policyKinds } from './workloads.ts';

export const builtInKinds: readonly ResourceKind[] = [
  ...coreKinds,
  ...appsKinds,
  newEvents,
  ...reviewKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificateKinds,
  ...networkKinds,
  ...policyKinds,
  ...accessKinds,
  ...storageKinds,
  ...admissionKinds,
  ...extensionKinds,
  ...schedulingKinds,
  ...coordinationKinds,
  ...nodeKinds,
  ...discoveryKinds,
  ...deviceKinds,
];
