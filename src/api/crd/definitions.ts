// All custom resources of the product, in the order in which the reference page shows them.
import { aksNodeClassDefinition } from './aks-node-class.ts';
import { capacityBufferDefinition } from './capacity-buffer.ts';
import type { Definition } from './definition.ts';
import { nodeClaimDefinition } from './node-claim.ts';
import { nodeOverlayDefinition } from './node-overlay.ts';
import { nodePoolDefinition } from './node-pool.ts';

export const definitions: readonly Definition[] = [
  nodePoolDefinition,
  nodeClaimDefinition,
  aksNodeClassDefinition,
  nodeOverlayDefinition,
  capacityBufferDefinition,
];
