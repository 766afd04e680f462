// What the scheduler writes: bindings, conditions, nominations, victims' deletions, claims' nodes.
// In: decisions. Out: calls to the server, each at most once for the same outcome.
// A pod or claim that has vanished meanwhile is no error: its deletion is already on its way to the scheduler.
import { toTimestamp, type Clock } from '../../../base/clock.ts';
import type { Json } from '../../../api/meta.ts';
import type { KubeApi, RequestContext, ResourceAddress } from '../api.ts';
import type { ApiObject } from '../object.ts';
import { isReason } from '../status-error.ts';
import type { Claim, SchedulingPod, Volume } from './objects.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const volumes = { group: '', version: 'v1', resource: 'persistentvolumes' };

export interface ScheduledCondition {
  readonly reason: 'Unschedulable' | 'SchedulingGated' | 'SchedulerError';
  readonly message: string;
}

export class PodWriter {
  readonly #api: KubeApi;
  readonly #context: RequestContext;
  readonly #clock: Clock;

  constructor(options: {
    readonly api: KubeApi;
    readonly context: RequestContext;
    readonly clock: Clock;
  }) {
    this.#api = options.api;
    this.#context = options.context;
    this.#clock = options.clock;
  }

  /** Throws what the server says when it refuses. */
  bind(pod: SchedulingPod, nodeName: string): void {
    const { namespace = '', name, uid = '' } = pod.metadata;
    this.#api.create({
      context: this.#context,
      resource: pods,
      namespace,
      name,
      subresource: 'binding',
      object: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace, uid },
        target: { kind: 'Node', name: nodeName },
      },
    });
  }

  /** Says why the pod waits, and on which node it counts; undefined leaves the nomination as it is. */
  refuse(pod: SchedulingPod, condition: ScheduledCondition, nominatedNodeName?: string): void {
    const nominated = pod.status?.nominatedNodeName ?? '';
    const status: Record<string, Json> = {};
    if (isNews(pod, condition)) status['conditions'] = [this.#condition(pod, condition)];
    if (nominatedNodeName !== undefined && nominatedNodeName !== nominated) {
      status['nominatedNodeName'] = nominatedNodeName || null;
    }
    if (Object.keys(status).length > 0) this.#patchStatus(pod, status);
  }

  nominate(pod: SchedulingPod, nominatedNodeName: string): void {
    if (pod.status?.nominatedNodeName === nominatedNodeName) return;
    this.#patchStatus(pod, { nominatedNodeName });
  }

  clearNomination(pod: SchedulingPod): void {
    this.#patchStatus(pod, { nominatedNodeName: null });
  }

  /** Gracefully: the victim keeps its own grace period. */
  evictVictim(victim: SchedulingPod, schedulerName: string): void {
    const { namespace = '', name, uid = '' } = victim.metadata;
    this.#patchStatus(victim, {
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'PreemptionByScheduler',
          message: `${schedulerName}: preempting to accommodate a higher priority pod`,
          lastProbeTime: null,
          lastTransitionTime: toTimestamp(this.#clock.now()),
        },
      ],
    });
    unlessGone(() =>
      this.#api.delete({
        context: this.#context,
        resource: pods,
        namespace,
        name,
        options: { preconditions: { uid } },
      }),
    );
  }

  selectNode(claim: Claim, nodeName: string): void {
    const { namespace = '', name } = claim.metadata;
    const annotations = { 'volume.kubernetes.io/selected-node': nodeName };
    this.#patch(claims, { namespace, name }, { metadata: { annotations } });
  }

  reserveVolume(volume: Volume, claim: Claim): void {
    const { namespace = '', name, uid = '', resourceVersion = '' } = claim.metadata;
    this.#patch(
      volumes,
      { name: volume.metadata.name },
      {
        metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
        spec: {
          claimRef: {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            namespace,
            name,
            uid,
            resourceVersion,
          },
        },
      },
    );
  }

  #condition(pod: SchedulingPod, { reason, message }: ScheduledCondition): Json {
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const since = known?.status === 'False' ? known.lastTransitionTime : undefined;
    const { generation } = pod.metadata;
    return {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastProbeTime: null,
      lastTransitionTime: since ?? toTimestamp(this.#clock.now()),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  }

  #patchStatus(pod: SchedulingPod, status: Json): void {
    const { namespace = '', name } = pod.metadata;
    this.#patch(pods, { namespace, name, subresource: 'status' }, { status });
  }

  #patch(
    resource: ResourceAddress,
    target: { readonly namespace?: string; readonly name: string; readonly subresource?: string },
    patch: Json,
  ): ApiObject | undefined {
    return unlessGone(() =>
      this.#api.patch({
        context: this.#context,
        resource,
        ...target,
        patchType: 'application/strategic-merge-patch+json',
        patch,
      }),
    );
  }
}

function isNews(pod: SchedulingPod, { reason, message }: ScheduledCondition): boolean {
  const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return known?.reason !== reason || known.message !== message;
}

function unlessGone<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isReason(error, 'NotFound') || isReason(error, 'Conflict')) return undefined;
    throw error;
  }
}
