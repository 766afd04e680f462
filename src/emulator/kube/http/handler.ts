// The server's front: from one HTTP request to one reply. In: a request. Out: always a reply, whatever happens behind:
// a refusal is a Status, a fault of ours is a logged 500, and neither ends the process.
import { findCode } from '../../../base/errors.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import type { Logger } from '../../../base/log.ts';
import { routePath, type RouteOptions } from '../discovery/routes.ts';
import { requestInfo, type RequestInfo } from '../request-info.ts';
import { internalError, noSuchResource, StatusError } from '../status-error.ts';
import { checkAccess, userOf, type Access } from './access.ts';
import { errorReply, pageNotFound, wantsPretty } from './reply.ts';
import { resourceReply, type ResourceRoutes } from './resource-routes.ts';

export interface HandlerOptions extends RouteOptions, ResourceRoutes {
  readonly access: Access;
  readonly log: Logger;
  readonly observe?: (info: RequestInfo, code: number) => void;
}

export function createHandler(options: HandlerOptions): HttpHandler {
  return async (request) => {
    const info = requestInfo(request);
    const reply = await answer(options, request, info);
    options.observe?.(info, reply.status);
    return reply;
  };
}

async function answer(
  options: HandlerOptions,
  request: HttpRequest,
  info: RequestInfo,
): Promise<HttpReply> {
  const form = {
    encoding: 'json' as const,
    isPretty: wantsPretty(request.query, request.headers['user-agent']),
  };
  try {
    const user = userOf(options.access, request);
    checkAccess(options.access, user, info);
    if (info.isResource) {
      if (!isServedGroup(options, info.group)) return pageNotFound();
      return await resourceReply(options, { request, info, user });
    }
    return (await routePath(options, request)) ?? missing(request.path, options, form);
  } catch (error) {
    if (error instanceof StatusError) return errorReply(error, form);
    options.log.error('request failed', { error, method: request.method, path: request.path });
    const reason = findCode(error, 'BodyTooLarge')?.message ?? 'unexpected error';
    return errorReply(internalError(reason), form);
  }
}

/** A version that is not served of a group that is gets a Status; anything else a page. */
function missing(
  path: string,
  options: HandlerOptions,
  form: { readonly encoding: 'json'; readonly isPretty: boolean },
): HttpReply {
  const [, root, group = ''] = path.split('/');
  const isKnown = root === 'api' || (root === 'apis' && isServedGroup(options, group));
  return isKnown ? errorReply(noSuchResource(), form) : pageNotFound();
}

function isServedGroup(options: HandlerOptions, group: string): boolean {
  return options.registry.groups.some((served) => served.group === group);
}
