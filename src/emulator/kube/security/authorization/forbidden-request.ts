// The 403 for a request that no authorizer allowed. In: the request and the authorizers' reason. Out: a StatusError.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import type { AuthorizationRequest } from '../../ports.ts';
import { forbidden, forbiddenPath, type StatusError } from '../../status-error.ts';

export function forbiddenRequest(request: AuthorizationRequest, reason: string): StatusError {
  const { resource } = request;
  const refusal = harmless(describe(request));
  const why = reason === '' ? refusal : `${refusal}: ${reason}`;
  if (resource === undefined) return forbiddenPath(why);
  return forbidden({ group: resource.group, resource: resource.resource }, resource.name, why);
}

function describe(request: AuthorizationRequest): string {
  const { resource, verb } = request;
  const who = `User ${quote(request.user.username)} cannot ${verb}`;
  if (resource === undefined) return `${who} path ${quote(request.path)}`;
  const title =
    resource.subresource === ''
      ? resource.resource
      : `${resource.resource}/${resource.subresource}`;
  const scope =
    resource.namespace === ''
      ? 'at the cluster scope'
      : `in the namespace ${quote(resource.namespace)}`;
  return `${who} resource ${quote(title)} in API group ${quote(resource.group)} ${scope}`;
}

/** Nothing a browser could take for markup. */
function harmless(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
