// Server-side tables and bare metadata: what `kubectl get` shows. In: objects of one kind and its columns. Out: a
// Table, its rows carrying all, the metadata or nothing of each object; or PartialObjectMetadata.
import type { Json } from '../../../api/meta.ts';
import type { WatchEvent } from '../api.ts';
import { aggregate } from '../../../api/crd/validation/field-error.ts';
import { invalid } from '../field-error.ts';
import type { ApiList, ApiObject } from '../object.ts';
import type { Column } from '../registry/resource-kind.ts';
import { badRequest } from '../status-error.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function includeObjectOption(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'None' || value === 'Object') return value;
  const error = invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${aggregate([error])}`);
}

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly include: IncludeObject;
  readonly nowMs: number;
}

function rowOf(object: ApiObject, { columns, include, nowMs }: TableOptions): Json {
  const cells = columns.map((column) => column.cell(object, nowMs));
  if (include === 'None') return { cells, object: null };
  return { cells, object: include === 'Object' ? object : partialOf(object) };
}

function definitionsOf(columns: readonly Column[]): Json {
  return columns.map(({ name, type, format = '', description, priority = 0 }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

export function tableOf(
  objects: readonly ApiObject[],
  metadata: Json,
  options: TableOptions,
  withHeader = true,
): Json {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withHeader ? definitionsOf(options.columns) : null,
    rows: objects.map((object) => rowOf(object, options)),
  };
}

export function partialOf(object: ApiObject): ApiObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  };
}

export function partialList(list: ApiList): Json {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: list.metadata,
    items: list.items.map((item) => partialOf(item)),
  };
}

/** Watch events as tables of one row; only the first names its columns. */
export function tableEvents(options: TableOptions & { readonly now: () => number }) {
  let isFirst = true;
  return (event: WatchEvent): string => {
    const objects = event.type === 'BOOKMARK' ? [] : [event.object];
    const rowed = { ...options, nowMs: options.now() };
    const metadata = { resourceVersion: event.object.metadata.resourceVersion ?? '' };
    const table =
      event.type === 'BOOKMARK'
        ? bookmarkTable(event.object, metadata)
        : tableOf(objects, metadata, rowed, isFirst);
    isFirst = false;
    return `${JSON.stringify({ type: event.type, object: table })}\n`;
  };
}

/** A bookmark has no cells, only the object that carries its revision. */
function bookmarkTable(object: ApiObject, metadata: Json): Json {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: null,
    rows: [{ cells: null, object: partialOf(object) }],
  };
}
