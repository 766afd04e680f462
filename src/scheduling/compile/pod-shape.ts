// Pods that no rule can tell apart, solved once. In: pods. Out: one shape per kind of pod, with its requests in columns
// and the chain of forms it may take when it gives way.
import type { Pod } from '../../api/core.ts';
import type { HostPort } from '../../model/host-port.ts';
import type { Requirements } from '../../model/requirements.ts';
import type { Resources } from '../../model/resources.ts';
import type { PodVolumes } from '../../model/volume-limit.ts';
import type { StateId } from '../requirement-states.ts';
import type { TopologyGroup } from '../topology/group.ts';
import type { PodIdentity } from '../topology/matcher.ts';

/** A shape in one of its forms. */
export interface PodVariant {
  /** Unique among all variants of all shapes. */
  readonly index: number;
  /** Everything it demands of labels, the heaviest wish included. */
  readonly demand: StateId;
  /** What must hold in any case; spreading looks at this. */
  readonly strict: Requirements;
  readonly tolerations: number;
  /** Rules that it has. */
  readonly owned: readonly TopologyGroup[];
  /** What was given up to get here from the form before. */
  readonly dropped: string | undefined;
}

export interface PodShape {
  readonly index: number;
  readonly example: Pod;
  readonly identity: PodIdentity;
  readonly requests: Float64Array;
  readonly exactRequests: Resources;
  readonly variants: readonly PodVariant[];
  /** Where its volumes may be: one of these must hold; a single 0 if they may be anywhere. */
  readonly places: readonly StateId[];
  readonly volumes: PodVolumes;
  readonly ports: readonly HostPort[];
  /** Why it can be placed nowhere, whatever there is. */
  readonly failure: string | undefined;
  /** Stands for capacity to be kept ready, not for a pod. */
  readonly isVirtual: boolean;
  /** Counted where it is because it keeps others away. */
  readonly keepsAway: readonly TopologyGroup[];
}
