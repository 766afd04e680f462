// Changes to an object as the API server takes them. In: the object before and after. Out: the smallest
// JSON merge patch (RFC 7386) from one to the other, or nothing when they agree. Pure.
// A merge patch replaces lists whole, so a list written by others too needs the optimistic lock.
import type { KubeObject } from '../../api/meta.ts';

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object }
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | {
      /** Server-side apply: the body is all that this field manager wants to own. */
      readonly type: 'apply';
      readonly body: object;
      readonly fieldManager: string;
      readonly force?: boolean;
    };

const contentTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  // The server reads YAML there, of which JSON is a part.
  apply: 'application/apply-patch+yaml',
} as const;

export function patchContentType(patch: Patch): string {
  return contentTypes[patch.type];
}

export function patchBody(patch: Patch): unknown {
  return patch.type === 'json' ? patch.operations : patch.body;
}

/**
 * The patch that turns `before` into `after`; undefined when there is nothing to write.
 * With `lock` the server answers 409 if the object is no longer at the version of `before`.
 */
export function mergePatch<T extends KubeObject>(
  before: T,
  after: T,
  options: { readonly lock?: boolean } = {},
): Patch | undefined {
  const body = difference(withoutVersion(before), withoutVersion(after));
  if (body === undefined) return undefined;
  if (options.lock !== true) return { type: 'merge', body };
  const { resourceVersion } = before.metadata;
  const metadata = { ...(body['metadata'] as object | undefined), resourceVersion };
  return { type: 'merge', body: { ...body, metadata } };
}

type Members = Readonly<Record<string, unknown>>;

/** The version is the server's to set; a difference in it is no change of ours. */
function withoutVersion(object: KubeObject): Members {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function difference(before: Members, after: Members): Record<string, unknown> | undefined {
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before)) {
    if (isPresent(before[key]) && !isPresent(after[key])) patch[key] = null;
  }
  for (const [key, wanted] of Object.entries(after)) {
    const change = isPresent(wanted) ? memberChange(before[key], wanted) : undefined;
    if (change !== undefined) patch[key] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function memberChange(current: unknown, wanted: unknown): unknown {
  if (isObject(current) && isObject(wanted)) return difference(current, wanted);
  return isEqual(current, wanted) ? undefined : withoutNulls(wanted);
}

/** A merge patch cannot say null, only "remove": both null and undefined mean absent. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Inside objects that are new as a whole, absent members are left out rather than "removed". */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => isPresent(member))
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  return isObject(a) && isObject(b) && difference(a, b) === undefined;
}
