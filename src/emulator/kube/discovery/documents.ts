// What the server can do, as clients ask for it: lists of groups, versions and resources, one by one or all at once.
// In: the registry. Out: JSON documents; those of the aggregated form carry an ETag that changes with the registry.
import { createHash } from 'node:crypto';
import type { Json } from '../../../api/meta.ts';
import { apiVersionOf } from '../object.ts';
import type { Registry, ServedGroup, ServedVersion } from '../registry/registry.ts';
import type { ResourceKind, Subresource } from '../registry/resource-kind.ts';

export function apiVersionsDocument(address: string): Json {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

function namedGroups(registry: Registry): readonly ServedGroup[] {
  return registry.groups.filter(({ group }) => group !== '');
}

function groupBody({ group, versions }: ServedGroup): { readonly [key: string]: Json } {
  const named = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: named, preferredVersion: named[0] ?? null };
}

export function groupListDocument(registry: Registry): Json {
  const groups = namedGroups(registry).map((group) => groupBody(group));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

export function groupDocument(registry: Registry, name: string): Json | undefined {
  const group = namedGroups(registry).find((candidate) => candidate.group === name);
  return group === undefined
    ? undefined
    : { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

/** The first eight bytes of a hash over the storage version, as clients compare it. */
function storageVersionHash(kind: ResourceKind): string {
  const name = `${kind.group}/${kind.storageVersion ?? kind.version}/${kind.kind}`;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}

function resourceEntry(kind: ResourceKind): Json {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(kind.isVirtual === true ? {} : { storageVersionHash: storageVersionHash(kind) }),
  };
}

function subresourceEntry(kind: ResourceKind, subresource: Subresource): Json {
  const other = subresource.kind;
  const isForeign =
    other !== undefined && (other.group !== kind.group || other.version !== kind.version);
  return {
    name: `${kind.plural}/${subresource.name}`,
    singularName: '',
    namespaced: kind.namespaced,
    ...(isForeign ? { group: other.group, version: other.version } : {}),
    kind: other?.kind ?? kind.kind,
    verbs: subresource.verbs,
  };
}

export function resourceListDocument(
  registry: Registry,
  group: string,
  version: string,
): Json | undefined {
  const served = registry.groups
    .find((candidate) => candidate.group === group)
    ?.versions.find((candidate) => candidate.version === version);
  if (served === undefined) return undefined;
  const resources = served.kinds.flatMap((kind) => [
    resourceEntry(kind),
    ...kind.subresources.map((subresource) => subresourceEntry(kind, subresource)),
  ]);
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(group, version),
    resources,
  };
}

function responseKind(kind: ResourceKind, subresource?: Subresource): Json {
  const other = subresource?.kind;
  const isForeign =
    other !== undefined && (other.group !== kind.group || other.version !== kind.version);
  if (isForeign) return { group: other.group, version: other.version, kind: other.kind };
  // Left empty where it is the group and version that the list is about.
  return { group: '', version: '', kind: other?.kind ?? kind.kind };
}

function aggregatedResource(kind: ResourceKind): Json {
  const subresources = kind.subresources.map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(kind, subresource),
    verbs: subresource.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: responseKind(kind),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function aggregatedVersion({ version, kinds }: ServedVersion): Json {
  const resources = kinds.map((kind) => aggregatedResource(kind));
  return { version, resources, freshness: 'Current' };
}

export interface TaggedDocument {
  readonly text: string;
  readonly etag: string;
}

/** The aggregated documents, made anew only when the registry has changed. */
export class AggregatedDiscovery {
  readonly #registry: Registry;
  readonly #made = new Map<string, TaggedDocument & { readonly generation: number }>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  document(root: 'api' | 'apis', version: 'v2' | 'v2beta1'): TaggedDocument {
    const key = `${root} ${version}`;
    const { generation } = this.#registry;
    const known = this.#made.get(key);
    if (known?.generation === generation) return known;
    const groups = this.#registry.groups.filter(({ group }) => (group === '') === (root === 'api'));
    const items = groups.map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map((served) => aggregatedVersion(served)),
    }));
    const text = JSON.stringify({
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      metadata: {},
      items,
    });
    const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
    const made = { text, etag: `"${hash}"`, generation };
    this.#made.set(key, made);
    return made;
  }
}
