// Nodes as AKS machines: one resource each, all else is the service's. In: what was chosen for a claim. Out: a machine.
// 1. A machine says in a tag whose it is: names may be shortened, and a name that another claim has is never taken over.
// 2. What AKS cannot find is gone, in whichever of its two ways it says so.
import { asError, CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { nodeClaimNotFound } from '../../cloud/errors.ts';
import { findArmError, isArmNotFound } from '../arm/arm-error.ts';
import {
  beginDeleteMachines,
  type Machine,
  machinePages,
  type MachinePoolRef,
  machineRef,
} from '../arm/machines.ts';
import { beginPut, getResource } from '../arm/resource.ts';
import type { Arm } from '../arm/send.ts';
import { machineBody } from '../bootstrap/machine-body.ts';
import { machineNameOf } from '../bootstrap/machine-name.ts';
import { tagName } from '../bootstrap/resource-tags.ts';
import type { Instance, InstanceChange, Instances, Launch, LaunchPlan } from './instance.ts';
import { instanceOfMachine, provisioningErrorOf } from './machine-instance.ts';
import { machineHeaders, type PutMachine } from './machine-put.ts';
import { MachineWatch } from './machine-watch.ts';
import type { LaunchSettings } from './vm-instances.ts';

export interface MachineInstancesOptions {
  readonly arm: Arm;
  readonly pool: MachinePoolRef;
  cluster(): LaunchSettings;
  readonly put: PutMachine;
  readonly log: Logger;
}

export class MachineInstances implements Instances {
  readonly #options: MachineInstancesOptions;
  readonly #watch: MachineWatch;
  readonly #deleting = new Set<string>();

  constructor(options: MachineInstancesOptions) {
    this.#options = options;
    this.#watch = new MachineWatch({
      clock: options.arm.clock,
      reader: {
        get: (name, signal) => this.#read(name, signal),
        list: (signal) => this.#listAll(signal),
      },
    });
  }

  async find(nodeClaimName: string, signal: AbortSignal): Promise<Instance | undefined> {
    const name = nameOf(nodeClaimName);
    const machine = await this.#read(name, signal);
    if (machine === undefined) return undefined;
    const owner = machine.properties?.tags?.[tagName.machineNodeClaim];
    if (owner === nodeClaimName) return this.#instance(machine);
    throw new CodedError('MachineNameTaken', 'another claim has the machine of this name', {
      fields: { aksMachineName: name, NodeClaim: nodeClaimName, owner },
    });
  }

  async create(plan: LaunchPlan, signal: AbortSignal): Promise<Launch> {
    const { put } = this.#options;
    const nodeClaimName = plan.nodeClaim.metadata.name;
    const settings = this.#options.cluster();
    const network = { ...settings.network, networkSecurityGroup: '' };
    const made = machineBody({ ...settings, network }, plan);
    if (!made.ok) {
      throw new CodedError('MachineRefused', 'no AKS machine can be made for the claim', {
        fields: { reason: made.reason },
      });
    }
    const name = nameOf(nodeClaimName);
    await put({ name, body: made.body }, signal);
    const machine = await this.#read(name, signal);
    if (machine === undefined) {
      throw new CodedError('MachineGone', 'the machine went away as soon as it was accepted', {
        fields: { aksMachineName: name },
      });
    }
    const instance = this.#instance(machine);
    if (instance.state === 'failed') throw provisioningErrorOf(machine);
    return await this.resume(instance);
  }

  resume(instance: Instance): Promise<Launch> {
    const completed = (signal: AbortSignal): Promise<void> =>
      this.#watch.ready(instance.name, signal);
    return Promise.resolve({
      instance,
      completed: instance.state === 'ready' ? () => Promise.resolve() : completed,
    });
  }

  async discard(nodeClaimName: string, signal: AbortSignal): Promise<void> {
    const { arm, pool, log } = this.#options;
    try {
      // A machine of another claim is not ours to take away.
      const instance = await this.find(nodeClaimName, signal);
      if (instance === undefined) return;
      const request = { names: [instance.name], signal };
      const operation = await beginDeleteMachines(arm, pool, request);
      await operation.done(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isGone(error)) return;
      log.error('cannot clean up after a failed launch', {
        NodeClaim: nodeClaimName,
        error: asError(error),
      });
    }
  }

  async get(name: string, signal: AbortSignal): Promise<Instance> {
    const machine = await this.#read(name, signal);
    if (machine === undefined) throw nodeClaimNotFound({ fields: { aksMachineName: name } });
    return this.#instance(machine);
  }

  async list(signal: AbortSignal): Promise<readonly Instance[]> {
    const machines = await this.#listAll(signal);
    return machines
      .filter(({ properties }) => properties?.tags?.[tagName.nodePool] !== undefined)
      .map((machine) => this.#instance(machine));
  }

  async delete(name: string, signal: AbortSignal): Promise<void> {
    if (this.#deleting.has(name)) return;
    this.#deleting.add(name);
    try {
      const { state } = await this.get(name, signal);
      if (state === 'deleting') return;
      await beginDeleteMachines(this.#options.arm, this.#options.pool, { names: [name], signal });
    } catch (error) {
      if (isGone(error))
        throw nodeClaimNotFound({ cause: error, fields: { aksMachineName: name } });
      throw error;
    } finally {
      this.#deleting.delete(name);
    }
  }

  /** Identities are the service's. */
  async update(name: string, { tags }: InstanceChange, signal: AbortSignal): Promise<void> {
    if (tags === undefined) return;
    const machine = await this.#read(name, signal);
    if (machine === undefined) throw nodeClaimNotFound({ fields: { aksMachineName: name } });
    const {
      eTag,
      status: _,
      provisioningState: __,
      resourceId: ___,
      ...own
    } = machine.properties ?? {};
    const operation = await beginPut(this.#options.arm, machineRef(this.#options.pool, name), {
      body: { ...(machine.zones && { zones: machine.zones }), properties: { ...own, tags } },
      // Somebody else's change in between is not overwritten; the next try starts from it.
      headers: { ...machineHeaders, ...(eTag !== undefined && { 'if-match': eTag }) },
      signal,
    });
    await operation.done(signal);
  }

  #instance(machine: Machine): Instance {
    return instanceOfMachine(machine, this.#options.cluster().location);
  }

  async #read(name: string, signal: AbortSignal): Promise<Machine | undefined> {
    const { arm, pool } = this.#options;
    return await getResource<Machine>(arm, machineRef(pool, name), signal);
  }

  /** A pool that is not there has no machines. */
  async #listAll(signal: AbortSignal): Promise<readonly Machine[]> {
    const { arm, pool } = this.#options;
    const machines: Machine[] = [];
    try {
      for await (const page of machinePages(arm, pool, signal)) machines.push(...page);
    } catch (error) {
      if (!isArmNotFound(error)) throw error;
    }
    return machines;
  }
}

function nameOf(nodeClaimName: string): string {
  const named = machineNameOf(nodeClaimName);
  if (named.ok) return named.name;
  throw new CodedError('MachineNameImpossible', 'no AKS machine can be named after the claim', {
    fields: { reason: named.reason },
  });
}

function isGone(error: unknown): boolean {
  const refusal = findArmError(error);
  if (refusal === undefined) return false;
  if (refusal.status === 404) return true;
  return refusal.code === 'InvalidParameter' && /no valid machines?/i.test(refusal.text);
}
