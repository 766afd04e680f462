// The body of a request. In: the request. Out: its text with the media type, or parsed; a StatusError for what is too
// large, of a type that is not spoken here, or no JSON at all.
import { hasCode } from '../../../base/errors.ts';
import type { HttpRequest } from '../../../base/http-server.ts';
import type { Json } from '../../../api/meta.ts';
import type { PatchType } from '../api.ts';
import { isObject, type JsonObject } from '../json.ts';
import { readPatch, type ReadPatch } from '../patch/read-patch.ts';
import { decodeProtobuf } from '../protobuf/decode-message.ts';
import { unwrap } from '../resource/decode.ts';
import type { Body } from '../resource/environment.ts';
import { notAnObject } from '../schema/field-validation.ts';
import { readJson } from '../schema/strict-json.ts';
import { readYaml } from '../schema/strict-yaml.ts';
import { badRequest, entityTooLarge, StatusError, unsupportedMediaType } from '../status-error.ts';

/** The real server's limit of a request. */
const maxBodyBytes = 3 * 1024 * 1024;

const protobuf = 'application/vnd.kubernetes.protobuf';
const accepted = ['application/json', 'application/yaml', protobuf];

async function textOf(request: HttpRequest): Promise<string> {
  const bytes = await bytesOf(request);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

async function bytesOf(request: HttpRequest): Promise<Uint8Array> {
  try {
    const bytes = await request.body();
    if (bytes.length > maxBodyBytes) throw entityTooLarge(maxBodyBytes);
    return bytes;
  } catch (error) {
    if (hasCode(error, 'BodyTooLarge')) throw entityTooLarge(maxBodyBytes);
    throw error;
  }
}

const token = "[!#$%&'*+.^_`|~0-9a-z-]+";
const parameters = new RegExp(`^(?:;\\s*${token}=(?:${token}|"[^"]*")\\s*)*;?\\s*$`, 'i');

/** What cannot be read as a type at all is left whole: nobody speaks it. */
function mediaTypeOf(request: HttpRequest): string {
  const [type = '', ...rest] = (request.headers['content-type'] ?? '').split(/(?=;)/);
  const isReadable = parameters.test(rest.join(''));
  return (isReadable ? type : [type, ...rest].join('')).trim().toLowerCase();
}

function checkSpoken(type: string): void {
  // Without a type the real server takes a body for JSON.
  if (type === '' || accepted.includes(type)) return;
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** `kind` is what the address expects: the binary form must say what it is not. */
export async function readBody(request: HttpRequest, kind: string): Promise<Body> {
  const type = mediaTypeOf(request);
  checkSpoken(type);
  if (type === protobuf) return { object: decodeProtobuf(await bytesOf(request), kind) };
  const mediaType = type === 'application/yaml' ? 'application/yaml' : 'application/json';
  return { text: await textOf(request), mediaType };
}

/** DeleteOptions, when there are any. */
export async function readDeleteOptions(request: HttpRequest): Promise<JsonObject | undefined> {
  const bytes = await bytesOf(request);
  if (bytes.length === 0) return undefined;
  const type = mediaTypeOf(request);
  checkSpoken(type);
  if (type === protobuf) return decodeProtobuf(bytes, 'DeleteOptions');
  const text = Buffer.from(bytes).toString('utf8');
  const value = parseValue(text, type === 'application/yaml');
  if (!isObject(value)) throw badRequest(`${unreadable}${notAnObject(value)}`);
  return value;
}

/** The server gives up at the first thing it looks for in any body. */
const unreadable = "couldn't get version/kind; json parse error: ";

const patchTypes: readonly PatchType[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

export function patchTypeOf(request: HttpRequest, isCustom: boolean): PatchType {
  const type = mediaTypeOf(request);
  const found = patchTypes.find((candidate) => candidate === type);
  if (found === undefined) throw unknownPatchType();
  if (isCustom && found === 'application/strategic-merge-patch+json') {
    const offered = patchTypes.filter((candidate) => candidate !== found);
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`,
    );
  }
  return found;
}

function unknownPatchType(): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: '415: Unsupported Media Type',
    reason: 'UnsupportedMediaType',
    details: {},
    code: 415,
  });
}

export async function patchOf(request: HttpRequest, type: PatchType): Promise<ReadPatch> {
  return unwrap(readPatch(type, await textOf(request)));
}

function parseValue(text: string, isYaml: boolean): Json {
  try {
    return isYaml ? readYaml(text).value : readJson(text, undefined).value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(`${isYaml ? '' : unreadable}${error.message}`);
  }
}
