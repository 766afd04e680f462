// Who asks: the names that Kubernetes itself gives a meaning. In: usernames and groups. Out: what they stand for.
import type { UserInfo } from '../api.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../validation/names.ts';

export const wellKnownGroups = {
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  nodes: 'system:nodes',
  bootstrappers: 'system:bootstrappers',
  serviceAccounts: 'system:serviceaccounts',
} as const;

export const anonymousUser: UserInfo = {
  username: 'system:anonymous',
  groups: [wellKnownGroups.unauthenticated],
};

const nodePrefix = 'system:node:';
const serviceAccountPrefix = 'system:serviceaccount:';

/** The node that a kubelet speaks for, possibly empty; undefined for everybody else. */
export function nodeNameOf(user: UserInfo): string | undefined {
  if (!user.username.startsWith(nodePrefix)) return undefined;
  if (!user.groups.includes(wellKnownGroups.nodes)) return undefined;
  return user.username.slice(nodePrefix.length);
}

export function serviceAccountUsername(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  const { serviceAccounts } = wellKnownGroups;
  return [serviceAccounts, `${serviceAccounts}:${namespace}`];
}

/** Undefined for a username that no service account can have. */
export function parseServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const parts = username.slice(serviceAccountPrefix.length).split(':');
  const [namespace = '', name = ''] = parts;
  const isValid =
    parts.length === 2 &&
    dnsLabelErrors(namespace).length === 0 &&
    dnsSubdomainErrors(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

export function isMaster(user: UserInfo): boolean {
  return user.groups.includes(wellKnownGroups.masters);
}

/** Everybody whose credentials were good is in this group, last. */
export function authenticated(user: UserInfo): UserInfo {
  const { authenticated: group } = wellKnownGroups;
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}
