// Acting as somebody else. In: who really asks, and Impersonate headers. Out: the user to act as, or the same user when
// no header asks for it; a StatusError for each part that the asker may not take on.
import type { UserInfo } from '../../api.ts';
import type { AuthorizationRequest, Authorizer } from '../../ports.ts';
import { badRequest } from '../../status-error.ts';
import { forbiddenRequest } from '../authorization/forbidden-request.ts';
import {
  anonymousUser,
  parseServiceAccountUsername,
  serviceAccountGroups,
  wellKnownGroups,
} from '../user.ts';

type Headers = Readonly<Record<string, string | undefined>>;
type ResourceAttributes = NonNullable<AuthorizationRequest['resource']>;

/** One thing that the asker wants to be. */
interface Part {
  readonly kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra' | 'UID';
  readonly name: string;
  readonly namespace?: string;
  readonly extraKey?: string;
}

const extraPrefix = 'impersonate-extra-';
const authenticationGroup = 'authentication.k8s.io';

export function impersonate(options: {
  readonly headers: Headers;
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
}): UserInfo {
  const parts = partsOf(options.headers);
  if (parts.length === 0) return options.user;
  const who = parts.find((part) => part.kind === 'User' || part.kind === 'ServiceAccount');
  if (who === undefined) {
    const wanted = parts.map((part) => describe(part)).join(' ');
    throw badRequest(`requested [${wanted}] without impersonating a user`);
  }
  for (const part of parts) {
    const request: AuthorizationRequest = {
      user: options.user,
      verb: 'impersonate',
      resource: toAttributes(part),
      path: '',
    };
    const decision = options.authorizer.authorize(request);
    if (!decision.allowed) throw forbiddenRequest(request, decision.reason);
  }
  return toUser(options.headers['impersonate-user'] ?? '', who, parts);
}

function partsOf(headers: Headers): readonly Part[] {
  const username = headers['impersonate-user'] ?? '';
  const account = parseServiceAccountUsername(username);
  const uid = headers['impersonate-uid'] ?? '';
  const who: readonly Part[] =
    account === undefined
      ? [{ kind: 'User', name: username }]
      : [{ kind: 'ServiceAccount', ...account }];
  const extras = Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .flatMap(([header, value]) =>
      valuesOf(value).map((name) => ({
        kind: 'UserExtra' as const,
        name,
        extraKey: unescapeKey(header.slice(extraPrefix.length)),
      })),
    );
  return [
    ...(username === '' ? [] : who),
    ...valuesOf(headers['impersonate-group']).map((name) => ({ kind: 'Group' as const, name })),
    ...extras,
    ...(uid === '' ? [] : [{ kind: 'UID' as const, name: uid }]),
  ];
}

/** The server joins a header that was sent several times; a value with a comma and a space is taken apart too. */
function valuesOf(header: string | undefined): readonly string[] {
  return header === undefined ? [] : header.split(', ');
}

/** Percent-encoding lets keys hold what header names cannot; a key that is no such encoding is itself. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key.toLowerCase());
  } catch {
    return key.toLowerCase();
  }
}

/** As the real server prints the object reference that it makes of each part. */
function describe({ kind, name, namespace = '', extraKey = '' }: Part): string {
  const isExtra = kind === 'UserExtra' || kind === 'UID';
  return `{${kind} ${namespace} ${name}  ${isExtra ? `${authenticationGroup}/v1` : ''}  ${extraKey}}`;
}

const resources: Readonly<Record<Part['kind'], readonly [group: string, resource: string]>> = {
  User: ['', 'users'],
  ServiceAccount: ['', 'serviceaccounts'],
  Group: ['', 'groups'],
  UserExtra: [authenticationGroup, 'userextras'],
  UID: [authenticationGroup, 'uids'],
};

function toAttributes({ kind, name, namespace = '', extraKey = '' }: Part): ResourceAttributes {
  const [group, resource] = resources[kind];
  return { group, version: '', resource, subresource: extraKey, namespace, name };
}

function toUser(username: string, who: Part, parts: readonly Part[]): UserInfo {
  const asked = parts.filter((part) => part.kind === 'Group').map((part) => part.name);
  const isAccount = who.kind === 'ServiceAccount';
  const groups =
    asked.length === 0 && isAccount ? serviceAccountGroups(who.namespace ?? '') : asked;
  const uid = parts.find((part) => part.kind === 'UID')?.name;
  const extras = Map.groupBy(
    parts.filter((part) => part.kind === 'UserExtra'),
    (part) => part.extraKey ?? '',
  );
  const extra = Object.fromEntries(
    [...extras].map(([key, values]) => [key, values.map((value) => value.name)]),
  );
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: completeGroups(username, groups),
    ...(extras.size === 0 ? {} : { extra }),
  };
}

/** Somebody is either known to the cluster or not; the asker may say so, else the name decides. */
function completeGroups(username: string, groups: readonly string[]): readonly string[] {
  const { authenticated, unauthenticated } = wellKnownGroups;
  if (username === anonymousUser.username) {
    return groups.includes(unauthenticated) ? groups : [...groups, unauthenticated];
  }
  const isSaid = groups.includes(authenticated) || groups.includes(unauthenticated);
  return isSaid ? groups : [...groups, authenticated];
}
