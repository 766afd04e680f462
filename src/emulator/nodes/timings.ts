// How long things take on a node. In: a table of durations, a speed and randomness. Out: each duration as it is this time,
// within a fifth of the table's. What users set themselves (grace periods, probes) and what keeps a node alive (leases) is not scaled.
import type { Random } from '../../base/random.ts';

/** As AKS nodes of ordinary sizes take: half a minute from a running machine to a ready node. */
export const usualTimings = {
  /** From power on to cloud-init. */
  osBootMs: 10_000,
  /** The image's own scripts: runtime, certificates, kubelet configuration. */
  provisionMs: 8_000,
  kubeletStartMs: 2_000,
  /** From a registered node to a network that pods can use. */
  networkMs: 6_000,
  /** Until the cloud has told a new node its addresses, zone and id. */
  cloudInitMs: 2_000,
  /** From a ready node to GPUs that pods can ask for. */
  gpuPluginMs: 20_000,
  /** For each image that the node does not have yet. */
  imagePullMs: 3_000,
  containerStartMs: 800,
  /** From a signal to stop until a program has stopped. */
  stopMs: 1_500,
  /** How long a pod that is meant to end runs when nothing says how long. */
  taskMs: 30_000,
  /** Until the node's agent sees that Azure has announced something. */
  noticeMs: 2_000,
} as const;

export type TimingName = keyof typeof usualTimings;
export type NodeTimings = Readonly<Record<TimingName, number>>;

/** A duration as it is this time. */
export type Delays = (name: TimingName) => number;

export function createDelays(options: {
  readonly timings?: Partial<NodeTimings> | undefined;
  /** 10: ten times as fast. */
  readonly speed?: number | undefined;
  readonly random: Random;
}): Delays {
  const { speed = 1, random } = options;
  const table = { ...usualTimings, ...options.timings };
  return (name) => Math.round((table[name] * (0.8 + 0.4 * random.next())) / speed);
}
