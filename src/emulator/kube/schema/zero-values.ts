// Which fields of built-in types cannot tell their zero from nothing: an empty text, a false, a 0 written there is not
// there when the object is read again. In: a type's name in the API's documents and a field. Out: yes or no.
// The binary form knows it: a field that can tell the two apart is marked with `*` in its messages.
import file from '../protobuf/messages.json' with { type: 'json' };

const messages = file.messages as Readonly<Record<string, Readonly<Record<string, string>>>>;
const scalars: ReadonlySet<string> = new Set(['string', 'int', 'bool', 'double', 'float']);
const known = new Map<string, ReadonlySet<string>>();

export function losesZero(typeName: string, field: string): boolean {
  let fields = known.get(typeName);
  if (fields === undefined) {
    const [version = '', name = ''] = typeName.split('.').slice(-2);
    const [group = ''] = typeName.split('.').slice(-3);
    fields = new Set(zeroless(`${group}/${version}.${name}`));
    known.set(typeName, fields);
  }
  return fields.has(field);
}

function zeroless(message: string): readonly string[] {
  return Object.values(messages[message] ?? {}).flatMap((words) => {
    const [field = '', type = '', flag] = words.split(' ');
    if (flag === 'inline') return zeroless(type);
    return scalars.has(type) && flag === undefined ? [field] : [];
  });
}
