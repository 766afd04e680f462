// StatefulSet: pods with names and claims of their own. In: the set, its pods and revisions. Out: pods made and
// removed in the order that `planSet` says, claims, revisions, status.
// A pod keeps its name, its index and its claims over its whole life and those of its successors.
import type { Json, LabelSelector } from '../../../../api/meta.ts';
import { objectAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { StatusError } from '../../status-error.ts';
import { claimChildren } from '../claim-children.ts';
import {
  controllerOf,
  isActive,
  isReady,
  podFromTemplate,
  untilAvailableMs,
  type PodTemplate,
} from '../pods.ts';
import { cleanHistory, ensureHistory, revisionLabel, type History } from '../revision-history.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { writeStatus } from '../runtime/status.ts';
import {
  applyRetention,
  claimName,
  ensureClaims,
  type ClaimTemplate,
  type Retention,
} from './claims.ts';
import { planSet, type OrdinalPod, type SetState } from './plan.ts';

interface SetSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly serviceName?: string;
  readonly template: PodTemplate;
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
  readonly updateStrategy?: {
    readonly type?: 'RollingUpdate' | 'OnDelete';
    readonly rollingUpdate?: { readonly partition?: number };
  };
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly ordinals?: { readonly start?: number };
  readonly volumeClaimTemplates?: readonly ClaimTemplate[];
  readonly persistentVolumeClaimRetentionPolicy?: Retention;
}

type SetStatus = { readonly currentRevision?: string; readonly updateRevision?: string };

export const statefulSetController: ControllerFactory = (context) =>
  new StatefulSetController(context);

class StatefulSetController implements Controller {
  readonly name = 'statefulset-controller';
  readonly #context: ControllerContext;
  readonly #sets: Informer;
  readonly #pods: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informers.of(address.statefulSets);
    this.#pods = context.informers.of(address.pods);
    context.informers.of(address.controllerRevisions);
    context.informers.of(address.claims);
    this.#pods.addIndex('namespace', (pod) => [pod.metadata.namespace ?? '']);
    this.#sets.onChange(({ before, after }) => {
      const set = after ?? before;
      if (set !== undefined) context.enqueue(objectKey(set));
    });
    this.#pods.onChange(({ before, after }) => {
      for (const pod of [before, after]) {
        const owner = pod === undefined ? undefined : controllerOf(pod);
        if (owner?.kind !== 'StatefulSet') continue;
        context.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
      }
    });
  }

  reconcile(key: string): Again {
    const set = this.#sets.get(key);
    if (set === undefined) return undefined;
    const history = ensureHistory(this.#context, set, {
      hashLabel: 'controller.kubernetes.io/hash',
    });
    const pods = claimChildren({
      client: this.#context.client,
      resource: address.pods,
      owner: set,
      selector: specOf(set).selector,
      candidates: this.#pods
        .indexed('namespace', set.metadata.namespace ?? '')
        .filter((pod) => ordinalOf(set, pod) !== undefined),
    });
    const state = this.#stateOf(set, pods, history);
    const failure =
      set.metadata.deletionTimestamp === undefined
        ? this.#tryToAct(set, pods, state, history)
        : undefined;
    const again = this.#report(set, pods, state, history);
    if (failure !== undefined) throw failure;
    return again;
  }

  #stateOf(set: ApiObject, pods: readonly ApiObject[], history: History): SetState {
    const { replicas = 1, ordinals = {}, podManagementPolicy, updateStrategy = {} } = specOf(set);
    const updateRevision = history.newest.metadata.name;
    const { currentRevision = updateRevision } = (set['status'] ?? {}) as SetStatus;
    const known = history.all.some(({ metadata }) => metadata.name === currentRevision);
    return {
      start: ordinals.start ?? 0,
      replicas,
      isParallel: podManagementPolicy === 'Parallel',
      updatesPods: updateStrategy.type !== 'OnDelete',
      partition: updateStrategy.rollingUpdate?.partition ?? 0,
      currentRevision: known ? currentRevision : updateRevision,
      updateRevision,
      pods: pods.map((pod) => this.#ordinalPod(set, pod)),
    };
  }

  #ordinalPod(set: ApiObject, pod: ApiObject): OrdinalPod {
    const { minReadySeconds = 0 } = specOf(set);
    const nowMs = this.#context.clock.now();
    const isRunning = stringAt(pod, 'status', 'phase') === 'Running' && isActive(pod);
    const phase = stringAt(pod, 'status', 'phase');
    return {
      ordinal: ordinalOf(set, pod) ?? 0,
      revision: pod.metadata.labels?.[revisionLabel] ?? '',
      isAvailable: isRunning && untilAvailableMs(pod, minReadySeconds, nowMs) === 0,
      isTerminating: pod.metadata.deletionTimestamp !== undefined,
      hasEnded: phase === 'Succeeded' || phase === 'Failed',
    };
  }

  /** What the server refused comes back, to be reported before it is thrown. */
  #tryToAct(
    set: ApiObject,
    pods: readonly ApiObject[],
    state: SetState,
    history: History,
  ): StatusError | undefined {
    try {
      this.#act(set, pods, state, history);
      return undefined;
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  }

  #act(set: ApiObject, pods: readonly ApiObject[], state: SetState, history: History): void {
    const { client, events } = this.#context;
    this.#retain(set, pods, state);
    const plan = planSet(state);
    for (const { ordinal, revision } of plan.create) {
      this.#createPod(set, ordinal, revision, history);
    }
    for (const ordinal of plan.remove) {
      const pod = pods.find((candidate) => ordinalOf(set, candidate) === ordinal);
      if (pod === undefined) continue;
      client.delete(address.pods, pod);
      const message = `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
      events.say({ about: set, reason: 'SuccessfulDelete', message });
    }
  }

  #retain(set: ApiObject, pods: readonly ApiObject[], state: SetState): void {
    const { volumeClaimTemplates = [], persistentVolumeClaimRetentionPolicy } = specOf(set);
    if (volumeClaimTemplates.length === 0 || persistentVolumeClaimRetentionPolicy === undefined) {
      return;
    }
    for (const pod of pods) {
      const ordinal = ordinalOf(set, pod) ?? 0;
      applyRetention({
        context: this.#context,
        set,
        templates: volumeClaimTemplates,
        retention: persistentVolumeClaimRetentionPolicy,
        pod,
        isCondemned: ordinal < state.start || ordinal >= state.start + state.replicas,
      });
    }
  }

  #createPod(set: ApiObject, ordinal: number, revision: string, history: History): void {
    const { client, events } = this.#context;
    const spec = specOf(set);
    const name = `${set.metadata.name}-${ordinal}`;
    const templates = spec.volumeClaimTemplates ?? [];
    ensureClaims(this.#context, set, templates, name);
    const template = templateOf(history, revision) ?? spec.template;
    const pod = podFromTemplate({
      template: withIdentity(template, { name, serviceName: spec.serviceName ?? '', templates }),
      owner: set,
      name,
      labels: {
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': `${ordinal}`,
        [revisionLabel]: revision,
      },
    });
    const what = `Create Pod ${name} in StatefulSet ${set.metadata.name}`;
    try {
      if (client.createIfAbsent(address.pods, pod, set.metadata.namespace) === undefined) return;
      events.say({ about: set, reason: 'SuccessfulCreate', message: `${what} successful` });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const message = `${what} failed error: ${error.message}`;
      events.say({ about: set, type: 'Warning', reason: 'FailedCreate', message });
      throw error;
    }
  }

  #report(set: ApiObject, pods: readonly ApiObject[], state: SetState, history: History): Again {
    const spec = specOf(set);
    const nowMs = this.#context.clock.now();
    const live = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    const waits = live
      .filter((pod) => stringAt(pod, 'status', 'phase') === 'Running')
      .map((pod) => untilAvailableMs(pod, spec.minReadySeconds ?? 0, nowMs));
    const of = (revision: string): number =>
      live.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length;
    const updated = of(state.updateRevision);
    const ready = live.filter((pod) => isReady(pod)).length;
    // Once every pod has the new revision it is the current one.
    const isDone =
      state.updatesPods &&
      state.partition === 0 &&
      updated === state.replicas &&
      ready === state.replicas &&
      pods.length === state.replicas;
    const currentRevision = isDone ? state.updateRevision : state.currentRevision;
    const status = {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      readyReplicas: ready,
      availableReplicas: waits.filter((ms) => ms === 0).length,
      currentReplicas: of(currentRevision),
      updatedReplicas: updated,
      currentRevision,
      updateRevision: state.updateRevision,
      collisionCount: 0,
    };
    const spelledOut = ['replicas', 'availableReplicas', 'collisionCount'];
    writeStatus(this.#context.client, address.statefulSets, set, { status, spelledOut });
    const inUse = new Set(live.map((pod) => pod.metadata.labels?.[revisionLabel] ?? ''));
    inUse.add(currentRevision);
    cleanHistory(this.#context, history, { inUse, limit: spec.revisionHistoryLimit ?? 10 });
    const pending = waits.filter((ms) => ms !== undefined && ms > 0) as number[];
    return pending.length === 0 ? undefined : Math.min(...pending);
  }
}

function specOf(set: ApiObject): SetSpec {
  return set['spec'] as unknown as SetSpec;
}

function ordinalOf(set: ApiObject, pod: ApiObject): number | undefined {
  const match = /^(.*)-(\d+)$/.exec(pod.metadata.name);
  return match?.[1] === set.metadata.name ? Number(match[2]) : undefined;
}

function templateOf(history: History, revision: string): PodTemplate | undefined {
  const found = history.all.find(({ metadata }) => metadata.name === revision);
  const template = objectAt(found, 'data', 'spec', 'template');
  if (template === undefined) return undefined;
  const { $patch: _, ...rest } = template;
  return rest as unknown as PodTemplate;
}

function withIdentity(
  template: PodTemplate,
  identity: {
    readonly name: string;
    readonly serviceName: string;
    readonly templates: readonly ClaimTemplate[];
  },
): PodTemplate {
  const { name, serviceName, templates } = identity;
  const claims: JsonObject[] = templates.map((claim) => ({
    name: claim.metadata.name,
    persistentVolumeClaim: { claimName: claimName(claim, name) },
  }));
  const taken = new Set(claims.map((volume) => volume['name']));
  const volumes = ((template.spec['volumes'] ?? []) as readonly JsonObject[]).filter(
    (volume) => !taken.has(volume['name']),
  );
  const all: Json = [...volumes, ...claims];
  return {
    ...template,
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName === '' ? {} : { subdomain: serviceName }),
      ...(all.length === 0 ? {} : { volumes: all }),
    },
  };
}
