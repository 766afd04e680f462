// What a call to the API server may ask for, and how that is written in a query or a body.
// Left out means: the server's own default.
import type { ObjectRef, Query } from './paths.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the call with all its retries. */
  readonly timeoutMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Checked and admitted, but not stored. */
  readonly dryRun?: boolean | undefined;
  /** Recorded by the server as the owner of what is written. */
  readonly fieldManager?: string | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: string | undefined;
}

export interface SelectorOptions {
  /** One namespace; without, all of them. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** For who can read more than JSON: media types, the preferred one first. */
export interface EncodingOptions {
  readonly accept?: string | undefined;
}

export interface ListOptions extends SelectorOptions, CallOptions {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface WatchOptions extends SelectorOptions, CallOptions {
  readonly resourceVersion?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Begin with every object there is as ADDED events, then a marked bookmark. */
  readonly sendInitialEvents?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** 409 unless the object still has this uid. */
  readonly uid?: string | undefined;
  /** 409 unless the object is still at this version. */
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface EvictOptions extends CallOptions {
  readonly uid?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export function selectorQuery(options: SelectorOptions): Query {
  return { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
}

export function listQuery(options: ListOptions): Query {
  return {
    ...selectorQuery(options),
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

export function watchQuery(options: WatchOptions): Query {
  return {
    ...selectorQuery(options),
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: options.resourceVersion,
    timeoutSeconds: options.timeoutSeconds,
    ...(options.sendInitialEvents === true
      ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
      : {}),
  };
}

export function deleteBody(options: DeleteOptions): object {
  const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy } = options;
  const guarded = uid !== undefined || resourceVersion !== undefined;
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions: guarded ? { uid, resourceVersion } : undefined,
    dryRun: dryRunList(options.dryRun),
  };
}

export function evictionBody(ref: ObjectRef, options: EvictOptions): object {
  const { uid, gracePeriodSeconds } = options;
  return {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: ref.name, namespace: ref.namespace },
    deleteOptions: {
      gracePeriodSeconds,
      preconditions: uid === undefined ? undefined : { uid },
      dryRun: dryRunList(options.dryRun),
    },
  };
}

function dryRunList(dryRun: boolean | undefined): readonly string[] | undefined {
  return dryRun === true ? ['All'] : undefined;
}
