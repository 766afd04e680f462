// Whether a resource can stand where a request looks for it. In: what is served, and the address. Out: the kind that is
// there, or undefined for an address that belongs to nobody; a StatusError where the server knows the group but not this.
import { quote } from '../../../api/crd/validation/field-error.ts';
import type { Registry } from '../registry/registry.ts';
import { groupResourceOf, type ResourceKind } from '../registry/resource-kind.ts';
import type { ResourceRequest } from '../request-info.ts';
import { badRequest, methodNotAllowedHere, noSuchResource, notFound } from '../status-error.ts';
import { pathSegmentName } from '../validation/names.ts';

export function kindAt(registry: Registry, info: ResourceRequest): ResourceKind | undefined {
  const kind = registry.find(info.group, info.version, info.resource);
  if (kind === undefined) {
    if (isCustomGroup(registry, info.group)) return undefined;
    throw noSuchResource();
  }
  if (kind.custom === undefined) checkPlace(kind, info);
  else if (!isPlaceOf(kind, info)) return undefined;
  checkParts(kind, info);
  return kind;
}

/** Groups that only custom resources have are not the server's own: what is not there is nobody's. */
function isCustomGroup(registry: Registry, group: string): boolean {
  const served = registry.groups.find((candidate) => candidate.group === group);
  const kinds = served?.versions.flatMap((version) => version.kinds) ?? [];
  return kinds.every((kind) => kind.custom !== undefined);
}

function isInside({ namespace, resource }: ResourceRequest): boolean {
  return namespace !== '' && resource !== 'namespaces';
}

function isOfAll({ verb, name }: ResourceRequest): boolean {
  return name === '' && (verb === 'list' || verb === 'watch');
}

function isPlaceOf(kind: ResourceKind, info: ResourceRequest): boolean {
  return kind.namespaced ? isInside(info) || isOfAll(info) : !isInside(info);
}

/** What is namespaced has its names in namespaces only, and what is not has none there. */
function checkPlace(kind: ResourceKind, info: ResourceRequest): void {
  if (isPlaceOf(kind, info)) return;
  if (!kind.namespaced || info.name !== '') throw noSuchResource();
  throw methodNotAllowedHere();
}

/** What cannot be a part of a path is no name, whatever kind it would be of. */
function checkParts(kind: ResourceKind, { name, rest, subresource }: ResourceRequest): void {
  if (rest.length > 0 && subresource !== 'proxy') throw noSuchResource();
  const errors = pathSegmentName(name, false);
  if (errors.length > 0) {
    throw badRequest(`Name parameter invalid: ${quote(name)}: ${errors.join(';')}`);
  }
  const isKnown = subresource === '' || kind.subresources.some((view) => view.name === subresource);
  if (kind.custom !== undefined && !isKnown) throw notFound(groupResourceOf(kind), name);
}
