// What a machine finds in its custom data at first boot, as cloud-init reads it. In: bytes, compressed or not. Out: a
// script, or a cloud configuration with the files that it writes, or why nothing can be made of it.
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { Json } from '../../../api/meta.ts';
import { isObject, objectsAt, textAt, type JsonObject } from '../../kube/json.ts';

export type UserData =
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'cloud-config'; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function readUserData(customData: Uint8Array | string): UserData {
  const bytes = Buffer.from(customData);
  if (bytes.length === 0) return { kind: 'none' };
  const unpacked = unpack(bytes);
  if (unpacked === undefined) return unreadable('it is compressed, and the compression is broken');
  const text = unpacked.toString('utf8');
  if (text.startsWith('#!')) return { kind: 'script', text };
  if (text.startsWith('#cloud-config')) return readCloudConfig(text);
  return unreadable(
    `it begins with ${JSON.stringify(text.slice(0, 20))}, not with #! or #cloud-config`,
  );
}

function unreadable(why: string): UserData {
  return { kind: 'unreadable', reason: `custom data cannot be read: ${why}` };
}

/** Undefined when it says that it is compressed and is not. */
function unpack(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

function readCloudConfig(text: string): UserData {
  let config: Json;
  try {
    config = parse(text) as Json;
  } catch {
    return unreadable('its cloud configuration is no YAML');
  }
  const files = new Map<string, string>();
  for (const file of objectsAt(isObject(config) ? config : {}, 'write_files')) {
    const content = contentOf(file);
    const path = textAt(file, 'path');
    if (content === undefined)
      return unreadable(`its file ${path} is not in the encoding it names`);
    files.set(path, content);
  }
  return { kind: 'cloud-config', files };
}

const plainEncodings = new Set(['', 'text/plain']);
const base64Encodings = new Set(['b64', 'base64']);
const gzipEncodings = new Set(['gz+b64', 'gzip+base64', 'gz+base64', 'gzip+b64', 'gz', 'gzip']);

function contentOf(file: JsonObject): string | undefined {
  const encoding = textAt(file, 'encoding');
  const content = textAt(file, 'content');
  if (plainEncodings.has(encoding)) return content;
  const bytes = Buffer.from(content, encoding.includes('64') ? 'base64' : 'latin1');
  if (base64Encodings.has(encoding)) return bytes.toString('utf8');
  return gzipEncodings.has(encoding) ? unpack(bytes)?.toString('utf8') : undefined;
}
