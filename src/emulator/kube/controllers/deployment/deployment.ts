// Deployment: rolls a template out through ReplicaSets. In: the deployment and the sets it owns. Out: sets made,
// scaled and cleaned up, revision annotations, status.
// 1. There is one set per template, and only the newest is ever scaled up by a rollout.
// 2. At no instant do all sets together ask for more than replicas + maxSurge.
// 3. A paused deployment is scaled but not rolled out.
import type { ApiObject } from '../../object.ts';
import { withMeta } from '../../object.ts';
import { isEmptySelector } from '../../scheduler/label-selector.ts';
import { claimChildren } from '../claim-children.ts';
import { controllerOf, hasEnded } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import { findCondition } from '../runtime/condition.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { writeStatus } from '../runtime/status.ts';
import {
  countStatus,
  isComplete,
  stamped,
  untilDeadlineMs,
  withProgress,
  type FullStatus,
} from './deployment-status.ts';
import {
  findCurrent,
  forgottenSets,
  others,
  revisionAnnotation,
  revisionNumber,
  specOf,
  statusOf,
} from './deployment-view.ts';
import { firstSize, rescaledSizes, rolledSizes } from './set-sizes.ts';
import { SetWriter } from './set-writer.ts';

export const deploymentController: ControllerFactory = (context) =>
  new DeploymentController(context);

class DeploymentController implements Controller {
  readonly name = 'deployment-controller';
  readonly #context: ControllerContext;
  readonly #deployments: Informer;
  readonly #setInformer: Informer;
  readonly #sets: SetWriter;
  readonly #pods: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#deployments = context.informers.of(address.deployments);
    this.#setInformer = context.informers.of(address.replicaSets);
    this.#sets = new SetWriter(context);
    this.#pods = context.informers.of(address.pods);
    this.#setInformer.addIndex('namespace', (set) => [set.metadata.namespace ?? '']);
    this.#pods.addIndex('controller', (pod) => [controllerOf(pod)?.uid ?? '']);
    const enqueue = (object: ApiObject | undefined): void => {
      if (object !== undefined) context.enqueue(objectKey(object));
    };
    this.#deployments.addIndex('namespace', (object) => [object.metadata.namespace ?? '']);
    this.#deployments.onChange(({ before, after }) => enqueue(after ?? before));
    this.#setInformer.onChange(({ before, after }) => {
      for (const set of [before, after]) if (set !== undefined) this.#concern(set);
    });
    // Recreate waits until the last old pod is really gone, which no ReplicaSet tells.
    this.#pods.onChange(({ before, after }) => {
      const set = after === undefined && before !== undefined ? this.#setOf(before) : undefined;
      if (set !== undefined) this.#concern(set);
    });
  }

  reconcile(key: string): Again {
    const deployment = this.#deployments.get(key);
    if (deployment === undefined || isEmptySelector(specOf(deployment).selector)) return undefined;
    const sets = claimChildren({
      client: this.#context.client,
      resource: address.replicaSets,
      owner: deployment,
      selector: specOf(deployment).selector,
      candidates: this.#setInformer.indexed('namespace', deployment.metadata.namespace ?? ''),
    });
    if (deployment.metadata.deletionTimestamp !== undefined) {
      return this.#report(deployment, sets, findCurrent(deployment, sets));
    }
    const paused = this.#notePause(deployment);
    if (specOf(paused).paused === true) return this.#whilePaused(paused, sets);
    const { deployment: updated, current } = this.#ensureCurrent(paused, sets);
    const all = current === undefined ? sets : [...others(sets, current), current];
    const rolled = this.#roll(updated, current, all);
    return this.#report(updated, rolled, current && find(rolled, current));
  }

  #concern(set: ApiObject): void {
    const { namespace = '' } = set.metadata;
    const controller = controllerOf(set);
    if (controller?.kind === 'Deployment') this.#context.enqueue(`${namespace}/${controller.name}`);
    if (controller !== undefined) return;
    for (const deployment of this.#deployments.indexed('namespace', namespace)) {
      this.#context.enqueue(objectKey(deployment));
    }
  }

  #setOf(pod: ApiObject): ApiObject | undefined {
    const controller = controllerOf(pod);
    if (controller?.kind !== 'ReplicaSet') return undefined;
    return this.#setInformer.get(`${pod.metadata.namespace}/${controller.name}`);
  }

  /** Pausing and resuming are said in the `Progressing` condition. */
  #notePause(deployment: ApiObject): ApiObject {
    const { paused = false, progressDeadlineSeconds } = specOf(deployment);
    if (progressDeadlineSeconds === undefined) return deployment;
    const status = statusOf(deployment);
    const known = findCondition(status.conditions, 'Progressing');
    if (known?.reason === 'ProgressDeadlineExceeded') return deployment;
    const wasPaused = known?.reason === 'DeploymentPaused';
    if (paused === wasPaused) return deployment;
    const wanted = {
      type: 'Progressing',
      status: 'Unknown',
      reason: paused ? 'DeploymentPaused' : 'DeploymentResumed',
      message: paused ? 'Deployment is paused' : 'Deployment is resumed',
    } as const;
    const conditions = stamped(status.conditions, wanted, this.#context.clock.now());
    return this.#writeStatus(deployment, { ...status, conditions });
  }

  #whilePaused(deployment: ApiObject, sets: readonly ApiObject[]): Again {
    const current = findCurrent(deployment, sets);
    const sizes = rescaledSizes(deployment, current, sets);
    const scaled = this.#sets.resize(deployment, sets, sizes);
    return this.#report(deployment, scaled, current && find(scaled, current));
  }

  #roll(
    deployment: ApiObject,
    current: ApiObject | undefined,
    sets: readonly ApiObject[],
  ): readonly ApiObject[] {
    if (current === undefined) return sets;
    const hasPods = (set: ApiObject): boolean => this.#hasPods(set);
    const sizes = rolledSizes({ deployment, current, sets, hasPods });
    return this.#cleanUp(deployment, current, this.#sets.resize(deployment, sets, sizes));
  }

  #hasPods(set: ApiObject): boolean {
    return this.#pods.indexed('controller', set.metadata.uid ?? '').some((pod) => !hasEnded(pod));
  }

  #ensureCurrent(
    deployment: ApiObject,
    sets: readonly ApiObject[],
  ): { readonly deployment: ApiObject; readonly current: ApiObject | undefined } {
    const found = findCurrent(deployment, sets);
    const old = found === undefined ? sets : others(sets, found);
    const revision = String(Math.max(0, ...old.map(revisionNumber)) + 1);
    const current =
      found === undefined
        ? this.#create(deployment, old, revision)
        : this.#sets.noteRevision(deployment, found, revision);
    if (current === undefined) return { deployment, current };
    const shown = current.metadata.annotations?.[revisionAnnotation] ?? revision;
    const marked = this.#markRevision(deployment, shown, found === undefined, current);
    return { deployment: marked, current };
  }

  #create(
    deployment: ApiObject,
    old: readonly ApiObject[],
    revision: string,
  ): ApiObject | undefined {
    const { collisionCount = 0 } = statusOf(deployment);
    const replicas = firstSize(deployment, old, (set) => this.#hasPods(set));
    const made = this.#sets.create(deployment, { revision, replicas, collisionCount });
    // The next try takes another name.
    const status = { ...statusOf(deployment), collisionCount: collisionCount + 1 };
    if (made === undefined) this.#writeStatus(deployment, status);
    return made;
  }

  #markRevision(
    deployment: ApiObject,
    revision: string,
    isNew: boolean,
    current: ApiObject,
  ): ApiObject {
    const { annotations = {} } = deployment.metadata;
    const marked =
      annotations[revisionAnnotation] === revision
        ? deployment
        : this.#context.client.update(
            address.deployments,
            withMeta(deployment, {
              annotations: { ...annotations, [revisionAnnotation]: revision },
            }),
          );
    const known = findCondition(statusOf(marked).conditions, 'Progressing');
    const { progressDeadlineSeconds } = specOf(marked);
    if (progressDeadlineSeconds === undefined || (!isNew && known !== undefined)) return marked;
    const wanted = {
      type: 'Progressing',
      status: 'True',
      reason: isNew ? 'NewReplicaSetCreated' : 'FoundNewReplicaSet',
      message: `${isNew ? 'Created' : 'Found'} new replica set "${current.metadata.name}"`,
    } as const;
    const status = statusOf(marked);
    const conditions = stamped(status.conditions, wanted, this.#context.clock.now());
    return this.#writeStatus(marked, { ...status, conditions });
  }

  #cleanUp(
    deployment: ApiObject,
    current: ApiObject,
    sets: readonly ApiObject[],
  ): readonly ApiObject[] {
    if (!isComplete(deployment, this.#count(deployment, current, sets))) return sets;
    const surplus = forgottenSets(deployment, current, sets);
    for (const set of surplus) this.#context.client.delete(address.replicaSets, set);
    return sets.filter((set) => !surplus.includes(set));
  }

  #count(
    deployment: ApiObject,
    current: ApiObject | undefined,
    sets: readonly ApiObject[],
  ): FullStatus {
    const nowMs = this.#context.clock.now();
    return countStatus({ deployment, current: current && find(sets, current), sets, nowMs });
  }

  #report(
    deployment: ApiObject,
    sets: readonly ApiObject[],
    current: ApiObject | undefined,
  ): Again {
    const nowMs = this.#context.clock.now();
    const counted = this.#count(deployment, current, sets);
    const status = withProgress({ deployment, current, status: counted, nowMs });
    this.#writeStatus(deployment, status);
    return untilDeadlineMs(deployment, status, nowMs);
  }

  #writeStatus(deployment: ApiObject, status: ReturnType<typeof statusOf>): ApiObject {
    const spelledOut = ['terminatingReplicas', 'collisionCount'];
    return writeStatus(this.#context.client, address.deployments, deployment, {
      status,
      spelledOut,
    });
  }
}

function find(sets: readonly ApiObject[], wanted: ApiObject): ApiObject {
  return sets.find((set) => set.metadata.uid === wanted.metadata.uid) ?? wanted;
}
