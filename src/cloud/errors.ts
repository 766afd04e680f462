// What can go wrong with a cloud, as far as the loops react differently. In: a cause. Out: errors with a code that
// is found anywhere in a chain of causes, so wrapping never changes what happens next.
//   InsufficientCapacity  no machine can be had as asked for: the claim is given up and its pods scheduled anew
//   NodeClassNotReady     the claim is given up; the pool waits for its class
//   CreateError           the claim stays and says why; the launch is tried again
//   NodeClaimNotFound     the machine is gone
//   UnevaluatedNodePool   overlays of the pool are not known yet: leave it out of this round
import { CodedError, type ErrorFields, findCode, hasCode } from '../base/errors.ts';

interface Details {
  readonly cause?: unknown;
  readonly fields?: ErrorFields;
}

export function insufficientCapacity(details: Details): CodedError {
  return new CodedError('InsufficientCapacity', 'insufficient capacity', details);
}

export function isInsufficientCapacity(error: unknown): boolean {
  return hasCode(error, 'InsufficientCapacity');
}

export function nodeClassNotReady(details: Details): CodedError {
  return new CodedError('NodeClassNotReady', 'NodeClassRef not ready', details);
}

export function isNodeClassNotReady(error: unknown): boolean {
  return hasCode(error, 'NodeClassNotReady');
}

export function nodeClaimNotFound(details: Details): CodedError {
  return new CodedError('NodeClaimNotFound', 'nodeclaim not found', details);
}

export function isNodeClaimNotFound(error: unknown): boolean {
  return hasCode(error, 'NodeClaimNotFound');
}

export function unevaluatedNodePool(nodePool: string): CodedError {
  return new CodedError('UnevaluatedNodePool', 'nodepool is awaiting evaluation', {
    fields: { nodePool },
  });
}

export function isUnevaluatedNodePool(error: unknown): boolean {
  return hasCode(error, 'UnevaluatedNodePool');
}

/** What the Launched condition is to say about a launch that failed. */
export class CreateError extends CodedError<'CreateError'> {
  readonly conditionReason: string;
  readonly conditionMessage: string;

  constructor(
    condition: { readonly reason: string; readonly message: string },
    details: Details = {},
  ) {
    super('CreateError', 'creating nodeclaim', details);
    this.conditionReason = condition.reason;
    this.conditionMessage = condition.message;
  }
}

export function findCreateError(error: unknown): CreateError | undefined {
  const found = findCode(error, 'CreateError');
  return found instanceof CreateError ? found : undefined;
}
