// Kubernetes objects in their binary form, which kubectl, helm and controllers send for built-in kinds. In: the body of a
// request. Out: the object as JSON. Only requests are read so: every client that writes protobuf also reads JSON.
//
// messages.json holds, per type, what stands behind each field number: name, kind, `*` where a zero differs from nothing,
// `inline` where the fields of a message belong to its parent; `[]` and `{}` for lists and maps. These are facts of the wire,
// which tools/generate-kubernetes-messages.ts reads off the tags of the Go types of the version that is emulated.
import { toMicroTimestamp, toTimestamp } from '../../../base/clock.ts';
import type { Json } from '../../../api/meta.ts';
import { isArray, isEmpty, isObject, type JsonObject, type MutableJsonObject } from '../json.ts';
import { unrecognizedText } from '../schema/field-validation.ts';
import { badRequest } from '../status-error.ts';
import file from './messages.json' with { type: 'json' };
import { wireFields, type WireValue } from './wire-reader.ts';

const messages = file.messages as Readonly<Record<string, Readonly<Record<string, string>>>>;
const packages = file.packages as Readonly<Record<string, string>>;

/** `k8s` and a zero byte: what is no such message cannot be told from noise otherwise. */
const magic = [0x6b, 0x38, 0x73, 0];

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

function text(value: WireValue): string {
  return value.type === 'bytes' ? Buffer.from(value.value).toString('utf8') : '';
}

function bytes(value: WireValue): Uint8Array {
  return value.type === 'bytes' ? value.value : new Uint8Array();
}

function integer(value: WireValue): number {
  return value.type === 'varint' ? Number(BigInt.asIntN(64, value.value)) : 0;
}

function readEnvelope(body: Uint8Array): Envelope {
  const envelope = { apiVersion: '', kind: '', raw: new Uint8Array() as Uint8Array };
  for (const field of wireFields(body.subarray(magic.length))) {
    if (field.number === 2) envelope.raw = bytes(field.value);
    if (field.number !== 1) continue;
    for (const part of wireFields(bytes(field.value))) {
      if (part.number === 1) envelope.apiVersion = text(part.value);
      if (part.number === 2) envelope.kind = text(part.value);
    }
  }
  return envelope;
}

/** `expected` is named in the complaint when the body is no such message. */
export function decodeProtobuf(body: Uint8Array, expected: string): JsonObject {
  const unreadable = (problem: string): Error =>
    badRequest(unrecognizedText(expected, problem, body));
  if (body.length === 0) throw unreadable('empty data');
  if (!magic.every((byte, index) => body[index] === byte)) {
    throw unreadable(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  if (body.length === magic.length) throw unreadable('empty body');
  try {
    const { apiVersion, kind, raw } = readEnvelope(body);
    const head = { ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }) };
    return { ...head, ...decodeMessage(typeName(apiVersion, kind), raw) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unreadable(error.message);
  }
}

function typeName(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta/v1.DeleteOptions';
  const name = `${packages[apiVersion] ?? ''}.${kind}`;
  if (messages[name] !== undefined) return name;
  throw badRequest(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
  );
}

function decodeMessage(name: string, raw: Uint8Array): JsonObject {
  const fields = messages[name] ?? {};
  const object: MutableJsonObject = {};
  for (const { number, value } of wireFields(raw)) {
    const known = fields[number];
    if (known !== undefined) Object.assign(object, decodeField(known, value, object));
  }
  return object;
}

/** What one field adds to the message that it belongs to. */
function decodeField(known: string, value: WireValue, message: JsonObject): JsonObject {
  const [field = '', type = '', ...flags] = known.split(' ');
  if (flags.includes('inline')) return decodeMessage(type, bytes(value));
  const before = message[field];
  if (type.startsWith('[]')) {
    return { [field]: [...(isArray(before) ? before : []), decodeValue(type.slice(2), value)] };
  }
  if (type.startsWith('{}')) {
    return { [field]: { ...asObject(before), ...decodeEntry(type.slice(2), bytes(value)) } };
  }
  const decoded = decodeValue(type, value);
  // Go writes what is not set as zero, unless the field can tell the two apart.
  return flags.includes('*') || !isEmpty(decoded) ? { [field]: decoded } : {};
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function decodeEntry(type: string, raw: Uint8Array): JsonObject {
  let key = '';
  let value: Json = type === 'string' || type === 'bytes' ? '' : {};
  for (const field of wireFields(raw)) {
    if (field.number === 1) key = text(field.value);
    if (field.number === 2) value = decodeValue(type, field.value);
  }
  return { [key]: value };
}

const decoders: Readonly<Record<string, (value: WireValue) => Json>> = {
  string: text,
  bytes: (value) => Buffer.from(bytes(value)).toString('base64'),
  int: integer,
  bool: (value) => integer(value) !== 0,
  double: (value) => (value.type === 'fixed' ? value.value : 0),
  float: (value) => (value.type === 'fixed' ? value.value : 0),
  time: (value) => timeOf(value, toTimestamp),
  microTime: (value) => timeOf(value, toMicroTimestamp),
  quantity: (value) => textField(value, 1),
  duration: (value) => `${numberField(value, 1) / 1e9}s`,
  intOrString: (value) =>
    numberField(value, 1) === 1 ? textField(value, 3) : numberField(value, 2),
  raw: (value) => embedded(value),
  fields: (value) => embedded(value),
};

function decodeValue(type: string, value: WireValue): Json {
  const decoder = decoders[type];
  if (decoder !== undefined) return decoder(value);
  if (!type.startsWith('items:') && !type.startsWith('list:'))
    return decodeMessage(type, bytes(value));
  const item = type.slice(type.indexOf(':') + 1);
  return [...wireFields(bytes(value))].map((field) => decodeValue(item, field.value));
}

function fieldOf(value: WireValue, number: number): WireValue | undefined {
  return [...wireFields(bytes(value))].findLast((field) => field.number === number)?.value;
}

function textField(value: WireValue, number: number): string {
  const found = fieldOf(value, number);
  return found === undefined ? '' : text(found);
}

function numberField(value: WireValue, number: number): number {
  const found = fieldOf(value, number);
  return found === undefined ? 0 : integer(found);
}

/** The zero time is written as a message of zeros and means no time at all. */
function timeOf(value: WireValue, write: (epochMs: number) => string): Json {
  const seconds = numberField(value, 1);
  const nanos = numberField(value, 2);
  return seconds === 0 && nanos === 0 ? null : write(seconds * 1000 + nanos / 1e6);
}

function embedded(value: WireValue): Json {
  const raw = textField(value, 1);
  try {
    return raw === '' ? null : (JSON.parse(raw) as Json);
  } catch {
    throw new RangeError('embedded object is no JSON');
  }
}
