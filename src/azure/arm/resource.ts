// What can be done to any resource. In: where it is and the version of the API that its file speaks. Out: the resource, or the
// operation that changes it. What is not there is undefined when read and no error when deleted.
import { isArmNotFound } from './arm-error.ts';
import { begin, type Operation } from './operation.ts';
import type { Arm } from './send.ts';

export interface ResourceRef {
  readonly id: string;
  readonly apiVersion: string;
}

export interface GroupRef {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

export type Headers = Readonly<Record<string, string>>;

/** `type` with its provider: `Microsoft.Compute/virtualMachines`. */
export function resourceIn(
  { subscriptionId, resourceGroup }: GroupRef,
  type: string,
  name?: string,
): string {
  const collection = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/${type}`;
  return name === undefined ? collection : `${collection}/${encodeURIComponent(name)}`;
}

export async function getResource<T>(
  arm: Arm,
  { id: path, apiVersion }: ResourceRef,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    const { body } = await arm.send<T>({ method: 'GET', path, apiVersion, signal });
    return body;
  } catch (error) {
    if (isArmNotFound(error)) return undefined;
    throw error;
  }
}

export function beginPut<T>(
  arm: Arm,
  { id: path, apiVersion }: ResourceRef,
  request: { readonly body: T; readonly headers?: Headers; readonly signal: AbortSignal },
): Promise<Operation<T>> {
  return begin<T>(arm, { ...request, method: 'PUT', path, apiVersion });
}

export function beginPatch(
  arm: Arm,
  { id: path, apiVersion }: ResourceRef,
  request: { readonly body: unknown; readonly headers?: Headers; readonly signal: AbortSignal },
): Promise<Operation<unknown>> {
  return begin(arm, { ...request, method: 'PATCH', path, apiVersion });
}

export function beginDelete(
  arm: Arm,
  { id: path, apiVersion }: ResourceRef,
  request: { readonly query?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<Operation<unknown>> {
  return begin(arm, { ...request, method: 'DELETE', path, apiVersion });
}
