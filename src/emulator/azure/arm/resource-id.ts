// The grammar of ids and paths. In: the path of a request, or an id out of a body. Out: what it addresses, part by
// part.
// 1. Case never matters for identity: `key` is the id in lower case, and only keys are compared.
// 2. A path without `/providers/<namespace>/<type>` belongs to Microsoft.Resources, whose types are then named as in
//    Azure's own operations: subscriptions, subscriptions/resourceGroups, …
// 3. There is one more type than names exactly when a collection, or an action on a resource, is addressed.

export interface ArmPath {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** What the last `/providers/` stands behind: the empty text, a subscription, a group or a resource. */
  readonly scope: string;
  readonly namespace: string;
  readonly types: readonly string[];
  readonly names: readonly string[];
}

export interface ResourceId extends ArmPath {
  readonly text: string;
  readonly key: string;
}

const resources = 'Microsoft.Resources';

export function parsePath(path: string): ArmPath | undefined {
  const segments = decodedSegments(path);
  if (segments === undefined || segments.length === 0) return undefined;
  const at = lastProvider(segments);
  const scope = at === -1 ? segments : segments.slice(0, at);
  const place = placeOf(segments);
  if (at === -1) {
    return { ...place, scope: '', namespace: resources, ...alternating(segments) };
  }
  const [namespace = '', ...rest] = segments.slice(at + 1);
  const text = scope.length === 0 ? '' : `/${scope.join('/')}`;
  return { ...place, scope: text, namespace, ...alternating(rest) };
}

/** An id as it stands in a body; undefined for what is none, or names no single resource. */
export function parseResourceId(text: string): ResourceId | undefined {
  if (!text.startsWith('/')) return undefined;
  const path = parsePath(text);
  if (path === undefined || path.types.length !== path.names.length) return undefined;
  if (path.names.some((name) => name === '')) return undefined;
  const clean = text.endsWith('/') ? text.slice(0, -1) : text;
  return { ...path, text: clean, key: clean.toLowerCase() };
}

export function toKey(id: string): string {
  return (id.endsWith('/') ? id.slice(0, -1) : id).toLowerCase();
}

/** `Microsoft.Compute/virtualMachines/extensions` */
export function typeOf(path: Pick<ArmPath, 'namespace' | 'types'>): string {
  return `${path.namespace}/${path.types.join('/')}`;
}

export function nameOf(path: Pick<ArmPath, 'names'>): string {
  return path.names.at(-1) ?? '';
}

/** The id one level up within the same provider; undefined at its top. */
export function parentOf(id: ArmPath): string | undefined {
  if (id.names.length < 2 || id.namespace === resources) return undefined;
  return idText({
    scope: id.scope,
    type: typeOf({ namespace: id.namespace, types: id.types.slice(0, id.names.length - 1) }),
    names: id.names.slice(0, id.names.length - 1),
  });
}

export function groupId(subscriptionId: string, resourceGroup: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
}

/** An id from its parts: `type` with as many segments behind its namespace as there are names. */
export function idText(parts: {
  readonly scope: string;
  readonly type: string;
  readonly names: readonly string[];
}): string {
  const [namespace = '', ...types] = parts.type.split('/');
  const pairs = types.map((type, index) => `${type}/${parts.names[index] ?? ''}`);
  return namespace === resources && types[0] === 'subscriptions'
    ? `/${pairs.join('/')}`
    : `${parts.scope}/providers/${namespace}/${pairs.join('/')}`;
}

function decodedSegments(path: string): string[] | undefined {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/**
 * Where the last `providers/<namespace>/<type>` begins. `providers`, `providers/<namespace>` and its registration are
 * about the provider, not within it. Steps in pairs, because a group or a resource may itself be named `providers`.
 */
function lastProvider(segments: readonly string[]): number {
  let found = -1;
  for (let at = 0; at + 2 < segments.length; at += 2) {
    // A feature's path names the provider that it is a feature of; that is not one more provider.
    if (found !== -1 && isWord(segments[found + 1], 'Microsoft.Features')) break;
    if (isWord(segments[at], 'providers') && !isRegistration(segments, at)) found = at;
  }
  return found;
}

function isRegistration(segments: readonly string[], at: number): boolean {
  return (
    segments.length === at + 3 &&
    (isWord(segments[at + 2], 'register') || isWord(segments[at + 2], 'unregister'))
  );
}

function alternating(segments: readonly string[]): Pick<ArmPath, 'types' | 'names'> {
  return {
    types: segments.filter((_, index) => index % 2 === 0),
    names: segments.filter((_, index) => index % 2 === 1),
  };
}

function placeOf(segments: readonly string[]): Pick<ArmPath, 'subscriptionId' | 'resourceGroup'> {
  if (!isWord(segments[0], 'subscriptions')) return { subscriptionId: '', resourceGroup: '' };
  return {
    subscriptionId: segments[1] ?? '',
    resourceGroup: isWord(segments[2], 'resourceGroups') ? (segments[3] ?? '') : '',
  };
}

function isWord(segment: string | undefined, word: string): boolean {
  return segment?.toLowerCase() === word.toLowerCase();
}
