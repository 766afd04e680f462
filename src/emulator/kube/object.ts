// What the emulated server stores and hands out: plain JSON with a checked head.
// 1. An ApiObject is never mutated: a change is a new object that shares what stayed the same.
// 2. Everything stored has apiVersion, kind, name, uid, resourceVersion and creationTimestamp.
import type { Json } from '../../api/meta.ts';
import type { JsonObject } from './json.ts';

export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

export type ManagedFieldsEntry = {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: 'FieldsV1';
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
};

export type ApiMeta = {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
};

export type ApiObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMeta;
};

export type ApiList = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly ApiObject[];
};

/** The same object under changed metadata; undefined values remove their field. */
export function withMeta(
  object: ApiObject,
  changes: { readonly [K in keyof ApiMeta]?: ApiMeta[K] | undefined },
): ApiObject {
  const metadata: { [key: string]: Json } = { ...object.metadata };
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ...object, metadata: metadata as ApiMeta };
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1` → apps, v1; `v1` → the core group. Undefined when there are more than two parts. */
export function parseApiVersion(
  apiVersion: string,
): { readonly group: string; readonly version: string } | undefined {
  const parts = apiVersion.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) return undefined;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}
