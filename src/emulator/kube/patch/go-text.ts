// A value as the server's language prints it, since its messages quote what they got. Plain, or as source would have it.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject } from '../json.ts';

export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  return `map[${sortedMembers(value, (name, inner) => `${name}:${goText(inner)}`).join(' ')}]`;
}

export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = sortedMembers(
    value,
    (name, inner) => `${JSON.stringify(name)}:${goSyntax(inner)}`,
  );
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** The name of the type that the server's decoder gives a value of unknown kind. */
export function goTypeName(value: Json): string {
  if (isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return value === null ? '<nil>' : 'string';
}

function sortedMembers(value: JsonObject, write: (name: string, inner: Json) => string): string[] {
  return Object.keys(value)
    .toSorted()
    .map((name) => write(name, value[name] ?? null));
}
