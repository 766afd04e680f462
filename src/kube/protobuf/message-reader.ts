// Messages as the objects that JSON would give. In: a table of fields (api/protobuf). Out: a function that reads one
// message off a reader. Fields that the table does not name are passed over.
//  1. A message ends exactly where its length says, or it is no message.
//  2. A field of another kind than its table says is an error, not a guess.
//  3. Parts of a list or map that stand apart are put together, as protobuf asks.
import {
  integer as integerField,
  text as textField,
  type WireField,
  type WireForm,
  type WireMessage,
} from '../../api/protobuf/wire-field.ts';
import { bytesWire, notProtobuf, varintWire, type WireReader } from './wire-reader.ts';
import { readTime } from './wire-time.ts';

export type Members = Record<string, unknown>;
type Read<T> = (reader: WireReader) => T;

interface Row {
  readonly name: string;
  /** Number and kind, as they stand before each value. */
  readonly tag: number;
  /** Zero, or who it is in the table of parts that come again. */
  readonly owner: number;
  readonly shape: WireField['shape'] | 'inside';
  readonly read: Read<unknown>;
  /** What is left out. */
  readonly zero: unknown;
  readonly members: Rows;
}

/** By field number. */
type Rows = readonly (Row | undefined)[];

/** Reads the message that begins here with its length. */
export function messageReader(table: WireMessage, owners = new Owners()): Read<Members> {
  const rows = rowsOf(table, owners);
  const Shape = shape();
  return (reader) => {
    const object = new Shape();
    readMembers(reader, rows, reader.end(), object);
    return object;
  };
}

/**
 * Makes plain objects. The engine learns how many members those of one constructor get and makes room for all of them at
 * once; an object literal would be moved to a larger place again and again as members come.
 */
export function shape(): new () => Members {
  // Not a class: the prototype of a class cannot be that of plain objects.
  const Shape = function Shape() {};
  Shape.prototype = Object.prototype;
  return Shape as unknown as new () => Members;
}

/** Reads the message that everything up to `end` is, into an object that is there already. */
export function memberReader(
  table: WireMessage,
): (reader: WireReader, end: number, object: Members) => void {
  const rows = rowsOf(table, new Owners());
  return (reader, end, object) => readMembers(reader, rows, end, object);
}

/** Numbers for the rows of one kind. */
class Owners {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}

function readMembers(reader: WireReader, rows: Rows, end: number, object: Members): void {
  while (reader.at < end) {
    const tag = reader.varint();
    const row = rows[tag >>> 3];
    if (row === undefined) reader.skip(tag & 7);
    else if (row.tag !== tag) throw notProtobuf('a field is of another kind than it should be');
    else if (row.shape === 'one') readOne(reader, row, object);
    else if (row.shape === 'inside') readMembers(reader, row.members, reader.end(), object);
    else readMany(reader, row, end, object);
  }
  if (reader.at !== end) throw notProtobuf('a message does not end where it should');
}

function readOne(reader: WireReader, row: Row, object: Members): void {
  const value = row.owner > 0 ? readAlike(reader, row, endOfOne(reader)) : row.read(reader);
  if (value !== row.zero) object[row.name] = value;
}

/** All that come in a row, which a server writes them in. */
function readMany(reader: WireReader, row: Row, end: number, object: Members): void {
  const many =
    row.owner > 0
      ? readAlike(reader, row, endOfMany(reader, row.tag, end))
      : readRun(reader, row, end);
  const before = object[row.name];
  object[row.name] = before === undefined ? many : joined(before, many);
}

function readAlike(reader: WireReader, row: Row, end: number): unknown {
  const known = reader.known(row.owner, end);
  if (known !== undefined) return known;
  const start = reader.at;
  const value = row.shape === 'one' ? row.read(reader) : readRun(reader, row, end);
  reader.keep(row.owner, start, value as object);
  return value;
}

/** Where the part ends whose length comes next; the reader stays. */
function endOfOne(reader: WireReader): number {
  const start = reader.at;
  const end = reader.end();
  reader.at = start;
  return end;
}

function endOfMany(reader: WireReader, tag: number, end: number): number {
  const start = reader.at;
  do reader.at = reader.end();
  while (reader.follows(tag, end));
  const last = reader.at;
  reader.at = start;
  return last;
}

function readRun(reader: WireReader, row: Row, end: number): object {
  if (row.shape === 'map') {
    const map: Members = {};
    do readEntry(reader, row.read, map);
    while (reader.follows(row.tag, end));
    return map;
  }
  const first = row.read(reader);
  if (!reader.follows(row.tag, end)) return [first];
  const list = [first];
  do list.push(row.read(reader));
  while (reader.follows(row.tag, end));
  // A list that has grown has room for many more, which would stay with it; a copy has none.
  return list.slice();
}

function joined(before: unknown, many: unknown): unknown {
  return Array.isArray(before)
    ? [...(before as unknown[]), ...(many as unknown[])]
    : { ...(before as Members), ...(many as Members) };
}

function readEntry(reader: WireReader, read: Read<unknown>, map: Members): void {
  const end = reader.end();
  let key = '';
  let value: unknown = '';
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) key = reader.key();
    else if (tag === 0x12) value = read(reader);
    else reader.skip(tag & 7);
  }
  if (reader.at !== end) throw notProtobuf('an entry does not end where it should');
  // A plain assignment to this name would not make a property.
  if (key === '__proto__') Object.defineProperty(map, key, { ...ownProperty, value });
  else map[key] = value;
}

const ownProperty = { enumerable: true, writable: true, configurable: true };

function rowsOf(table: WireMessage, owners: Owners): Rows {
  const rows: (Row | undefined)[] = [];
  const inside = new Map<number, (Row | undefined)[]>();
  for (const [name, field] of Object.entries(table)) {
    const row = rowOf(name, field, owners);
    if (field.inside === undefined) rows[field.number] = row;
    else {
      const members = inside.get(field.inside) ?? [];
      members[field.number] = row;
      inside.set(field.inside, members);
    }
  }
  for (const [number, members] of inside) rows[number] = insideRow(number, members);
  return withoutHoles(rows);
}

/** A message whose members belong to its parent. */
function insideRow(number: number, members: Rows): Row {
  return {
    name: '',
    tag: number * 8 + bytesWire,
    owner: 0,
    shape: 'inside',
    read: (reader) => reader.skip(bytesWire),
    zero: undefined,
    members: withoutHoles(members),
  };
}

/** Holes would make every look-up slower. */
function withoutHoles(rows: Rows): Rows {
  return Array.from(rows, (row) => row);
}

function rowOf(name: string, field: WireField, owners: Owners): Row {
  const { form, shape } = field;
  const number = form === 'integer' || form === 'boolean';
  return {
    name,
    tag: field.number * 8 + (number ? varintWire : bytesWire),
    owner: field.alike ? owners.next() : 0,
    shape,
    read: readOf(field, owners),
    zero: field.kept ? undefined : zeros[form],
    members: [],
  };
}

const zeros: Readonly<Partial<Record<WireForm, unknown>>> = {
  text: '',
  integer: 0,
  boolean: false,
  quantity: '',
};

function readOf(field: WireField, owners: Owners): Read<unknown> {
  const { form, distinct, message } = field;
  if (form === 'text') return distinct ? distinctText : text;
  if (form !== 'message') return reads[form];
  if (message === undefined) throw new TypeError('a row of a message names no table');
  return messageReader(message, owners);
}

const text: Read<string> = (reader) => reader.text();
const distinctText: Read<string> = (reader) => reader.distinctText();
const integer: Read<number> = (reader) => reader.varint();

const reads: Readonly<Record<Exclude<WireForm, 'text' | 'message'>, Read<unknown>>> = {
  integer,
  boolean: (reader) => reader.varint() !== 0,
  quantity,
  time: (reader) => readTime(reader, false),
  microTime: (reader) => readTime(reader, true),
  intOrString: readIntOrString,
};

function quantity(reader: WireReader): string {
  const end = reader.end();
  let value = '';
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === 0x0a) value = reader.text();
    else reader.skip(tag & 7);
  }
  if (reader.at !== end) throw notProtobuf('a quantity does not end where it should');
  return value;
}

const intOrStringRows = rowsOf(
  { type: integerField(1), number: integerField(2), text: textField(3) },
  new Owners(),
);

function readIntOrString(reader: WireReader): string | number {
  const members: { type?: number; number?: number; text?: string } = {};
  readMembers(reader, intOrStringRows, reader.end(), members);
  return members.type === 1 ? (members.text ?? '') : (members.number ?? 0);
}
