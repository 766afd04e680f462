// From a claim to a machine. In: a claim, its class, the market. Out: a launch under way, of the cheapest offering that Azure
// does not refuse.
// 1. A machine that a claim has already is its machine, whatever would be chosen today.
// 2. A refusal for want of capacity or quota is remembered and the next cheapest offering is tried at once; when none is left
//    the claim cannot be met. Any other failure is the claim's to show, and nothing of the launch stays behind.
// 3. The vCPUs of a launch count against the quota from its choice until it has failed or Azure's figures show it.
import { type AKSNodeClass, specOf } from '../../api/aks-node-class.ts';
import type { NodeClaim } from '../../api/node-claim.ts';
import { SingleFlight } from '../../base/async.ts';
import { asError, CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import { insufficientCapacity } from '../../cloud/errors.ts';
import type { InstanceType } from '../../model/instance-type.ts';
import { type Requirements, requirementsFromEntries } from '../../model/requirements.ts';
import { fromResourceList } from '../../model/resources.ts';
import { findArmError } from '../arm/arm-error.ts';
import {
  chooseOffering,
  type LaunchChoice,
  launchCandidates,
  wantsUltraSsd,
} from '../catalog/choose-offering.ts';
import { placementFor } from '../catalog/ephemeral-disk.ts';
import type { InstanceTypeCatalog } from '../catalog/instance-type-catalog.ts';
import { azureLabelRules } from '../catalog/label-rules.ts';
import {
  type LaunchAttempt,
  type LaunchRefusal,
  learnFromFailure,
} from '../catalog/launch-failure.ts';
import type { QuotaBook, QuotaReservation } from '../catalog/quota.ts';
import type { CapacityType } from '../catalog/quote.ts';
import type { UnavailableOfferings } from '../catalog/unavailable-offerings.ts';
import { pickImage } from '../image/pick-image.ts';
import { usableImages, usableKubernetesVersion } from '../image/usable-status.ts';
import type { Instance, Instances, Launch, LaunchPlan } from './instance.ts';

export interface LaunchRequest {
  readonly nodeClaim: NodeClaim;
  readonly nodeClass: AKSNodeClass;
  readonly instanceTypes: () => readonly InstanceType[];
}

export interface LauncherOptions {
  readonly instances: Instances;
  readonly catalog: Pick<InstanceTypeCatalog, 'size'>;
  readonly quota: QuotaBook;
  readonly unavailable: UnavailableOfferings;
  readonly random: Random;
  readonly log: Logger;
}

/** What Azure refuses is remembered, so that each try is another offering; a claim must not try all of a region. */
const mostTries = 10;

interface Wish {
  readonly request: LaunchRequest;
  readonly requirements: Requirements;
  readonly kubernetesVersion: string;
  readonly images: NonNullable<NonNullable<AKSNodeClass['status']>['images']>;
}

export class Launcher {
  readonly #options: LauncherOptions;
  readonly #refreshing = new SingleFlight<void>();

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  async launch(request: LaunchRequest, signal: AbortSignal): Promise<Launch> {
    const wish = wishOf(request);
    const begun = await this.#resume(wish, signal);
    return begun ?? (await this.#launchAnew(wish, signal));
  }

  /** The launch of a claim that an earlier process has begun; undefined when there is no machine to be completed. */
  async takeUp(request: LaunchRequest, signal: AbortSignal): Promise<Launch | undefined> {
    const { instances } = this.#options;
    const instance = await instances.find(request.nodeClaim.metadata.name, signal);
    if (instance === undefined || instance.state === 'deleting') return undefined;
    return await instances.resume(
      instance,
      this.#planOfExisting(wishOf(request), instance),
      signal,
    );
  }

  /** Remembers why a launch that was accepted failed later. Undefined when it says nothing about offerings. */
  learn(error: unknown, instance: Instance): Error | undefined {
    const { catalog } = this.#options;
    const size = catalog.size(instance.size);
    const { zone, capacityType } = instance;
    if (size === undefined || zone === undefined) return undefined;
    return this.#refusal(error, { size, zone, capacityType })?.error;
  }

  async #resume(wish: Wish, signal: AbortSignal): Promise<Launch | undefined> {
    const { instances, log } = this.#options;
    const { name } = wish.request.nodeClaim.metadata;
    const instance = await instances.find(name, signal);
    if (instance === undefined) return undefined;
    if (instance.state === 'deleting') {
      throw new CodedError('MachineGoing', 'the machine of an earlier launch is not gone yet', {
        fields: { NodeClaim: name },
      });
    }
    if (instance.state === 'failed') {
      await instances.discard(name, signal);
      return undefined;
    }
    log.info('taking up a launch that was begun before', { NodeClaim: name });
    return await instances.resume(instance, this.#planOfExisting(wish, instance), signal);
  }

  async #launchAnew(wish: Wish, signal: AbortSignal): Promise<Launch> {
    const { instances } = this.#options;
    const { name } = wish.request.nodeClaim.metadata;
    let refusal: Error | undefined;
    try {
      for (let tries = 0; tries < mostTries; tries++) {
        const plan = this.#plan(wish, refusal);
        const outcome = await this.#try(plan, signal);
        if (!(outcome instanceof Error)) return outcome;
        refusal = outcome;
      }
    } catch (error) {
      signal.throwIfAborted();
      await instances.discard(name, signal);
      throw error;
    }
    await instances.discard(name, signal);
    throw refusal ?? insufficientCapacity({});
  }

  /** An Error is a refusal that another offering may escape; anything else is thrown. */
  async #try(plan: LaunchPlan, signal: AbortSignal): Promise<Launch | Error> {
    const { instances, quota, log } = this.#options;
    const { size, zone, capacityType } = plan;
    const reservation = quota.reserve(size, capacityType);
    const fields = { 'instance-type': size.name, zone, 'capacity-type': capacityType };
    log.info('launching', { NodeClaim: plan.nodeClaim.metadata.name, ...fields });
    try {
      return counted(await instances.create(plan, signal), reservation);
    } catch (error) {
      reservation.release();
      signal.throwIfAborted();
      const refusal = this.#refusal(error, { size, zone, capacityType });
      if (refusal === undefined) throw error;
      log.info('offering refused', { ...fields, error: refusal.error });
      if (refusal.quotaReached) await this.#refreshQuota(signal);
      return refusal.error;
    }
  }

  /** Azure knows of machines that its figures, as we have them, do not show. */
  async #refreshQuota(signal: AbortSignal): Promise<void> {
    const { quota, log } = this.#options;
    try {
      await this.#refreshing.run('quota', () => quota.refresh(signal));
    } catch (error) {
      signal.throwIfAborted();
      log.error('cannot refresh quota', { error: asError(error) });
    }
  }

  /** What Azure says first counts; some of its answers have the cause one level below. */
  #refusal(error: unknown, attempt: LaunchAttempt): LaunchRefusal | undefined {
    const { unavailable } = this.#options;
    const refused = findArmError(error);
    if (refused === undefined) return undefined;
    const { code, text, details } = refused;
    const failures = [{ code, text }, ...details.map((one) => ({ ...one, text: one.message }))];
    for (const failure of failures) {
      const refusal = learnFromFailure({ failure, attempt, unavailable });
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #plan(wish: Wish, refusal: Error | undefined): LaunchPlan {
    const { random } = this.#options;
    const { request, requirements } = wish;
    const requests = fromResourceList(request.nodeClaim.spec.resources?.requests);
    const candidates = launchCandidates({
      instanceTypes: request.instanceTypes(),
      requirements,
      requests,
    });
    const choice = chooseOffering({ instanceTypes: candidates, requirements, random });
    if (choice === undefined) throw insufficientCapacity({ cause: refusal ?? noneFits() });
    return this.#planOf(wish, choice);
  }

  #planOf(wish: Wish, { instanceType, offering }: LaunchChoice): LaunchPlan {
    const { request, requirements, kubernetesVersion } = wish;
    const { nodeClaim, nodeClass } = request;
    const size = this.#options.catalog.size(instanceType.name);
    const image = pickImage(wish.images, instanceType);
    if (size === undefined || !image.ok) {
      throw new CodedError('LaunchImpossible', 'no machine can be made of the chosen size', {
        fields: {
          instanceType: instanceType.name,
          reason: image.ok ? 'the size is no longer offered' : image.reason,
        },
      });
    }
    return {
      nodeClaim,
      nodeClass,
      kubernetesVersion,
      requirements,
      instanceType,
      size,
      imageId: image.imageId,
      zone: offering.zone,
      capacityType: offering.capacityType as CapacityType,
      ultraSsd: wantsUltraSsd(requirements),
      ephemeralOsDisk:
        placementFor(size.ephemeralDisk, specOf(nodeClass).osDiskSizeGB) !== undefined,
    };
  }

  #planOfExisting(wish: Wish, instance: Instance): LaunchPlan | undefined {
    const instanceType = wish.request.instanceTypes().find(({ name }) => name === instance.size);
    const offering = instanceType?.offerings.find(
      ({ zone, capacityType }) => zone === instance.zone && capacityType === instance.capacityType,
    );
    if (instanceType === undefined || offering === undefined) return undefined;
    return { ...this.#planOf(wish, { instanceType, offering }), imageId: instance.imageId };
  }
}

/** The reservation ends with the launch. */
function counted(launch: Launch, reservation: QuotaReservation): Launch {
  return {
    instance: launch.instance,
    completed: async (signal) => {
      try {
        await launch.completed(signal);
        reservation.settle();
      } catch (error) {
        reservation.release();
        throw error;
      }
    },
  };
}

function wishOf(request: LaunchRequest): Wish {
  const { nodeClaim, nodeClass } = request;
  const version = usableKubernetesVersion(nodeClass);
  const images = usableImages(nodeClass);
  if (!version.ok || !images.ok) {
    const reasons = [version, images].flatMap((part) => (part.ok ? [] : [part.reason]));
    throw new CodedError('NodeClassUnusable', 'the node class cannot be launched from yet', {
      fields: { reason: reasons.join('; ') },
    });
  }
  return {
    request,
    kubernetesVersion: version.value,
    images: images.value,
    requirements: requirementsFromEntries(azureLabelRules, nodeClaim.spec.requirements),
  };
}

function noneFits(): Error {
  return new Error('no instance type that is available meets the requirements of the claim');
}
