// The rules that hold for the metadata of every kind. In: an object, and its state before an update.
// Out: complaints in the server's words and order.
import type { Json } from '../../../api/meta.ts';
import { quote } from '../../../api/crd/validation/field-error.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, required, tooLong } from '../field-error.ts';
import { sameJson } from '../json.ts';
import { parseApiVersion, type ApiMeta, type OwnerReference } from '../object.ts';
import { dnsLabelErrors, labelValueErrors, qualifiedNameErrors, type NameRule } from './names.ts';

const annotationsLimitBytes = 256 * 1024;
const immutable = 'field is immutable';

export function labelErrors(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): readonly FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((error) => invalid(field, key, error)),
    ...labelValueErrors(value).map((error) => invalid(field, value, error)),
  ]);
}

export function annotationErrors(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): readonly FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const errors = entries.flatMap(([key]) =>
    qualifiedNameErrors(key.toLowerCase()).map((error) => invalid(field, key, error)),
  );
  let bytes = 0;
  for (const [key, value] of entries) bytes += key.length + value.length;
  if (bytes > annotationsLimitBytes) errors.push(tooLong(field, annotationsLimitBytes));
  return errors;
}

function ownerErrors(owner: OwnerReference, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const parts: Partial<OwnerReference> = owner;
  const apiVersion = parts.apiVersion ?? '';
  const version = parseApiVersion(apiVersion)?.version ?? '';
  if (version === '') {
    errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const part of ['kind', 'name', 'uid'] as const) {
    if ((parts[part] ?? '') === '')
      errors.push(invalid(`${field}.${part}`, '', 'must not be empty'));
  }
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

function ownersErrors(owners: readonly OwnerReference[], field: string): readonly FieldError[] {
  const errors = owners.flatMap((owner) => [...ownerErrors(owner, field)]);
  const controllers = owners.filter((owner) => owner.controller === true);
  const [first, ...others] = controllers.map((owner) => `${owner.kind}/${owner.name}`);
  for (const other of others) {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`;
    errors.push(invalid(field, owners, detail));
  }
  return errors;
}

function finalizerErrors(finalizers: readonly string[], field: string): readonly FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameErrors(finalizer).map((error) => invalid(field, finalizer, error)),
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    errors.push(invalid(field, finalizers, detail));
  }
  return errors;
}

export const standardFinalizers: ReadonlySet<string> = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
]);

/** Built-in kinds want finalizers of others to carry a domain. */
function unqualifiedErrors(finalizers: readonly string[]): readonly FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`metadata.finalizers[${index}]`, finalizer, detail)];
  });
}

function nameErrors(meta: ApiMeta, rule: NameRule): readonly FieldError[] {
  const { name, generateName } = meta;
  const prefix =
    generateName === undefined || generateName === ''
      ? []
      : rule(generateName, true).map((error) =>
          invalid('metadata.generateName', generateName, error),
        );
  if (name === '') {
    return [...prefix, required('metadata.name', 'name or generateName is required')];
  }
  return [...prefix, ...rule(name, false).map((error) => invalid('metadata.name', name, error))];
}

function namespaceErrors(meta: ApiMeta, namespaced: boolean): readonly FieldError[] {
  const namespace = meta.namespace ?? '';
  const field = 'metadata.namespace';
  if (!namespaced) return namespace === '' ? [] : [forbidden(field, 'not allowed on this type')];
  if (namespace === '') return [required(field)];
  return dnsLabelErrors(namespace).map((error) => invalid(field, namespace, error));
}

export function metaErrors(
  meta: ApiMeta,
  kind: {
    readonly namespaced: boolean;
    readonly nameRule: NameRule;
    /** Whether finalizers without a domain are refused, which most built-in kinds do. */
    readonly wantsQualifiedFinalizers: boolean;
  },
): readonly FieldError[] {
  const errors = [...nameErrors(meta, kind.nameRule), ...namespaceErrors(meta, kind.namespaced)];
  if (meta.labels !== undefined) errors.push(...labelErrors(meta.labels, 'metadata.labels'));
  if (meta.annotations !== undefined) {
    errors.push(...annotationErrors(meta.annotations, 'metadata.annotations'));
  }
  if (meta.ownerReferences !== undefined) {
    errors.push(...ownersErrors(meta.ownerReferences, 'metadata.ownerReferences'));
  }
  if (meta.finalizers !== undefined) {
    errors.push(...finalizerErrors(meta.finalizers, 'metadata.finalizers'));
    if (kind.wantsQualifiedFinalizers) errors.push(...unqualifiedErrors(meta.finalizers));
  }
  return errors;
}

function newFinalizerErrors(meta: ApiMeta, before: ApiMeta): readonly FieldError[] {
  if (before.deletionTimestamp === undefined) return [];
  const known = new Set(before.finalizers);
  const added = [...new Set(meta.finalizers)].filter((name) => !known.has(name)).toSorted();
  if (added.length === 0) return [];
  const list = added.map((name) => quote(name)).join(', ');
  return [
    forbidden(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

const fixedFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function metaUpdateErrors(meta: ApiMeta, before: ApiMeta): readonly FieldError[] {
  const errors = [...newFinalizerErrors(meta, before)];
  const { resourceVersion = '', generation = 0 } = meta;
  if (resourceVersion === '') {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  if (generation < (before.generation ?? 0)) {
    errors.push(invalid('metadata.generation', generation, 'must not be decremented'));
  }
  return [...errors, ...fixedFields.flatMap((field) => fixedFieldErrors(field, meta, before))];
}

function fixedFieldErrors(
  field: (typeof fixedFields)[number],
  meta: ApiMeta,
  before: ApiMeta,
): readonly FieldError[] {
  const value: Json | undefined = meta[field];
  if (sameJson(value ?? '', before[field] ?? '')) return [];
  return [invalid(`metadata.${field}`, value ?? null, immutable)];
}
