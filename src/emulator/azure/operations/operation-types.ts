// Where operations are polled: the status monitor that Azure-AsyncOperation names, and the result that Location names.
// In: an operation's id. Out: 200 with its status whatever it is; the result is 202 until there is one.
import { ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { nameOf } from '../arm/resource-id.ts';
import { ArmError } from '../errors.ts';
import type { OperationState, Operations } from './operations.ts';

/** One pair for each namespace whose operations are polled under its own name. */
export function operationTypes(operations: Operations, namespace: string): ResourceType[] {
  const monitor = (call: ArmCall): ArmReply => statusReply(operations, find(operations, call));
  const result = (call: ArmCall): ArmReply => resultReply(operations, call);
  return [
    // Whoever may write in a single group polls here, at the subscription.
    { type: `${namespace}/locations/operations`, get: monitor, open: ['get'] },
    { type: `${namespace}/locations/operationResults`, get: result, open: ['get'] },
  ];
}

/** What Microsoft.Resources polls by: only the result. */
export function operationResultType(operations: Operations): ResourceType {
  return {
    type: 'Microsoft.Resources/subscriptions/operationresults',
    get: (call) => resultReply(operations, call),
    open: ['get'],
  };
}

function find(operations: Operations, call: ArmCall): OperationState {
  const id = nameOf(call.path);
  const state = operations.get(id);
  // An operation is known only where it was started.
  if (state === undefined || state.subscriptionId !== call.path.subscriptionId) {
    throw new ArmError(404, 'NotFound', `The entity was not found in this Azure location.`);
  }
  return state;
}

function statusReply(operations: Operations, state: OperationState): ArmReply {
  const body = {
    startTime: new Date(state.startMs).toISOString(),
    ...(state.endMs === undefined ? {} : { endTime: new Date(state.endMs).toISOString() }),
    status: state.status,
    ...(state.error === undefined ? {} : { error: state.error.toJson() }),
    ...(state.result === undefined ? {} : { properties: { output: state.result } }),
    name: state.id,
  };
  if (state.status !== 'InProgress') return ok(body);
  return { status: 200, body, headers: { 'retry-after': operations.retryAfter } };
}

function resultReply(operations: Operations, call: ArmCall): ArmReply {
  const state = find(operations, call);
  if (state.status === 'InProgress') {
    const kind = call.path.types.at(-1) === 'operations' ? 'operations' : 'operationResults';
    const location = operations.url(call, state.id, kind);
    return { status: 202, headers: { location, 'retry-after': operations.retryAfter } };
  }
  if (state.error !== undefined) throw state.error;
  return state.result === undefined ? { status: 200 } : ok(state.result);
}
