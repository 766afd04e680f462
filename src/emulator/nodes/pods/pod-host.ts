// What a node gives the pods on it: a clock, a way to the API, images, addresses, a network. In: asked for by the workers of pods. Out:
// the node's own; a worker knows nothing else of its node.
import type { Clock } from '../../../base/clock.ts';
import type { Gate } from '../gate.ts';
import type { KubeConnection } from '../kube-connection.ts';
import type { Delays } from '../timings.ts';

export interface PodHost {
  readonly clock: Clock;
  readonly connection: KubeConnection;
  readonly delays: Delays;
  /** Passed before anything that the kubelet does outside: it may be frozen. */
  readonly gate: Gate;
  readonly hostAddress: string;
  /** Images that the node has. */
  readonly images: Set<string>;
  /** Aborts when the machine goes: nothing is reported any more. */
  readonly signal: AbortSignal;
  nextPodAddress(): string;
  /** Resolves when pods can have a network. */
  networkReady(signal: AbortSignal): Promise<void>;
  /** A pod has begun or ceased to run. */
  podChanged(): void;
}
