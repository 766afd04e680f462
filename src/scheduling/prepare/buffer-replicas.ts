// How many pieces a CapacityBuffer keeps. In: its spec, the shape of a piece, how many replicas the workload it follows
// has. Out: a number.
// 1. A fixed number and a share of a workload: the larger of the two counts, though the API's text says the smaller.
// 2. Limits cap that; with neither of the two, as many pieces are kept as fit into the limits.
import type { CapacityBufferSpec } from '../../api/capacity-buffer.ts';
import type { PodSpec } from '../../api/core.ts';
import { podRequests } from '../../model/pod-requests.ts';
import { fromResourceList } from '../../model/resources.ts';

/** What the field in the status can hold. */
const most = 2 ** 31 - 1;

export function bufferReplicas(buffer: {
  readonly spec: Pick<CapacityBufferSpec, 'replicas' | 'percentage' | 'limits'>;
  /** One piece, as `virtualPodSpec` makes it. */
  readonly piece: PodSpec;
  /** Of the workload; undefined when the piece is that of a PodTemplate, of which there is no share. */
  readonly target: number | undefined;
}): number {
  const { spec, piece, target } = buffer;
  const sizes = [
    ...(spec.replicas === undefined ? [] : [spec.replicas]),
    ...(spec.percentage === undefined || target === undefined
      ? []
      : [shareOf(target, spec.percentage)]),
  ];
  const fitting = fittingInto(spec.limits, piece);
  if (sizes.length === 0) return fitting ?? 0;
  return Math.min(Math.max(...sizes), fitting ?? most);
}

/** Rounded up, so any share of anything is at least one; of nothing it is none, whatever the limits allow. */
function shareOf(target: number, percentage: number): number {
  return Math.min(Math.ceil((target * percentage) / 100), most);
}

/** Undefined when the limits are about nothing that a piece asks for. */
function fittingInto(limits: CapacityBufferSpec['limits'], piece: PodSpec): number | undefined {
  const requests = podRequests({ metadata: { name: '' }, spec: piece });
  let fitting: number | undefined;
  for (const [resource, limit] of fromResourceList(limits)) {
    const request = requests.get(resource) ?? 0n;
    if (request <= 0n) continue;
    const count = limit < 0n ? 0 : Math.min(Number(limit / request), most);
    fitting = Math.min(fitting ?? most, count);
  }
  return fitting;
}
