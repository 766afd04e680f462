// Drops the fields that a schema does not know, as an API server does before it stores an object. In: any
// JSON. Out: the same value where nothing was dropped, else a copy that shares what was kept.
// Metadata, apiVersion and kind of the object itself and of embedded resources are never touched.
import type { Json } from '../../meta.ts';
import { isRecord, setField } from './json-value.ts';
import type { StructuralNode } from './structural-node.ts';

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Hears the path of every field that goes. */
type OnDrop = (path: string) => void;

interface At {
  readonly path: string;
  readonly isRoot: boolean;
  readonly onDrop: OnDrop | undefined;
}

// Paths cost more than the rest, so nobody builds them unless somebody listens.
function below(at: At, segment: string | number): At {
  const { path, onDrop } = at;
  if (onDrop === undefined) return at.isRoot ? { path, isRoot: false, onDrop } : at;
  if (typeof segment === 'number') return { path: `${path}[${segment}]`, isRoot: false, onDrop };
  return { path: path === '' ? segment : `${path}.${segment}`, isRoot: false, onDrop };
}

/** The field as it stays; undefined when it goes. */
function pruneField(key: string, item: Json, node: StructuralNode, at: At): Json | undefined {
  if ((at.isRoot || node.isResource) && metaFields.has(key)) return item;
  const child = node.properties.get(key) ?? node.additional;
  if (child !== undefined) return pruneValue(item, child, below(at, key));
  if (node.preservesUnknown) return item;
  at.onDrop?.(below(at, key).path);
  return undefined;
}

function pruneRecord(value: { readonly [key: string]: Json }, node: StructuralNode, at: At): Json {
  let copy: Record<string, Json> | undefined;
  for (const key in value) {
    const item = value[key];
    if (item === undefined) continue;
    const kept = pruneField(key, item, node, at);
    if (kept === item) continue;
    copy ??= { ...value };
    if (kept === undefined) delete copy[key];
    else setField(copy, key, kept);
  }
  return copy ?? value;
}

function pruneValue(value: Json, node: StructuralNode, at: At): Json {
  if (isRecord(value)) return pruneRecord(value, node, at);
  const { items } = node;
  if (!Array.isArray(value) || items === undefined) return value;
  const array = value as readonly Json[];
  const kept = array.map((item, index) => pruneValue(item, items, below(at, index)));
  return kept.every((item, index) => item === array[index]) ? value : kept;
}

export function pruneUnknown(value: Json, node: StructuralNode, onDrop?: OnDrop): Json {
  return pruneValue(value, node, { path: '', isRoot: true, onDrop });
}
