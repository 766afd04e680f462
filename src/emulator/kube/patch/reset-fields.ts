// What a write through an endpoint cannot change, and therefore does not own: the main resource leaves status alone, the
// status subresource leaves spec alone, and some kinds keep more. In: the resource and the endpoint. Out: a filter.
import type { FieldFilter } from './field-manager.ts';
import { FieldSet, type Path } from './field-set.ts';

const spec = ['f:spec'];
const status = ['f:status'];
const metadata = ['f:metadata'];

/** By `resource.group/subresource`, where a kind differs from the rule. */
const exceptions: Readonly<Record<string, FieldFilter>> = {
  'certificatesigningrequests.certificates.k8s.io/': except(spec, status),
  'certificatesigningrequests.certificates.k8s.io/approval': except(spec, [
    ...status,
    'f:certificate',
  ]),
  'certificatesigningrequests.certificates.k8s.io/status': except(spec, [
    ...status,
    'f:conditions',
  ]),
  'customresourcedefinitions.apiextensions.k8s.io/status': except(spec, metadata),
  'deployments.apps/status': except(spec, [...metadata, 'f:labels']),
  'namespaces/finalize': except(status),
  'pods/ephemeralcontainers': only(['f:spec', 'f:ephemeralContainers']),
  'pods/resize': only(
    ['f:spec', 'f:containers', '*', 'f:resources'],
    ['f:spec', 'f:containers', '*', 'f:resizePolicy'],
    ['f:spec', 'f:initContainers', '*', 'f:resources'],
    ['f:spec', 'f:initContainers', '*', 'f:resizePolicy'],
  ),
  'pods/status': except(
    spec,
    [...metadata, 'f:deletionTimestamp'],
    [...metadata, 'f:ownerReferences'],
  ),
  'resourceclaims.resource.k8s.io/status': except(spec, metadata),
  // The server looks these up under a group that does not exist, so nothing is kept from their writers.
  'servicecidrs.networking.k8s.io/': all,
  'servicecidrs.networking.k8s.io/status': all,
  'validatingadmissionpolicies.admissionregistration.k8s.io/status': except(spec, metadata),
  'volumeattachments.storage.k8s.io/status': except(spec, metadata),
};

const notStatus = except(status);
const notSpec = except(spec);

/** `subresource` is '' for the main resource. */
export function ownableFields(endpoint: {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Of a custom resource: whether its version has the status subresource. Built-in kinds leave it out. */
  readonly customStatus?: boolean;
}): FieldFilter {
  const { group, resource, subresource, customStatus } = endpoint;
  if (customStatus === false && subresource === '') return all;
  const name = group === '' ? resource : `${resource}.${group}`;
  const exception = exceptions[`${name}/${subresource}`];
  if (exception !== undefined) return exception;
  if (subresource === 'status') return notSpec;
  return subresource === '' ? notStatus : all;
}

function all(fields: FieldSet): FieldSet {
  return fields;
}

function except(...paths: readonly Path[]): FieldFilter {
  const kept = FieldSet.of(...paths);
  return (fields) => fields.differenceOfTrees(kept);
}

/** `*` stands for any step. */
function only(...patterns: readonly Path[]): FieldFilter {
  return (fields) => matching(fields, patterns);
}

function matching(fields: FieldSet, patterns: readonly Path[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return fields;
  const children = new Map<string, FieldSet>();
  for (const [element, child] of fields.children) {
    const below = patterns.flatMap(([head, ...rest]) =>
      head === element || head === '*' ? [rest] : [],
    );
    const kept = below.length === 0 ? FieldSet.empty : matching(child, below);
    if (!kept.isEmpty) children.set(element, kept);
  }
  return new FieldSet(fields.isMember, children);
}
