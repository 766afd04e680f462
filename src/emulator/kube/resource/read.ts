// Reads: one object, a list, a watch. In: where and which. Out: objects as this version of the kind shows them.
import type { GetCall, ListCall, Watch, WatchCall, WatchEvent } from '../api.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, notSupported } from '../field-error.ts';
import { apiVersionOf, type ApiList, type ApiObject } from '../object.ts';
import { groupResourceOf, type ResourceKind } from '../registry/resource-kind.ts';
import { parseFieldSelector } from '../selector/field-selector.ts';
import { parseLabelSelector } from '../selector/label-selector.ts';
import {
  badRequest,
  invalidObject,
  notFound,
  tooLargeResourceVersion,
  unknownFailure,
} from '../status-error.ts';
import type { Matches } from '../store/watcher.ts';
import { keyOf, toServed, type Environment } from './environment.ts';

export function getObject(env: Environment, kind: ResourceKind, call: GetCall): ApiObject {
  const version = call.resourceVersion;
  if (revisionProblem(version ?? '') !== undefined) {
    throw unknownFailure(500, revisionComplaint(version ?? ''));
  }
  const revision = parseRevision(version);
  if (revision > env.store.revision) throw tooLargeResourceVersion(revision, env.store.revision);
  return existing(env, kind, call);
}

/** The object as it is now; NotFound otherwise. */
export function existing(
  env: Environment,
  kind: ResourceKind,
  call: { readonly namespace?: string | undefined; readonly name: string },
): ApiObject {
  const stored = env.store.get(kind.storage, keyOf(kind, call.namespace, call.name));
  if (stored === undefined) throw notFound(groupResourceOf(kind), call.name);
  return toServed(kind, stored);
}

interface Selection {
  readonly prefix: string;
  readonly matches?: Matches;
}

function select(
  kind: ResourceKind,
  call: Pick<ListCall, 'namespace' | 'labelSelector' | 'fieldSelector'>,
): Selection {
  const labels = parseLabelSelector(call.labelSelector);
  const fields = parseFieldSelector(
    call.fieldSelector,
    kind.fieldSelectors,
    kind.custom !== undefined,
  );
  const prefix = prefixOf(kind, call.namespace ?? fields?.namespace);
  if (labels === undefined && fields === undefined) return { prefix };
  const matches: Matches = (stored) =>
    (labels === undefined || labels(stored.metadata.labels ?? {})) &&
    (fields === undefined ||
      fields.test(kind.convert === undefined ? stored : toServed(kind, stored)));
  return { prefix, matches };
}

function prefixOf(kind: ResourceKind, namespace: string | undefined): string {
  return kind.namespaced && namespace !== undefined && namespace !== '' ? `${namespace}/` : '';
}

export function listObjects(env: Environment, kind: ResourceKind, call: ListCall): ApiList {
  const selection = select(kind, call);
  checkListOptions(call, false);
  const page = env.store.list({
    table: kind.storage,
    ...selection,
    ...(call.limit === undefined ? {} : { limit: call.limit }),
    ...(call.continue === undefined || call.continue === '' ? {} : { continue: call.continue }),
    ...revisionWanted(call),
  });
  const items =
    kind.convert === undefined
      ? page.objects
      : page.objects.map((object) => toServed(kind, object));
  return {
    kind: kind.listKind,
    apiVersion: apiVersionOf(kind.group, kind.version),
    metadata: {
      resourceVersion: String(page.revision),
      // Lists of custom resources say so even when there is no further page.
      ...(page.continue === undefined && kind.custom === undefined
        ? {}
        : { continue: page.continue ?? '' }),
      ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
    },
    items,
  };
}

function revisionWanted(call: ListCall): { revision?: { at: number; exact: boolean } } {
  const at = parseRevision(call.resourceVersion);
  if ((call.continue ?? '') !== '') {
    if (at > 0) throw badRequest('specifying resource version is not allowed when using continue');
    return {};
  }
  if (at === 0) return {};
  // A limit without a match means that very revision, for the sake of clients older than the match.
  const isLegacyExact = (call.resourceVersionMatch ?? '') === '' && (call.limit ?? 0) > 0;
  return { revision: { at, exact: call.resourceVersionMatch === 'Exact' || isLegacyExact } };
}

function parseRevision(text: string | undefined): number {
  if (text === undefined || text === '' || text === '0') return 0;
  if (revisionProblem(text) === undefined) return Number(text);
  throw badRequest(`invalid resource version: ${revisionComplaint(text)}`);
}

/** What keeps a text from being a revision; an empty one says nothing, and that is fine. */
export function revisionProblem(text: string): string | undefined {
  if (!/^\d*$/.test(text)) return 'invalid syntax';
  return Number(text) < 2 ** 64 ? undefined : 'value out of range';
}

function revisionComplaint(text: string): string {
  const shown = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${revisionProblem(text) ?? ''}`;
}

type ListOptions = Pick<
  WatchCall & ListCall,
  'resourceVersion' | 'resourceVersionMatch' | 'sendInitialEvents' | 'continue'
>;

function checkListOptions(call: ListOptions, isWatch: boolean): void {
  const isMisplaced = !isWatch && call.sendInitialEvents !== undefined;
  const errors: readonly FieldError[] = isMisplaced
    ? [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : optionErrors(call, isWatch);
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  }
}

function optionErrors(call: ListOptions, isWatch: boolean): readonly FieldError[] {
  return isWatch ? watchErrors(call) : listErrors(call);
}

function listErrors(call: ListOptions): readonly FieldError[] {
  const field = 'resourceVersionMatch';
  const { resourceVersionMatch: match = '', resourceVersion = '', continue: token = '' } = call;
  if (match === '') return [];
  const errors: FieldError[] = [];
  if (resourceVersion === '') {
    errors.push(forbidden(field, `${field} is forbidden unless resourceVersion is provided`));
  }
  if (token !== '') {
    errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
  }
  if (!['Exact', 'NotOlderThan'].includes(match)) {
    errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  }
  return errors;
}

function watchErrors(call: ListOptions): readonly FieldError[] {
  const field = 'resourceVersionMatch';
  const match = call.resourceVersionMatch ?? '';
  const errors: FieldError[] = [];
  if (call.sendInitialEvents === undefined) {
    if (match !== '')
      errors.push(
        forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`),
      );
  } else if (match !== 'NotOlderThan') {
    errors.push(forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`));
    if (match !== '') errors.push(notSupported(field, match, ['NotOlderThan']));
  }
  if ((call.continue ?? '') !== '') {
    errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
  }
  return errors;
}

export function watchObjects(env: Environment, kind: ResourceKind, call: WatchCall): Watch {
  const selection = select(kind, call);
  checkListOptions(call, true);
  const version = call.resourceVersion ?? '';
  if (revisionProblem(version) !== undefined) throw unknownFailure(500, revisionComplaint(version));
  const isFromNow = call.sendInitialEvents ?? (version === '' || version === '0');
  const from = isFromNow ? 'current' : startOf(env, version);
  const watcher = env.store.watch({
    table: kind.storage,
    ...selection,
    from,
    ...(call.allowWatchBookmarks === true
      ? { bookmark: (revision, isEnd) => bookmarkOf(kind, revision, isEnd) }
      : {}),
    initialEventsEnd: call.sendInitialEvents === true,
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
  });
  return kind.convert === undefined ? watcher : converting(watcher, kind);
}

function startOf(env: Environment, version: string): number {
  return version === '' || version === '0' ? env.store.revision : Number(version);
}

function bookmarkOf(kind: ResourceKind, resourceVersion: string, isEnd: boolean): ApiObject {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  const metadata = { resourceVersion, ...(isEnd ? { annotations } : {}) };
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind.group, kind.version),
    // A bookmark is no object: it has not even a name.
    metadata: metadata as unknown as ApiObject['metadata'],
  };
}

function converting(watch: Watch, kind: ResourceKind): Watch {
  const convert = (event: WatchEvent): WatchEvent =>
    event.type === 'BOOKMARK' ? event : { type: event.type, object: toServed(kind, event.object) };
  return {
    take: () => watch.take().map((event) => convert(event)),
    wake: (run) => watch.wake(run),
    get closed() {
      return watch.closed;
    },
    stop: () => watch.stop(),
  };
}
