// NodeOverlay as the product reads it. The fields come from the CRD definition; nothing is repeated here.
import { resourceTypeOf } from './crd/definition.ts';
import {
  nodeOverlayDefinition,
  type nodeOverlaySpec,
  type nodeOverlayStatus,
} from './crd/node-overlay.ts';
import type { Stored } from './crd/schema.ts';
import type { KubeObject } from './meta.ts';

export type NodeOverlaySpec = Stored<typeof nodeOverlaySpec>;
export type NodeOverlayStatus = Stored<typeof nodeOverlayStatus>;

export interface NodeOverlay extends KubeObject {
  readonly spec: NodeOverlaySpec;
  readonly status?: NodeOverlayStatus;
}

export type NodeOverlayRequirement = NodeOverlaySpec['requirements'][number];

export const nodeOverlays = resourceTypeOf<NodeOverlay>(nodeOverlayDefinition);

export const nodeOverlayCondition = {
  ready: 'Ready',
  validationSucceeded: 'ValidationSucceeded',
} as const;
