// Answers "whose token is this?" and "who am I?". In: a TokenReview or SelfSubjectReview. Out: the same with a status.
// A token that is not good is no failure: the status says so.
import { toTimestamp, type Clock } from '../../../../base/clock.ts';
import type { UserInfo } from '../../api.ts';
import { listAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { VirtualCreate } from '../../ports.ts';
import { badRequest } from '../../status-error.ts';
import type { Credential } from '../authentication/credential.ts';
import { answered } from './answered.ts';

const apiVersion = 'authentication.k8s.io/v1';

export function tokenReviews(options: {
  readonly authenticateToken: (token: string, audiences: readonly string[]) => Credential;
  /** Of the server: what is meant when the review names none. */
  readonly audiences: readonly string[];
}): VirtualCreate {
  return ({ object }) => {
    const token = stringAt(object, 'spec', 'token') ?? '';
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const asked = listAt(object, 'spec', 'audiences').map(String);
    const audiences = asked.length === 0 ? options.audiences : asked;
    const status = statusOf(options.authenticateToken(token, audiences));
    return answered({ apiVersion, kind: 'TokenReview' }, object, status);
  };
}

function statusOf(credential: Credential): JsonObject {
  switch (credential.outcome) {
    case 'valid':
      return {
        authenticated: true,
        user: toStatusUser(credential.user),
        audiences: credential.audiences,
      };
    case 'invalid':
      return { user: {}, error: `[invalid bearer token, ${credential.reason}]` };
    case 'unknown':
      return { user: {}, error: 'invalid bearer token' };
    default:
      return credential satisfies never;
  }
}

export function selfSubjectReviews(clock: Clock): VirtualCreate {
  return ({ context }) =>
    ({
      apiVersion,
      kind: 'SelfSubjectReview',
      metadata: { creationTimestamp: toTimestamp(clock.now()) },
      status: { userInfo: toStatusUser(context.user) },
    }) as unknown as ApiObject;
}

/** Empty parts are left out, as everywhere in the API. */
function toStatusUser({ username, uid = '', groups, extra = {} }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
