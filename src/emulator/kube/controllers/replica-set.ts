// ReplicaSet: as many pods of one template as asked for. In: the set and the pods it owns. Out: pods made or
// deleted, and a status that counts them.
// 1. Pods that have ended or are ending do not count. 2. At most 500 pods are made or deleted in one go.
// 3. The same loop serves ReplicationControllers, which differ only in how they select.
import type { LabelSelector } from '../../../api/meta.ts';
import type { ResourceAddress } from '../api.ts';
import type { ApiObject } from '../object.ts';
import { StatusError } from '../status-error.ts';
import { matchesPairs } from '../scheduler/label-selector.ts';
import { claimChildren } from './claim-children.ts';
import { byUselessness } from './pod-ranking.ts';
import {
  controllerOf,
  hasEnded,
  isActive,
  isReady,
  podFromTemplate,
  untilAvailableMs,
  type PodTemplate,
} from './pods.ts';
import { address } from './runtime/addresses.ts';
import { withCondition, type Condition } from './runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from './runtime/controller.ts';
import { objectKey, type Informer } from './runtime/informer.ts';
import { writeStatus } from './runtime/status.ts';

const burst = 500;

interface ReplicaSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: LabelSelector | Readonly<Record<string, string>>;
  readonly template: PodTemplate;
}

type ReplicaStatus = {
  readonly replicas?: number;
  readonly conditions?: readonly Condition[];
};

interface Flavour {
  readonly name: string;
  readonly resource: ResourceAddress;
  readonly kind: string;
  readonly selectorOf: (spec: ReplicaSpec) => LabelSelector | undefined;
}

export const replicaSetController: ControllerFactory = (context) =>
  new ReplicaSetController(context, {
    name: 'replicaset-controller',
    resource: address.replicaSets,
    kind: 'ReplicaSet',
    selectorOf: (spec) => spec.selector,
  });

export const replicationController: ControllerFactory = (context) =>
  new ReplicaSetController(context, {
    name: 'replication-controller',
    resource: address.replicationControllers,
    kind: 'ReplicationController',
    selectorOf: (spec) => ({
      matchLabels:
        (spec.selector as Readonly<Record<string, string>> | undefined) ??
        spec.template.metadata?.labels ??
        {},
    }),
  });

class ReplicaSetController implements Controller {
  readonly name: string;
  readonly #context: ControllerContext;
  readonly #flavour: Flavour;
  readonly #sets: Informer;
  readonly #pods: Informer;

  constructor(context: ControllerContext, flavour: Flavour) {
    this.name = flavour.name;
    this.#context = context;
    this.#flavour = flavour;
    this.#sets = context.informers.of(flavour.resource);
    this.#pods = context.informers.of(address.pods);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#sets.addIndex('namespace', (set) => [set.metadata.namespace ?? '']);
    this.#sets.onChange(({ before, after }) => {
      const set = after ?? before;
      if (set !== undefined) context.enqueue(objectKey(set));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#concern(pod);
    });
  }

  reconcile(key: string): Again {
    const set = this.#sets.get(key);
    if (set === undefined) return undefined;
    const spec = specOf(set);
    const owned = claimChildren({
      client: this.#context.client,
      resource: address.pods,
      owner: set,
      selector: this.#flavour.selectorOf(spec),
      candidates: this.#pods.indexed('namespace', set.metadata.namespace ?? ''),
    });
    const active = owned.filter((pod) => isActive(pod));
    const failure =
      set.metadata.deletionTimestamp === undefined ? this.#adjust(set, active) : undefined;
    const again = this.#report(set, owned, failure);
    if (failure !== undefined) throw failure;
    return again;
  }

  #concern(pod: ApiObject): void {
    const { namespace = '' } = pod.metadata;
    const controller = controllerOf(pod);
    if (controller !== undefined) {
      if (controller.kind === this.#flavour.kind) {
        this.#context.enqueue(`${namespace}/${controller.name}`);
      }
      return;
    }
    // An orphan is offered to every set that could want it.
    const labels = pod.metadata.labels ?? {};
    for (const set of this.#sets.indexed('namespace', namespace)) {
      const selector = this.#flavour.selectorOf(specOf(set));
      if (matchesPairs(selector?.matchLabels ?? {}, labels)) this.#context.enqueue(objectKey(set));
    }
  }

  /** Makes or deletes pods; what the server refused comes back, to be reported before it is thrown. */
  #adjust(set: ApiObject, active: readonly ApiObject[]): StatusError | undefined {
    const surplus = active.length - (specOf(set).replicas ?? 1);
    try {
      if (surplus > 0) this.#deletePods(set, active, Math.min(surplus, burst));
      else for (let made = 0; made < Math.min(-surplus, burst); made++) this.#createPod(set);
      if (Math.abs(surplus) > burst) this.#context.enqueue(objectKey(set));
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  #createPod(set: ApiObject): void {
    const { client, events } = this.#context;
    const object = podFromTemplate({ template: specOf(set).template, owner: set });
    try {
      const pod = client.create(address.pods, object, set.metadata.namespace);
      const message = `Created pod: ${pod.metadata.name}`;
      events.say({ about: set, reason: 'SuccessfulCreate', message });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const message = `Error creating: ${error.message}`;
      events.say({ about: set, type: 'Warning', reason: 'FailedCreate', message });
      throw error;
    }
  }

  #deletePods(set: ApiObject, active: readonly ApiObject[], count: number): void {
    const { client, events, clock } = this.#context;
    const related = this.#relatedPods(set, active);
    for (const pod of byUselessness(active, related, clock.now()).slice(0, count)) {
      client.delete(address.pods, pod);
      const message = `Deleted pod: ${pod.metadata.name}`;
      events.say({ about: set, reason: 'SuccessfulDelete', message });
    }
  }

  /** Pods of all sets with the same owner: the new revision crowds nodes as much as the old one. */
  #relatedPods(set: ApiObject, active: readonly ApiObject[]): readonly ApiObject[] {
    const owner = controllerOf(set);
    if (owner === undefined) return active;
    const namespace = set.metadata.namespace ?? '';
    const siblings = new Set(
      this.#sets
        .indexed('namespace', namespace)
        .filter((other) => controllerOf(other)?.uid === owner.uid)
        .map((other) => other.metadata.uid),
    );
    return this.#pods
      .indexed('namespace', namespace)
      .filter((pod) => isActive(pod) && siblings.has(controllerOf(pod)?.uid));
  }

  #report(set: ApiObject, owned: readonly ApiObject[], failure: StatusError | undefined): Again {
    const active = owned.filter((pod) => isActive(pod));
    const { client, clock } = this.#context;
    const spec = specOf(set);
    const nowMs = clock.now();
    const waits = active.map((pod) => untilAvailableMs(pod, spec.minReadySeconds ?? 0, nowMs));
    const templateLabels = spec.template.metadata?.labels ?? {};
    const isReplicaSet = this.#flavour.kind === 'ReplicaSet';
    const leaving = owned.filter(
      (pod) => pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod),
    );
    const status = {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) =>
        matchesPairs(templateLabels, pod.metadata.labels ?? {}),
      ).length,
      readyReplicas: active.filter((pod) => isReady(pod)).length,
      availableReplicas: waits.filter((ms) => ms === 0).length,
      ...(isReplicaSet ? { terminatingReplicas: leaving.length } : {}),
      observedGeneration: set.metadata.generation ?? 0,
      conditions: failureConditions(set, active, failure, nowMs),
    };
    const spelledOut = ['replicas', 'terminatingReplicas'];
    writeStatus(client, this.#flavour.resource, set, { status, spelledOut });
    const pending = waits.filter((ms) => ms !== undefined && ms > 0) as number[];
    return pending.length === 0 ? undefined : Math.min(...pending);
  }
}

function failureConditions(
  set: ApiObject,
  active: readonly ApiObject[],
  failure: StatusError | undefined,
  nowMs: number,
): readonly Condition[] {
  const { conditions = [] } = (set['status'] ?? {}) as ReplicaStatus;
  if (failure === undefined) return conditions.filter(({ type }) => type !== 'ReplicaFailure');
  const reason = active.length < (specOf(set).replicas ?? 1) ? 'FailedCreate' : 'FailedDelete';
  // The message names a pod that never was, another each time: writing it again would wake this loop at once, for ever.
  const isKnown = conditions.some(
    (known) => known.type === 'ReplicaFailure' && known.reason === reason,
  );
  if (isKnown) return conditions;
  const wanted = {
    type: 'ReplicaFailure',
    status: 'True',
    reason,
    message: failure.message,
  } as const;
  return withCondition(conditions, wanted, nowMs);
}

function specOf(set: ApiObject): ReplicaSpec {
  return set['spec'] as unknown as ReplicaSpec;
}
