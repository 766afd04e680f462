// Builders for the tests of this folder: pods and nodes as small as a test needs them.
import type { Taint } from '../../../api/core.ts';
import { ClusterState } from './cluster-state.ts';
import { decide, type Decision } from './decision.ts';
import { Nominations } from './nominations.ts';
import type { Labels, Node, SchedulingPod } from './objects.ts';
import { Placer } from './placement.ts';

export function aNode(
  name: string,
  options: {
    readonly labels?: Labels;
    readonly taints?: readonly Taint[];
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly unschedulable?: boolean;
  } = {},
): Node {
  const { labels, taints = [], allocatable, unschedulable = false } = options;
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { taints, unschedulable },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable } },
  };
}

export function aPod(
  name: string,
  options: {
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly cpu?: string;
    readonly memory?: string;
    readonly hostPort?: number;
    readonly owner?: string;
    readonly spec?: Partial<SchedulingPod['spec']>;
    readonly terminating?: boolean;
  } = {},
): SchedulingPod {
  const { namespace = 'default', labels = {}, cpu, memory, hostPort, owner, spec } = options;
  const requests = {
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
  };
  const ports = hostPort === undefined ? [] : [{ containerPort: hostPort, hostPort }];
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', controller: true };
  return {
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      labels,
      ...(owner === undefined ? {} : { ownerReferences: [{ ...reference, uid: owner }] }),
      ...(options.terminating === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { containers: [{ name: 'c', resources: { requests }, ports }], ...spec },
  };
}

/** Decides about pods one after another, as the scheduler does, and keeps what it decided. */
export class Desk {
  readonly state = new ClusterState();
  readonly nominations = new Nominations();
  readonly #placer = new Placer(this.state, this.nominations);

  decide(pod: SchedulingPod): Decision {
    return decide(pod, this.state.shapeOf(pod), this.#placer, {
      state: this.state,
      nominations: this.nominations,
      budgets: [],
      nowMs: Date.UTC(2026, 0, 1),
    });
  }

  /** The node that was given, or the sentence that refuses. */
  place(pod: SchedulingPod): string {
    const decision = this.decide(pod);
    if (decision.kind !== 'place') return decision.message;
    this.state.place(pod, decision.node.name);
    return decision.node.name;
  }
}
