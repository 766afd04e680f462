// Whether nodes may be launched from a class. In: the class. Out: nothing, or the error that the loops understand. A status
// that speaks of an older spec counts as none.
import { type AKSNodeClass, aksNodeClassCondition } from '../api/aks-node-class.ts';
import { CodedError } from '../base/errors.ts';
import { CreateError, nodeClassNotReady } from '../cloud/errors.ts';
import { findCondition } from '../model/conditions.ts';
import { usableImages, usableKubernetesVersion } from './image/usable-status.ts';

/** A class that was judged and found wanting ends the claim; one that was not judged yet does not. */
export function launchRefusal(nodeClass: AKSNodeClass): Error | undefined {
  const ready = findCondition(nodeClass.status?.conditions, aksNodeClassCondition.ready);
  if (ready?.status === 'False') {
    return nodeClassNotReady({ cause: new Error(ready.message) });
  }
  if (ready?.status !== 'True') {
    return new CreateError({
      reason: 'NodeClassReadinessUnknown',
      message: `AKSNodeClass ${nodeClass.metadata.name} has not been judged yet`,
    });
  }
  for (const part of [usableKubernetesVersion(nodeClass), usableImages(nodeClass)]) {
    if (part.ok) continue;
    return new CodedError('NodeClassUnusable', 'the node class cannot be launched from yet', {
      fields: { reason: part.reason },
    });
  }
  return undefined;
}
