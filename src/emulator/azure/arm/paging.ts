// Lists in pages. In: all items and the request. Out: one page and, if there is more, the link to the next.
// A page begins behind the last id of the one before, so that what is deleted meanwhile moves nothing.
import type { Json } from '../../../api/meta.ts';
import { ArmError } from '../errors.ts';
import { ok, type ArmCall, type ArmReply } from './arm-call.ts';

export interface PageItem {
  readonly key: string;
  readonly json: Json;
}

export function pageReply(call: ArmCall, items: readonly PageItem[], pageSize: number): ArmReply {
  const size = Math.min(pageSize, topOf(call) ?? pageSize);
  const after = tokenOf(call);
  const sorted = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rest = after === undefined ? sorted : sorted.filter((item) => item.key > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const value = page.map((item) => item.json);
  if (last === undefined || rest.length <= size) return ok({ value });
  return ok({ value, nextLink: nextLink(call, last.key) });
}

function topOf(call: ArmCall): number | undefined {
  const text = call.query.get('$top');
  if (text === null) return undefined;
  const top = Number(text);
  if (Number.isInteger(top) && top > 0) return top;
  throw new ArmError(
    400,
    'InvalidTopQueryString',
    `The '$top' query parameter value '${text}' is invalid. It must be a positive integer.`,
  );
}

function tokenOf(call: ArmCall): string | undefined {
  for (const [name, value] of call.query) {
    if (name.toLowerCase() === '$skiptoken') return Buffer.from(value, 'base64url').toString();
  }
  return undefined;
}

function nextLink(call: ArmCall, key: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of call.query) {
    if (name.toLowerCase() !== '$skiptoken') query.append(name, value);
  }
  const token = Buffer.from(key).toString('base64url');
  // Clients compare and split this text; `$` stays as Azure writes it.
  return `${call.baseUrl}${collectionPath(call)}?${query.toString()}&%24skiptoken=${token}`;
}

function collectionPath(call: ArmCall): string {
  const { scope, namespace, types, names } = call.path;
  const pairs = types.flatMap((type, index) => {
    const name = names[index];
    return name === undefined ? [type] : [type, encodeURIComponent(name)];
  });
  return namespace === 'Microsoft.Resources' && scope === ''
    ? `/${pairs.join('/')}`
    : `${scope}/providers/${namespace}/${pairs.join('/')}`;
}
