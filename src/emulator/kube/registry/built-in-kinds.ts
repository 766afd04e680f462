// All built-in kinds in the order in which the real server's discovery shows their groups.
import { accessKinds } from './access-kinds.ts';
import { admissionKinds } from './admission-kinds.ts';
import { certificateKinds } from './certificate-kinds.ts';
import { coordinationKinds } from './coordination-kinds.ts';
import { deviceKinds } from './device-kinds.ts';
import { discoveryKinds } from './discovery-kinds.ts';
import { extensionKinds } from './extension-kinds.ts';
import { networkKinds } from './network-kinds.ts';
import { nodeKinds } from './node-kinds.ts';
import { registrationKinds } from './registration-kinds.ts';
import { reviewKinds } from './review-kinds.ts';
import { schedulingKinds } from './scheduling-kinds.ts';
import { storageKinds } from './storage-kinds.ts';
import { coreKinds } from './core-kinds.ts';
import { newEvents } from './event-kinds.ts';
import type { ResourceKind } from './resource-kind.ts';
import { appsKinds, autoscalingKinds, batchKinds, policyKinds } from './workload-kinds.ts';

export const builtInKinds: readonly ResourceKind[] = [
  ...coreKinds,
  ...registrationKinds,
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
