// The sizes of a region on the wire. In: the subscription and the region. Out: thousands of rows, page by page, with what the
// subscription may not have marked as such.
import type { SkuRecord, SkuSource } from '../catalog/sku-record.ts';
import { pages } from './page.ts';
import type { Arm } from './send.ts';

const apiVersion = '2021-07-01';

export function skuSource(
  arm: Arm,
  { subscriptionId, location }: { readonly subscriptionId: string; readonly location: string },
): SkuSource {
  return {
    list: (signal) =>
      pages<SkuRecord>(arm, {
        path: `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/skus`,
        apiVersion,
        query: { $filter: `location eq '${location}'` },
        signal,
      }),
  };
}
