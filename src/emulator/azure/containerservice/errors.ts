// How AKS says no. In: what was asked for. Out: an ArmError whose body is flat, without the `error` around it, as AKS itself
// answers; what Resource Manager says on its behalf is in ../errors.ts.
import { ArmError, type ArmErrorDetail } from '../errors.ts';

export function aksError(
  status: number,
  code: string,
  message: string,
  details: readonly ArmErrorDetail[] = [],
): ArmError {
  return new ArmError(status, code, message, { isFlat: true, details });
}

export function badRequest(message: string): ArmError {
  return aksError(400, 'BadRequest', message);
}

export function invalidParameter(name: string, message: string): ArmError {
  return aksError(
    400,
    'InvalidParameter',
    `The value of parameter ${name} is invalid. Error details: ${message}. Please see https://aka.ms/aks-naming-rules for more details.`,
  );
}

export function operationNotAllowed(message: string): ArmError {
  return aksError(400, 'OperationNotAllowed', message);
}

export function inProgress(kind: string, name: string, state: string): ArmError {
  return aksError(
    409,
    'OperationNotAllowed',
    `Operation is not allowed because there's an in progress ${state} operation on the ${kind} '${name}'. Please wait for it to finish before starting a new operation. See https://aka.ms/aks-pending-operation for more details.`,
  );
}

export function notFound(kind: string, name: string): ArmError {
  return aksError(404, 'NotFound', `Could not find the ${kind} '${name}'.`);
}

export function versionNotSupported(cluster: string, version: string): ArmError {
  return aksError(
    400,
    'K8sVersionNotSupported',
    `Managed cluster ${cluster} is on version ${version} which is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this region. For more information, please check https://aka.ms/supported-version-list`,
  );
}

export function sizeNotSupported(size: string, location: string): ArmError {
  return aksError(
    400,
    'VMSizeNotSupported',
    `The VM size of ${size} is not supported for subscription in location '${location}'. For more details, please visit https://aka.ms/cpu-quota`,
  );
}

export function conditionNotMet(): ArmError {
  return aksError(
    412,
    'ConditionNotMet',
    'The condition of the request is not met: the etag of the request is not that of the resource. Read the resource again and retry.',
  );
}

/** No machine of that name: the words by which clients know that it is gone. */
export function noValidMachines(missing: readonly string[], valid: readonly string[]): ArmError {
  return aksError(
    400,
    'InvalidParameter',
    `Cannot find any valid machines to delete. Please check your input machine names. Invalid machine names: ${missing.join(', ')}. The valid machines to delete are: ${valid.join(', ')}.`,
  );
}

/** A failure below AKS, as it passes it on: quota shortages get a name of their own around the provider's. */
export function passedOn(error: ArmError): ArmError {
  const { code, message } = error;
  const isQuota = code === 'OperationNotAllowed' && message.includes('quota');
  return aksError(error.status, isQuota ? 'QuotaExceeded' : code, message, [{ code, message }]);
}
