// Everything of a kind, page by page. In: a kind and selectors. Out: each object as it arrives, and the one
// version at which all of them together are true.
// A continue token lives about five minutes; when it expires on the way the list starts over, the second
// time without pages, so a slow reader still ends.
import type { KubeObject } from '../../api/meta.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import type { CallOptions, SelectorOptions } from '../client/call-options.ts';
import type { KubeClient } from '../client/client.ts';
import { isExpired, KubeError } from '../client/errors.ts';
import type { ObjectCodec } from './object-codec.ts';

const pageSize = 500;

export interface ListRequest<T extends KubeObject> {
  readonly client: KubeClient;
  readonly type: ResourceType<T>;
  readonly codec: ObjectCodec<T>;
  readonly options: SelectorOptions & CallOptions;
  /** Applied to each object as it arrives, so that only what is kept takes memory. */
  readonly prepare: (object: T) => T;
}

export interface Listing<T> {
  readonly objects: readonly T[];
  readonly version: string;
}

export async function listPages<T extends KubeObject>(
  request: ListRequest<T>,
): Promise<Listing<T>> {
  for (const limit of [pageSize, pageSize]) {
    try {
      return await listOnce(request, limit);
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
  }
  return listOnce(request, undefined);
}

async function listOnce<T extends KubeObject>(
  { client, type, codec, options, prepare }: ListRequest<T>,
  limit: number | undefined,
): Promise<Listing<T>> {
  const objects: T[] = [];
  let token: string | undefined;
  let version: string | undefined;
  do {
    const { accept } = codec;
    const page = codec.list(
      await client.listAnswer(type, { ...options, accept, limit, continue: token }),
    );
    for (const object of page.items) objects.push(prepare(object));
    version ??= page.metadata.resourceVersion;
    token = page.metadata.continue === '' ? undefined : page.metadata.continue;
  } while (token !== undefined);
  if (version === undefined) {
    throw new KubeError('Malformed', 'the API server answered a list without a version');
  }
  return { objects, version };
}
