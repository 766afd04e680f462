// The OpenAPI document of version 2 in its binary form, the only one in which kubectl asks for it: without it kubectl
// cannot say that a kind is not known. In: the document as JSON. Out: its bytes.
// The table below holds the wire facts: per message and JSON field the number and the kind of value. `{}` are maps, written as
// lists of names and values; `~` wraps a value in a message with this one field; fields that begin with x- are free JSON.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, type JsonObject } from '../json.ts';

export const openApiMediaType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

type Fields = Readonly<Record<string, readonly [number: number, kind: string]>>;

const messages: Readonly<Record<string, { readonly extensions: number; readonly fields: Fields }>> =
  {
    Document: {
      extensions: 16,
      fields: {
        swagger: [1, 'string'],
        info: [2, 'Info'],
        paths: [8, '{2}PathItem'],
        definitions: [9, '{1}Schema'],
      },
    },
    Info: { extensions: 7, fields: { title: [1, 'string'], version: [2, 'string'] } },
    PathItem: {
      extensions: 10,
      fields: {
        get: [2, 'Operation'],
        put: [3, 'Operation'],
        post: [4, 'Operation'],
        delete: [5, 'Operation'],
        options: [6, 'Operation'],
        head: [7, 'Operation'],
        patch: [8, 'Operation'],
        parameters: [9, '[]Parameter'],
      },
    },
    Operation: {
      extensions: 13,
      fields: {
        description: [3, 'string'],
        operationId: [5, 'string'],
        produces: [6, '[]string'],
        consumes: [7, '[]string'],
        parameters: [8, '[]Parameter'],
        responses: [9, '{1}Response'],
      },
    },
    BodyParameter: {
      extensions: 6,
      fields: {
        description: [1, 'string'],
        name: [2, 'string'],
        in: [3, 'string'],
        required: [4, 'bool'],
        schema: [5, 'Schema'],
      },
    },
    QueryParameter: {
      extensions: 23,
      fields: {
        required: [1, 'bool'],
        in: [2, 'string'],
        description: [3, 'string'],
        name: [4, 'string'],
        type: [6, 'string'],
        format: [7, 'string'],
        uniqueItems: [20, 'bool'],
      },
    },
    PathParameter: {
      extensions: 22,
      fields: {
        required: [1, 'bool'],
        in: [2, 'string'],
        description: [3, 'string'],
        name: [4, 'string'],
        type: [5, 'string'],
        format: [6, 'string'],
        uniqueItems: [19, 'bool'],
      },
    },
    ResponseBody: { extensions: 5, fields: { description: [1, 'string'], schema: [2, '~Schema'] } },
    Schema: {
      extensions: 31,
      fields: {
        $ref: [1, 'string'],
        format: [2, 'string'],
        title: [3, 'string'],
        description: [4, 'string'],
        default: [5, 'any'],
        multipleOf: [6, 'double'],
        maximum: [7, 'double'],
        exclusiveMaximum: [8, 'bool'],
        minimum: [9, 'double'],
        exclusiveMinimum: [10, 'bool'],
        maxLength: [11, 'integer'],
        minLength: [12, 'integer'],
        pattern: [13, 'string'],
        maxItems: [14, 'integer'],
        minItems: [15, 'integer'],
        uniqueItems: [16, 'bool'],
        maxProperties: [17, 'integer'],
        minProperties: [18, 'integer'],
        required: [19, '[]string'],
        enum: [20, '[]any'],
        additionalProperties: [21, 'SchemaOrBool'],
        type: [22, '~string'],
        items: [23, '~Schema'],
        allOf: [24, '[]Schema'],
        properties: [25, '{1}Schema'],
        example: [30, 'any'],
      },
    },
  };

export function encodeOpenApi(document: JsonObject): Uint8Array {
  return message('Document', document);
}

const varintWire = 0;
const fixedWire = 1;
const bytesWire = 2;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

function field(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([varint(number * 8 + bytesWire), varint(content.length), content]);
}

function message(name: string, object: JsonObject): Uint8Array {
  const { fields = {}, extensions = 0 } = messages[name] ?? {};
  const parts = Object.entries(object).map(([key, value]) => {
    if (key.startsWith('x-')) return field(extensions, named(key, any(value)));
    const [number, kind] = fields[key] ?? [];
    return number === undefined || kind === undefined
      ? new Uint8Array()
      : member(number, kind, value);
  });
  return Buffer.concat(parts);
}

function named(name: string, value: Uint8Array): Uint8Array {
  return Buffer.concat([field(1, Buffer.from(name)), field(2, value)]);
}

/** JSON is YAML. */
function any(value: Json): Uint8Array {
  return field(2, Buffer.from(`${JSON.stringify(value)}\n`));
}

function member(number: number, kind: string, value: Json): Uint8Array {
  if (kind.startsWith('[]')) {
    const items = isArray(value) ? value : [];
    return Buffer.concat(items.map((item) => member(number, kind.slice(2), item)));
  }
  if (kind.startsWith('~')) return field(number, member(1, kind.slice(1), value));
  if (kind.startsWith('{')) return field(number, entries(kind, objectOf(value)));
  if (kind === 'double') return double(number, Number(value));
  const isNumber = kind === 'bool' || kind === 'integer';
  return isNumber ? scalar(number, Number(value)) : field(number, contentOf(kind, value));
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

function entries(kind: string, object: JsonObject): Uint8Array {
  const number = Number(kind.charAt(1));
  return Buffer.concat(
    Object.entries(object).map(([key, value]) =>
      field(number, named(key, contentOf(kind.slice(3), value))),
    ),
  );
}

function scalar(number: number, value: number): Uint8Array {
  return Buffer.concat([varint(number * 8 + varintWire), varint(value)]);
}

function double(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint(number * 8 + fixedWire), bytes]);
}

const contents: Readonly<Record<string, (value: Json) => Uint8Array>> = {
  string: (value) => Buffer.from(typeof value === 'string' ? value : ''),
  any,
  SchemaOrBool: (value) =>
    isObject(value) ? field(1, message('Schema', value)) : scalar(2, Number(value)),
  Response: (value) => field(1, message('ResponseBody', objectOf(value))),
  Parameter: (value) => parameter(objectOf(value)),
};

function contentOf(kind: string, value: Json): Uint8Array {
  return contents[kind]?.(value) ?? message(kind, objectOf(value));
}

function parameter(object: JsonObject): Uint8Array {
  if (object['in'] === 'body') return field(1, field(1, message('BodyParameter', object)));
  const inner =
    object['in'] === 'path'
      ? field(4, message('PathParameter', object))
      : field(3, message('QueryParameter', object));
  return field(1, field(2, inner));
}
