// AKSNodeClasses as they are stored: with the defaults of the schema filled in.
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  specOf,
} from '../../../src/api/aks-node-class.ts';

export function classWith(
  spec: Partial<AKSNodeClassSpec> = {},
  status?: AKSNodeClassStatus,
): AKSNodeClass {
  const nodeClass: AKSNodeClass = {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default', uid: 'a', generation: 1 },
  };
  return {
    ...nodeClass,
    spec: { ...specOf(nodeClass), ...spec },
    ...(status !== undefined && { status }),
  };
}
