// Sends a write past the admission plugins. In: the object as it would be written. Out: the object as they
// changed it; a plugin that refuses throws.
import type { RequestContext } from '../api.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionRequest } from '../ports.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { Environment } from './environment.ts';

export function admissionRequest(options: {
  readonly operation: AdmissionRequest['operation'];
  readonly kind: ResourceKind;
  readonly context: RequestContext;
  readonly subresource?: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly before?: ApiObject | undefined;
}): AdmissionRequest {
  return {
    operation: options.operation,
    context: options.context,
    group: options.kind.group,
    resource: options.kind.plural,
    kind: options.kind.kind,
    subresource: options.subresource ?? '',
    namespace: options.namespace ?? '',
    name: options.name,
    before: options.before,
  };
}

export function mutate(env: Environment, object: ApiObject, request: AdmissionRequest): ApiObject {
  let admitted = object;
  for (const plugin of env.admission) {
    if (plugin.mutate !== undefined) admitted = plugin.mutate(admitted, request);
  }
  return admitted;
}

export function validate(env: Environment, object: ApiObject, request: AdmissionRequest): void {
  for (const plugin of env.admission) plugin.validate?.(object, request);
}
