// The emulated server as a set of function calls: what HTTP, the controllers and the scheduler all stand on.
// In: who asks, for what. Out: an object or list as it is served, or a StatusError thrown.
// 1. Every call is synchronous: it has happened, whole, when it returns, or it has not happened at all.
// 2. What is handed out is shared with the store and may never be mutated.
import type { Json } from '../../api/meta.ts';
import type { JsonObject } from './json.ts';
import type { ApiList, ApiObject } from './object.ts';

export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Everything about a request that is not its address or its body. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** Strictness about unknown and repeated fields; Warn unless told, as the real server. */
  readonly fieldValidation?: FieldValidation;
  /** Takes the text of a Warning header. */
  readonly warn?: (text: string) => void;
}

/** A resource by its place in the API: `{ group: 'apps', version: 'v1', resource: 'deployments' }`. */
export interface ResourceAddress {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

interface Call {
  readonly context: RequestContext;
  readonly resource: ResourceAddress;
  /** Left out for cluster-scoped kinds, and for lists over all namespaces. */
  readonly namespace?: string;
}

export interface ObjectCall extends Call {
  readonly name: string;
  readonly subresource?: string;
}

export interface GetCall extends ObjectCall {
  readonly resourceVersion?: string;
}

export interface CreateCall extends Call {
  readonly object: JsonObject;
  /** Only for subresources such as `binding` and `eviction`. */
  readonly name?: string;
  readonly subresource?: string;
}

export interface UpdateCall extends ObjectCall {
  readonly object: JsonObject;
}

export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/apply-patch+yaml';

export interface PatchCall extends ObjectCall {
  readonly patchType: PatchType;
  readonly patch: Json;
  /** Server-side apply only: take fields from other managers. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface DeleteCall extends ObjectCall {
  readonly options?: DeleteOptions;
}

/** What a delete leaves behind: the object that still lives, or was; else the answer is a Status. */
export interface Deletion {
  readonly object: ApiObject;
  /** False while finalizers or a grace period keep it. */
  readonly gone: boolean;
}

export interface ListCall extends Call {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
}

export interface DeleteCollectionCall extends ListCall {
  readonly options?: DeleteOptions;
}

export interface WatchCall extends Call {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutMs?: number;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

export interface WatchEvent {
  readonly type: WatchEventType;
  readonly object: ApiObject;
}

/** Events wait here until they are taken; a reader that never comes is cut off. */
export interface Watch {
  /** What has arrived since the last call. */
  take(): readonly WatchEvent[];
  /** Runs when there is something to take, or the watch has closed: once per call, at the next event. */
  wake(run: () => void): void;
  /** True when no further event will come. What is still to take can be taken. */
  readonly closed: boolean;
  stop(): void;
}

export interface KubeApi {
  get(call: GetCall): ApiObject;
  list(call: ListCall): ApiList;
  watch(call: WatchCall): Watch;
  create(call: CreateCall): ApiObject;
  update(call: UpdateCall): ApiObject;
  patch(call: PatchCall): ApiObject;
  delete(call: DeleteCall): Deletion;
  deleteCollection(call: DeleteCollectionCall): ApiList;
}
