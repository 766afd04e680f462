// CapacityBuffer as the product reads it. The fields come from the CRD definition; nothing is repeated here.
import {
  capacityBufferDefinition,
  type capacityBufferSpec,
  type capacityBufferStatus,
} from './crd/capacity-buffer.ts';
import { resourceTypeOf } from './crd/definition.ts';
import type { Stored } from './crd/schema.ts';
import type { KubeObject } from './meta.ts';

export type CapacityBufferSpec = Stored<typeof capacityBufferSpec>;
export type CapacityBufferStatus = Stored<typeof capacityBufferStatus>;

export interface CapacityBuffer extends KubeObject {
  readonly spec: CapacityBufferSpec;
  readonly status?: CapacityBufferStatus;
}

export const capacityBuffers = resourceTypeOf<CapacityBuffer>(capacityBufferDefinition);

export const capacityBufferCondition = {
  readyForProvisioning: 'ReadyForProvisioning',
  provisioning: 'Provisioning',
} as const;
