// Who asks, and may they. In: a request. Out: the user, or a 401 or 403 in the server's words.
import type { HttpRequest } from '../../../base/http-server.ts';
import type { UserInfo } from '../api.ts';
import type { AuthorizationRequest, Authenticator, Authorizer } from '../ports.ts';
import type { RequestInfo, ResourceRequest } from '../request-info.ts';
import { forbiddenRequest } from '../security/authorization/forbidden-request.ts';
import { demandedValue } from '../selector/field-selector.ts';
import { unauthorized } from '../status-error.ts';
import { pathSegmentName } from '../validation/names.ts';

export interface Access {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
}

export function userOf(access: Access, request: HttpRequest): UserInfo {
  const user = access.authenticator.authenticate(request);
  if (user === undefined) throw unauthorized();
  return user;
}

export function checkAccess(access: Access, user: UserInfo, info: RequestInfo): void {
  const request: AuthorizationRequest = {
    user,
    verb: info.verb,
    path: info.path,
    ...(info.isResource ? { resource: { ...info, name: nameOf(info) } } : {}),
  };
  const { allowed, reason } = access.authorizer.authorize(request);
  if (!allowed) throw forbiddenRequest(request, reason);
}

/** Whoever lists or watches one object by its name needs no right to see the others. */
function nameOf({ name, verb, fieldSelector }: ResourceRequest): string {
  if (name !== '' || (verb !== 'list' && verb !== 'watch')) return name;
  const demanded = demandedValue(fieldSelector, 'metadata.name') ?? '';
  return pathSegmentName(demanded, false).length === 0 ? demanded : '';
}
