// DaemonSet: one pod on every node that wants it. In: the set, nodes, pods. Out: pods made for nodes without one,
// deleted where they are not wanted, and replaced when the template changes; status.
// 1. A node never gets a second pod of the same revision. 2. An update takes down at most maxUnavailable, or with
// maxSurge brings the new pod first and removes the old one once the new one is available.
import type { PodSpec } from '../../../../api/core.ts';
import type { Json, LabelSelector } from '../../../../api/meta.ts';
import type { ApiObject } from '../../object.ts';
import { podOf } from '../../scheduler/objects.ts';
import { StatusError } from '../../status-error.ts';
import { claimChildren } from '../claim-children.ts';
import { scaledValue } from '../deployment/rollout.ts';
import {
  controllerOf,
  hasEnded,
  isReady,
  podFromTemplate,
  untilAvailableMs,
  type PodTemplate,
} from '../pods.ts';
import { cleanHistory, ensureHistory, hashOf, revisionLabel } from '../revision-history.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { writeStatus } from '../runtime/status.ts';
import { nodeFit, specForNode } from './node-fit.ts';

interface DaemonSpec {
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly updateStrategy?: {
    readonly type?: 'RollingUpdate' | 'OnDelete';
    readonly rollingUpdate?: { readonly maxUnavailable?: Json; readonly maxSurge?: Json };
  };
}

/** A node, whether it should have a pod, and the pods of this set that stand there or are meant to. */
interface Spot {
  readonly node: ApiObject;
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
  readonly pods: readonly ApiObject[];
}

export const daemonSetController: ControllerFactory = (context) => new DaemonSetController(context);

class DaemonSetController implements Controller {
  readonly name = 'daemonset-controller';
  readonly #context: ControllerContext;
  readonly #sets: Informer;
  readonly #pods: Informer;
  readonly #nodes: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informers.of(address.daemonSets);
    this.#pods = context.informers.of(address.pods);
    this.#nodes = context.informers.of(address.nodes);
    context.informers.of(address.controllerRevisions);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#sets.onChange(({ before, after }) => {
      const set = after ?? before;
      if (set !== undefined) context.enqueue(objectKey(set));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) {
        const owner = pod === undefined ? undefined : controllerOf(pod);
        if (owner?.kind !== 'DaemonSet') continue;
        context.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
      }
    });
    this.#nodes.onChange(({ before, after }) => {
      if (!concerns(before, after)) return;
      for (const set of this.#sets.values()) context.enqueue(objectKey(set));
    });
  }

  reconcile(key: string): Again {
    const set = this.#sets.get(key);
    if (set === undefined) return undefined;
    const spec = specOf(set);
    const history = ensureHistory(this.#context, set, {
      hashLabel: revisionLabel,
      annotations: {
        'deprecated.daemonset.template.generation': `${set.metadata.generation ?? 1}`,
      },
    });
    const hash = hashOf(history.newest, revisionLabel);
    const pods = claimChildren({
      client: this.#context.client,
      resource: address.pods,
      owner: set,
      selector: spec.selector,
      candidates: this.#pods.indexed('namespace', set.metadata.namespace ?? ''),
    });
    const spots = this.#spots(set, pods);
    const failure =
      set.metadata.deletionTimestamp === undefined
        ? this.#adjust(set, { pods, spots, hash })
        : undefined;
    const names = pods.map((pod) => `${set.metadata.name}-${revisionOf(pod)}`);
    const inUse = new Set(names);
    const limit = spec.revisionHistoryLimit ?? 10;
    cleanHistory(this.#context, history, { inUse, limit });
    const again = this.#report(set, spots, hash);
    if (failure !== undefined) throw failure;
    return again;
  }

  /** What the server refused comes back, to be reported before it is thrown. */
  #adjust(
    set: ApiObject,
    seen: {
      readonly pods: readonly ApiObject[];
      readonly spots: readonly Spot[];
      readonly hash: string;
    },
  ): StatusError | undefined {
    const { pods, spots, hash } = seen;
    try {
      this.#manage(set, spots, hash);
      this.#deleteHomeless(set, pods);
      if (specOf(set).updateStrategy?.type !== 'OnDelete') this.#update(set, spots, hash);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  #spots(set: ApiObject, pods: readonly ApiObject[]): readonly Spot[] {
    const podSpec = specOf(set).template.spec as unknown as PodSpec;
    const byNode = new Map<string, ApiObject[]>();
    for (const pod of pods) {
      const name = targetNode(pod) ?? '';
      byNode.set(name, [...(byNode.get(name) ?? []), pod]);
    }
    return [...this.#nodes.values()].map((node) => ({
      node,
      ...nodeFit(podSpec, node),
      pods: byNode.get(node.metadata.name) ?? [],
    }));
  }

  #manage(set: ApiObject, spots: readonly Spot[], hash: string): void {
    for (const spot of spots) {
      const ended = spot.pods.filter((pod) => hasEnded(pod) && !isLeaving(pod));
      const live = spot.pods.filter((pod) => !hasEnded(pod));
      if (!spot.shouldContinue) for (const pod of live) this.#deletePod(set, pod);
      // What ended is removed first; its deletion brings the node here again.
      for (const pod of ended) this.#deletePod(set, pod);
      if (spot.shouldRun && spot.pods.length === 0) this.#createPod(set, spot.node, hash);
    }
  }

  /** Pods that wait for a node that is gone will never run. */
  #deleteHomeless(set: ApiObject, pods: readonly ApiObject[]): void {
    for (const pod of pods) {
      const name = targetNode(pod);
      const isAssigned = (podOf(pod).spec.nodeName ?? '') !== '';
      if (isAssigned || name === undefined || this.#nodes.get(name) !== undefined) continue;
      this.#deletePod(set, pod);
    }
  }

  #update(set: ApiObject, spots: readonly Spot[], hash: string): void {
    const wanted = spots.filter(({ shouldRun }) => shouldRun);
    const { rollingUpdate } = specOf(set).updateStrategy ?? {};
    const maxSurge = scaledValue(rollingUpdate?.maxSurge ?? 0, wanted.length, Math.ceil);
    const limit = scaledValue(rollingUpdate?.maxUnavailable ?? 1, wanted.length, Math.ceil);
    if (maxSurge > 0) this.#surge(set, wanted, hash, maxSurge);
    else this.#replace(set, wanted, hash, Math.max(1, limit));
  }

  #replace(set: ApiObject, wanted: readonly Spot[], hash: string, maxUnavailable: number): void {
    let unavailable = 0;
    const old: ApiObject[] = [];
    for (const { pods } of wanted) {
      const pod = pods.find((candidate) => !isLeaving(candidate));
      const isAvailable = pod !== undefined && this.#isAvailable(set, pod);
      if (!isAvailable) unavailable++;
      if (pod === undefined || revisionOf(pod) === hash) continue;
      // A broken old pod costs nothing to replace.
      if (isAvailable) old.push(pod);
      else this.#deletePod(set, pod);
    }
    for (const pod of old.slice(0, Math.max(0, maxUnavailable - unavailable))) {
      this.#deletePod(set, pod);
    }
  }

  #surge(set: ApiObject, wanted: readonly Spot[], hash: string, maxSurge: number): void {
    let surging = 0;
    const waiting: Spot[] = [];
    for (const spot of wanted) {
      const live = spot.pods.filter((pod) => !isLeaving(pod) && !hasEnded(pod));
      const fresh = live.find((pod) => revisionOf(pod) === hash);
      const old = live.filter((pod) => revisionOf(pod) !== hash);
      if (old.length === 0) continue;
      if (fresh === undefined) waiting.push(spot);
      else if (this.#isAvailable(set, fresh)) for (const pod of old) this.#deletePod(set, pod);
      else surging++;
    }
    for (const { node } of waiting.slice(0, Math.max(0, maxSurge - surging))) {
      this.#createPod(set, node, hash);
    }
  }

  #createPod(set: ApiObject, node: ApiObject, hash: string): void {
    const { client, events } = this.#context;
    const { template } = specOf(set);
    const spec = specForNode(template.spec as unknown as PodSpec, node.metadata.name);
    const object = podFromTemplate({
      template: { ...template, spec: spec as unknown as PodTemplate['spec'] },
      owner: set,
      labels: {
        [revisionLabel]: hash,
        'pod-template-generation': `${set.metadata.generation ?? 1}`,
      },
    });
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

  #deletePod(set: ApiObject, pod: ApiObject): void {
    if (isLeaving(pod)) return;
    const { client, events } = this.#context;
    client.delete(address.pods, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    events.say({ about: set, reason: 'SuccessfulDelete', message });
  }

  #isAvailable(set: ApiObject, pod: ApiObject): boolean {
    const { minReadySeconds = 0 } = specOf(set);
    return untilAvailableMs(pod, minReadySeconds, this.#context.clock.now()) === 0;
  }

  #report(set: ApiObject, spots: readonly Spot[], hash: string): Again {
    const { minReadySeconds = 0 } = specOf(set);
    const nowMs = this.#context.clock.now();
    const wanted = spots.filter(({ shouldRun }) => shouldRun);
    // The oldest pod of a node speaks for it.
    const first = wanted.flatMap(({ pods }) =>
      pods
        .filter((pod) => !hasEnded(pod))
        .toSorted((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1))
        .slice(0, 1),
    );
    const waits = first.map((pod) => untilAvailableMs(pod, minReadySeconds, nowMs));
    const available = waits.filter((ms) => ms === 0).length;
    const status = {
      currentNumberScheduled: first.length,
      numberMisscheduled: spots.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0)
        .length,
      desiredNumberScheduled: wanted.length,
      numberReady: first.filter((pod) => isReady(pod)).length,
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: first.filter((pod) => revisionOf(pod) === hash).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
    };
    const spelledOut = [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
    ];
    writeStatus(this.#context.client, address.daemonSets, set, { status, spelledOut });
    const pending = waits.filter((ms) => ms !== undefined && ms > 0) as number[];
    return pending.length === 0 ? undefined : Math.min(...pending);
  }
}

function specOf(set: ApiObject): DaemonSpec {
  return set['spec'] as unknown as DaemonSpec;
}

function concerns(before: ApiObject | undefined, after: ApiObject | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  const view = (node: ApiObject): string => JSON.stringify([node.metadata.labels, node['spec']]);
  return view(before) !== view(after);
}

/** The node a pod stands on, or is made for. */
function targetNode(object: ApiObject): string | undefined {
  const { spec } = podOf(object);
  if ((spec.nodeName ?? '') !== '') return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0];
}

function isLeaving(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

function revisionOf(pod: ApiObject): string {
  return pod.metadata.labels?.[revisionLabel] ?? '';
}

function createdAt(pod: ApiObject): string {
  return pod.metadata.creationTimestamp ?? '';
}
