// Objects as bytes of an answer. In: an immutable object. Out: its JSON, made once per object and shared by every
// reader that watches; fields in the server's order: kind, apiVersion, metadata, then the rest.
import { stringify } from 'yaml';
import type { Json } from '../../../api/meta.ts';
import type { WatchEvent } from '../api.ts';
import { without } from '../json.ts';
import type { ApiList, ApiObject } from '../object.ts';

/** Everything behind `{"kind":…,"apiVersion":…,`: the same for an object alone and as an item of a list. */
const bodies = new WeakMap<ApiObject, string>();

function bodyOf(object: ApiObject, remember: boolean): string {
  const known = bodies.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(without(without(object, 'kind'), 'apiVersion')).slice(1);
  if (remember) bodies.set(object, text);
  return text;
}

function headOf(object: { readonly kind: string; readonly apiVersion: string }): string {
  return `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
}

export function encodeObject(object: ApiObject): string {
  return headOf(object) + bodyOf(object, false);
}

/** Items of built-in kinds do not repeat their kind; those of custom resources do. */
export function encodeList(list: ApiList, namesItems: boolean): string {
  const items = list.items.map((item) => (namesItems ? headOf(item) : '{') + bodyOf(item, false));
  return `${headOf(list)}"metadata":${JSON.stringify(list.metadata)},"items":[${items.join(',')}]}`;
}

/** One line of a watch. */
export function encodeEvent(event: WatchEvent): string {
  const object = headOf(event.object) + bodyOf(event.object, true);
  return `{"type":"${event.type}","object":${object}}\n`;
}

export function pretty(text: string): string {
  return JSON.stringify(JSON.parse(text), undefined, 2);
}

export function toYaml(text: string): string {
  const value = JSON.parse(text) as Json;
  return stringify(value, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
}
