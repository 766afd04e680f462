// What a request says it carries against what its address expects. In: the apiVersion and kind of a body. Out: nothing
// when they fit or are left out, else the server's words. Built-in kinds and custom resources are told apart because the
// server decodes them by different rules.
import { type JsonObject, stringAt } from '../json.ts';
import { apiVersionOf, parseApiVersion } from '../object.ts';
import type { Refusal } from '../patch/refusal.ts';
import type { GroupVersionKind, TypeSchema } from './type-schema.ts';
import { isBuiltInKind } from './type-schemas.ts';

/** The type that an address expects. */
export interface ExpectedType {
  readonly schema: TypeSchema;
  readonly kind: GroupVersionKind;
  readonly custom: boolean;
}

export type Mismatch =
  /** Cannot even be told what it is. */
  | { readonly sort: 'unrecognized'; readonly problem: string }
  /** Something else than expected; `problem` alone is what a patch is told. */
  | { readonly sort: 'other'; readonly found: GroupVersionKind; readonly problem: string }
  | { readonly sort: 'refused'; readonly refusal: Refusal };

export function mismatchOf(type: ExpectedType, object: JsonObject): Mismatch | undefined {
  const apiVersion = stringAt(object, 'apiVersion') ?? '';
  const kind = stringAt(object, 'kind') ?? '';
  return type.custom
    ? customMismatch(type.kind, { apiVersion, kind, object })
    : builtInMismatch(type.kind, { apiVersion, kind });
}

function customMismatch(
  type: GroupVersionKind,
  found: { readonly apiVersion: string; readonly kind: string; readonly object: JsonObject },
): Mismatch | undefined {
  if (found.kind === '') {
    const text = JSON.stringify(found.object);
    return { sort: 'unrecognized', problem: `Object 'Kind' is missing in '${text}'` };
  }
  const expected = apiVersionOf(type.group, type.version);
  if (found.apiVersion !== expected) return wrongVersion(found.apiVersion, expected);
  if (found.kind === type.kind) return undefined;
  const name = stringAt(found.object, 'metadata', 'name') ?? '';
  const message = `Invalid value: ${JSON.stringify(found.kind)}: must be ${type.kind}`;
  return {
    sort: 'refused',
    refusal: {
      code: 422,
      reason: 'Invalid',
      message: `${found.kind}.${type.group} ${JSON.stringify(name)} is invalid: kind: ${message}`,
      causes: [{ reason: 'FieldValueInvalid', message, field: 'kind' }],
    },
  };
}

function wrongVersion(found: string, expected: string): Mismatch {
  const message = `the API version in the data (${found}) does not match the expected API version (${expected})`;
  return { sort: 'refused', refusal: { code: 400, reason: 'BadRequest', message } };
}

function builtInMismatch(
  type: GroupVersionKind,
  written: { readonly apiVersion: string; readonly kind: string },
): Mismatch | undefined {
  const { group, version } = type;
  const parsed =
    written.apiVersion === '' ? { group, version } : parseApiVersion(written.apiVersion);
  if (parsed === undefined) {
    const problem = `unexpected GroupVersion string: ${written.apiVersion}`;
    return { sort: 'unrecognized', problem };
  }
  const found = { ...parsed, kind: written.kind === '' ? type.kind : written.kind };
  const isSameKind = found.group === type.group && found.kind === type.kind;
  if (isSameKind && found.version === type.version) return undefined;
  // Definitions of custom resources are decoded by a part of the server that knows no other kind.
  const isKnown = type.group !== 'apiextensions.k8s.io' && isKnownKind(found);
  if (!isKnown) return { sort: 'other', found, problem: unregistered(found) };
  if (isSameKind) {
    return wrongVersion(
      apiVersionOf(found.group, found.version),
      apiVersionOf(type.group, type.version),
    );
  }
  const target = `${internalPackage(type.group)}.${type.kind}`;
  const problem = `converting (${found.version}.${found.kind}) to (${target}): unknown conversion`;
  return { sort: 'other', found, problem };
}

/** Versions that are no longer served, but that the server still knows by name. */
const formerVersions: Readonly<Record<string, readonly string[]>> = {
  apps: ['v1beta1', 'v1beta2'],
  batch: ['v1beta1'],
  policy: ['v1beta1'],
  autoscaling: ['v2beta1', 'v2beta2'],
  'networking.k8s.io': ['v1beta1'],
  'storage.k8s.io': ['v1beta1'],
  'rbac.authorization.k8s.io': ['v1beta1', 'v1alpha1'],
  'scheduling.k8s.io': ['v1beta1', 'v1alpha1'],
  'coordination.k8s.io': ['v1beta1'],
  'certificates.k8s.io': ['v1beta1'],
};

function isKnownKind({ group, version, kind }: GroupVersionKind): boolean {
  if (isBuiltInKind({ group, version, kind })) return true;
  const isFormer = formerVersions[group]?.includes(version) === true;
  return isFormer && isBuiltInKind({ group, version: 'v1', kind });
}

function unregistered({ group, version, kind }: GroupVersionKind): string {
  const apiVersion = JSON.stringify(apiVersionOf(group, version));
  return `no kind ${JSON.stringify(kind)} is registered for version ${apiVersion} in scheme "pkg/runtime/scheme.go:111"`;
}

function internalPackage(group: string): string {
  if (group === '' || group === 'events.k8s.io') return 'core';
  return group.split('.')[0] ?? group;
}
