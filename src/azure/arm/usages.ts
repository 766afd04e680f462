// What a subscription uses of its quotas in a region, on the wire. In: both. Out: rows of use and limit, page by page. They
// run behind what they count.
import type { ComputeUsage, UsageSource } from '../catalog/quota.ts';
import { pages } from './page.ts';
import type { Arm } from './send.ts';

const apiVersion = '2025-04-01';

export function usageSource(
  arm: Arm,
  { subscriptionId, location }: { readonly subscriptionId: string; readonly location: string },
): UsageSource {
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}/usages`;
  return { list: (signal) => pages<ComputeUsage>(arm, { path, apiVersion, signal }) };
}
