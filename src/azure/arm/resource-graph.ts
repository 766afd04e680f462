// Listing through Resource Graph: one call for a whole resource group instead of one a resource. In: a query. Out: rows.
// Its answers lag behind by seconds to minutes, and spell ids as they like: whoever deletes by them looks again first.
import type { Arm } from './send.ts';

const apiVersion = '2024-04-01';

interface Answer<T> {
  readonly data?: readonly T[];
  readonly $skipToken?: string;
}

export async function queryResources<T>(
  arm: Arm,
  { subscriptionId, query }: { readonly subscriptionId: string; readonly query: string },
  signal: AbortSignal,
): Promise<readonly T[]> {
  const rows: T[] = [];
  let skipToken: string | undefined;
  do {
    const { body }: { readonly body: Answer<T> | undefined } = await arm.send<Answer<T>>({
      method: 'POST',
      path: '/providers/Microsoft.ResourceGraph/resources',
      apiVersion,
      body: {
        subscriptions: [subscriptionId],
        query,
        options: {
          resultFormat: 'objectArray',
          ...(skipToken !== undefined && { $skipToken: skipToken }),
        },
      },
      signal,
    });
    rows.push(...(body?.data ?? []));
    skipToken = body?.$skipToken;
  } while (skipToken !== undefined && skipToken !== '');
  return rows;
}
