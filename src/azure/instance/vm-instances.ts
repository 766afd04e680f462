// Nodes as plain virtual machines: interface, then machine, then extensions. In: what was chosen for a claim. Out: a machine.
// 1. Everything of a machine has the machine's name, which is the claim's: whoever comes after a restart finds it.
// 2. The interface is there before the machine, and both disk and interface go when the machine goes.
// 3. A machine that Azure knows is never written again: size, zone and custom data of a second try may differ, and Azure
//    refuses to change them. It is taken up as it is, and gets the extensions that it lacks.
import { asError, CodedError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { nodeClaimNotFound } from '../../cloud/errors.ts';
import { findArmError } from '../arm/arm-error.ts';
import { networkInterfaceRef } from '../arm/network-interfaces.ts';
import {
  beginDelete,
  beginPatch,
  beginPut,
  getResource,
  type GroupRef,
  type Headers,
  type ResourceRef,
} from '../arm/resource.ts';
import type { Arm, TokenSource } from '../arm/send.ts';
import {
  type VirtualMachine,
  virtualMachineRef,
  virtualMachineType,
} from '../arm/virtual-machines.ts';
import type { ClusterNetwork, ClusterSettings } from '../bootstrap/node-plan.ts';
import type { BackendPools } from '../network/backend-pools.ts';
import type { ManagedSecurityGroups } from '../network/managed-security-group.ts';
import { listOwn } from './graph-list.ts';
import type { Instance, InstanceChange, Instances, Launch, LaunchPlan } from './instance.ts';
import type { LaunchMetrics } from './launch-metrics.ts';
import type { NodeBoot, NodeBootSource } from './node-boot.ts';
import { identityOf, vmBody, type VmSettings } from './vm-body.ts';
import {
  billingExtension,
  putExtensions,
  scriptExtension,
  tagExtension,
  vmExtensions,
  vmSettled,
} from './vm-extensions.ts';
import { instanceOfVm } from './vm-instance.ts';
import { putInterface } from './vm-interface.ts';

/** All of a cluster's settings but the one that is looked up for each launch. */
export type LaunchSettings = Omit<ClusterSettings, 'network'> & {
  readonly network: Omit<ClusterNetwork, 'networkSecurityGroup'>;
};

export interface VmInstancesOptions {
  readonly arm: Arm;
  /** Asked at each launch: tokens change. */
  cluster(): LaunchSettings;
  readonly settings: VmSettings;
  readonly boot: NodeBootSource;
  /** Machines run a script of AKS's. */
  readonly hasScript: boolean;
  readonly hasBilling: boolean;
  /** For images in galleries of AKS's own tenant. */
  readonly galleryTokens?: TokenSource | undefined;
  readonly pools: BackendPools;
  readonly securityGroups: ManagedSecurityGroups;
  readonly metrics: LaunchMetrics;
  readonly log: Logger;
}

/** Azure is busy with a machine of the name, or has one that differs. */
const existsAlready: ReadonlySet<string> = new Set(['Conflict', 'PropertyChangeNotAllowed']);

export function vmNameOfClaim(nodeClaimName: string): string {
  return `aks-${nodeClaimName}`;
}

export class VmInstances implements Instances {
  readonly #options: VmInstancesOptions;
  readonly #deleting = new Set<string>();

  constructor(options: VmInstancesOptions) {
    this.#options = options;
  }

  async find(nodeClaimName: string, signal: AbortSignal): Promise<Instance | undefined> {
    const vm = await this.#read(vmNameOfClaim(nodeClaimName), signal);
    return vm === undefined ? undefined : instanceOfVm(vm);
  }

  async create(plan: LaunchPlan, signal: AbortSignal): Promise<Launch> {
    const { arm, metrics } = this.#options;
    const name = vmNameOfClaim(plan.nodeClaim.metadata.name);
    metrics.started(plan);
    try {
      const { body, boot } = await this.#prepare(name, plan, signal);
      const ref = this.#ref(name);
      const headers = await this.#galleryHeaders();
      const operation = await beginPut(arm, ref, { body, headers, signal });
      const nowMs = arm.clock.now();
      const timeCreated = new Date(nowMs).toISOString();
      const properties = { timeCreated, ...body.properties, provisioningState: 'Creating' };
      return {
        // As asked for, with the id that Azure is bound to give it: reading it back would cost a call.
        instance: instanceOfVm({ ...body, properties, id: ref.id, name }),
        completed: (signal) =>
          this.#finish(plan, async () => {
            await operation.done(signal);
            await this.#putExtensions(ref, { tags: body.tags ?? {}, boot, isNew: true, signal });
          }),
      };
    } catch (error) {
      signal.throwIfAborted();
      const adopted = existsAlready.has(findArmError(error)?.code ?? '')
        ? await this.find(plan.nodeClaim.metadata.name, signal)
        : undefined;
      if (adopted !== undefined) return await this.resume(adopted, plan, signal);
      metrics.failed(plan, 'sync', error);
      throw error;
    }
  }

  async resume(
    instance: Instance,
    plan: LaunchPlan | undefined,
    signal: AbortSignal,
  ): Promise<Launch> {
    const { arm, hasScript } = this.#options;
    const ref = this.#ref(instance.name);
    // Without a plan there is no telling what the script would be; the node will not register, and be replaced.
    const boot = plan !== undefined && hasScript ? await this.#bootOf(plan, signal) : undefined;
    return {
      instance,
      completed: (signal) =>
        this.#finish(plan, async () => {
          await vmSettled(arm, ref, signal);
          await this.#putExtensions(ref, { tags: instance.tags, boot, isNew: false, signal });
        }),
    };
  }

  async discard(nodeClaimName: string, signal: AbortSignal): Promise<void> {
    const name = vmNameOfClaim(nodeClaimName);
    const force = { forceDeletion: 'true' };
    await this.#remove(this.#ref(name), { query: force, signal });
    await this.#remove(networkInterfaceRef(this.#group(), name), { signal });
  }

  async get(name: string, signal: AbortSignal): Promise<Instance> {
    const vm = await this.#read(name, signal);
    if (vm === undefined) throw nodeClaimNotFound({ fields: { vmName: name } });
    return instanceOfVm(vm);
  }

  async list(signal: AbortSignal): Promise<readonly Instance[]> {
    const { arm } = this.#options;
    const vms = await listOwn<VirtualMachine>(arm, this.#group(), {
      type: virtualMachineType,
      signal,
    });
    return vms.map(instanceOfVm);
  }

  async delete(name: string, signal: AbortSignal): Promise<void> {
    if (this.#deleting.has(name)) return;
    this.#deleting.add(name);
    try {
      const { state } = await this.get(name, signal);
      if (state === 'deleting') return;
      const query = { forceDeletion: 'true' };
      await beginDelete(this.#options.arm, this.#ref(name), { query, signal });
    } finally {
      this.#deleting.delete(name);
    }
  }

  async update(name: string, change: InstanceChange, signal: AbortSignal): Promise<void> {
    const { arm } = this.#options;
    const { tags, identities = [] } = change;
    const ref = this.#ref(name);
    if (tags !== undefined) {
      await beginPatch(arm, networkInterfaceRef(this.#group(), name), { body: { tags }, signal });
      await Promise.all(
        this.#ownExtensions().map((name) => tagExtension(arm, ref, { name, tags, signal })),
      );
    }
    // Last: as long as its tags are the old ones, an update that broke off is seen to be due.
    const identity = identityOf(identities);
    const body = {
      ...(tags !== undefined && { tags }),
      ...(identity !== undefined && { identity }),
    };
    const operation = await beginPatch(arm, ref, { body, signal });
    await operation.done(signal);
  }

  #ownExtensions(): readonly string[] {
    const { hasScript, hasBilling } = this.#options;
    return [...(hasScript ? [scriptExtension] : []), ...(hasBilling ? [billingExtension] : [])];
  }

  /** Everything that comes before the machine itself. */
  async #prepare(name: string, plan: LaunchPlan, signal: AbortSignal) {
    const { arm, pools, settings, boot: bootSource } = this.#options;
    const { cluster, securityGroupId } = await this.#cluster(signal);
    const boot = await bootSource(cluster, plan, signal);
    const nicId = await putInterface({ arm, cluster, pools, name, securityGroupId }, plan, signal);
    const { customData } = boot;
    return { boot, body: vmBody(cluster, settings, plan, { name, nicId, customData }) };
  }

  async #bootOf(plan: LaunchPlan, signal: AbortSignal): Promise<NodeBoot> {
    const { cluster } = await this.#cluster(signal);
    return await this.#options.boot(cluster, plan, signal);
  }

  async #cluster(signal: AbortSignal) {
    const { securityGroups } = this.#options;
    const { value } = await securityGroups.get(signal);
    const settings = this.#options.cluster();
    const network = { ...settings.network, networkSecurityGroup: value.name };
    return { cluster: { ...settings, network }, securityGroupId: value.id };
  }

  async #galleryHeaders(): Promise<Headers> {
    const { galleryTokens } = this.#options;
    if (galleryTokens === undefined) return {};
    return { 'x-ms-authorization-auxiliary': `Bearer ${await galleryTokens.token()}` };
  }

  async #finish(plan: LaunchPlan | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (plan !== undefined) this.#options.metrics.failed(plan, 'async', error);
      throw error;
    }
  }

  async #putExtensions(
    vm: ResourceRef,
    parts: {
      readonly tags: Readonly<Record<string, string>>;
      readonly boot: NodeBoot | undefined;
      readonly isNew: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    const { arm, hasBilling } = this.#options;
    const { tags, boot, isNew, signal } = parts;
    const { location } = this.#options.cluster();
    const extensions = vmExtensions({ location, tags, command: boot?.command, hasBilling });
    await putExtensions(arm, vm, { extensions, isNew, signal });
  }

  /** Best effort: what stays is found by the sweeps. */
  async #remove(
    ref: ResourceRef,
    request: { readonly query?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<void> {
    const { arm, log } = this.#options;
    const { signal } = request;
    try {
      if ((await getResource(arm, ref, signal)) === undefined) return;
      const operation = await beginDelete(arm, ref, request);
      await operation.done(signal);
    } catch (error) {
      signal.throwIfAborted();
      log.error('cannot clean up after a failed launch', { id: ref.id, error: asError(error) });
    }
  }

  async #read(name: string, signal: AbortSignal): Promise<VirtualMachine | undefined> {
    if (name === '') throw new CodedError('NameEmpty', 'a machine without a name was asked for');
    return await getResource<VirtualMachine>(this.#options.arm, this.#ref(name), signal);
  }

  #ref(name: string): ResourceRef {
    return virtualMachineRef(this.#group(), name);
  }

  #group(): GroupRef {
    const { subscriptionId, nodeResourceGroup } = this.#options.cluster();
    return { subscriptionId, resourceGroup: nodeResourceGroup };
  }
}
