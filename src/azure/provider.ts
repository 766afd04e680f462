// Azure behind the port. In: NodeClaims and NodePools. Out: machines as NodeClaims, instance types, drift.
// Which back-end makes a machine is the operator's choice; which one has made it is read off the machine, so that those of a
// mode that was left are still looked after.
import { type AKSNodeClass, aksNodeClasses } from '../api/aks-node-class.ts';
import type { Node } from '../api/core.ts';
import { annotation, label } from '../api/labels.ts';
import { type NodeClaim, nodeClaims } from '../api/node-claim.ts';
import { type NodePool, nodePools } from '../api/node-pool.ts';
import type { KubeObject } from '../api/meta.ts';
import type { ResourceType } from '../api/resource-type.ts';
import type { Clock } from '../base/clock.ts';
import { CodedError, describeError } from '../base/errors.ts';
import {
  CreateError,
  findCreateError,
  insufficientCapacity,
  isInsufficientCapacity,
  nodeClaimNotFound,
} from '../cloud/errors.ts';
import type { CloudProvider, DriftReason, RepairPolicy } from '../cloud/provider.ts';
import { type Recorder, referenceTo } from '../kube/events/event-recorder.ts';
import type { InstanceType } from '../model/instance-type.ts';
import { machineNameOfVm } from './bootstrap/machine-name.ts';
import type { InstanceTypeCatalog } from './catalog/instance-type-catalog.ts';
import { azureLabelRules } from './catalog/label-rules.ts';
import { driftOf } from './drift.ts';
import type { Completion } from './instance/completion.ts';
import type { Instance, Instances } from './instance/instance.ts';
import { claimOfInstance } from './instance/instance-claim.ts';
import { launchedClaim, type LaunchedSettings, type Owner } from './instance/launched-claim.ts';
import type { Launcher } from './instance/launcher.ts';
import { vmNameOf } from './instance/provider-id.ts';
import { launchRefusal } from './node-class-gate.ts';

/** The cluster's objects, as far as the provider reads them. */
export interface ClusterView {
  nodeClass(name: string): AKSNodeClass | undefined;
  nodePool(name: string): NodePool | undefined;
  /** Throws when several nodes have the id. */
  node(providerId: string): Node | undefined;
}

export interface AzureProviderOptions {
  readonly cluster: ClusterView;
  readonly events: Recorder;
  readonly clock: Clock;
  readonly catalog: Pick<InstanceTypeCatalog, 'list'>;
  readonly vms: Instances;
  /** Undefined: AKS machines are none of this controller's business. */
  readonly machines?: { readonly pool: string; readonly instances: Instances } | undefined;
  /** Of the back-end that makes new machines. */
  readonly launcher: Launcher;
  readonly completion: Completion;
  readonly settings: ProviderSettings;
}

export interface ProviderSettings extends LaunchedSettings {
  readonly kubeletIdentityClientId: string;
}

const minuteMs = 60 * 1000;
const longestMessage = 1200;

const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', conditionStatus: 'False', tolerationMs: 10 * minuteMs },
  { conditionType: 'Ready', conditionStatus: 'Unknown', tolerationMs: 10 * minuteMs },
  {
    conditionType: 'kubernetes.azure.com/NodeHealthy',
    conditionStatus: 'False',
    tolerationMs: 0,
  },
  { conditionType: 'PreemptionScheduled', conditionStatus: 'True', tolerationMs: 0 },
];

export class AzureProvider implements CloudProvider {
  readonly name = 'azure';
  readonly nodeClasses = [aksNodeClasses];
  readonly labelRules = azureLabelRules;
  readonly repairPolicies = repairPolicies;
  readonly registrationHooks = [];
  readonly #options: AzureProviderOptions;

  constructor(options: AzureProviderOptions) {
    this.#options = options;
  }

  async create(nodeClaim: NodeClaim, signal: AbortSignal): Promise<NodeClaim> {
    const nodeClass = this.#classOf(nodeClaims, nodeClaim, nodeClaim.spec.nodeClassRef.name);
    if (nodeClass === undefined) {
      throw insufficientCapacity({ cause: missingClass(nodeClaim.spec.nodeClassRef.name) });
    }
    const refusal = launchRefusal(nodeClass);
    if (refusal !== undefined) throw refusal;
    const { launcher, completion } = this.#options;
    try {
      const instanceTypes = () => this.#typesOf(nodeClass);
      const launch = await launcher.launch({ nodeClaim, nodeClass, instanceTypes }, signal);
      if (nodeClaim.metadata.labels?.[label.nodePool] === undefined) {
        await completion.wait(nodeClaim, launch, signal);
      } else {
        completion.follow(nodeClaim, launch);
      }
      return this.#launched({ nodeClaim, nodeClass }, launch.instance);
    } catch (error) {
      signal.throwIfAborted();
      throw createFailure(error);
    }
  }

  /**
   * After a start: goes on with a launch that an earlier process has reported but not completed. For claims that are
   * launched and not registered yet.
   */
  async resume(nodeClaim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { cluster, launcher, completion } = this.#options;
    const nodeClass = cluster.nodeClass(nodeClaim.spec.nodeClassRef.name);
    if (nodeClass === undefined || launchRefusal(nodeClass) !== undefined) return;
    const instanceTypes = () => this.#typesOf(nodeClass);
    const launch = await launcher.takeUp({ nodeClaim, nodeClass, instanceTypes }, signal);
    if (launch !== undefined) completion.follow(nodeClaim, launch);
  }

  async delete(nodeClaim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { metadata, status } = nodeClaim;
    const machineId = metadata.annotations?.[annotation.aksMachineResourceId];
    const { machines, vms } = this.#options;
    if (machineId !== undefined && machines !== undefined) {
      await machines.instances.delete(machineId.slice(machineId.lastIndexOf('/') + 1), signal);
    } else if (status?.providerID === undefined || status.providerID === '') {
      await this.#deleteByName(metadata.name, signal);
    } else {
      await vms.delete(vmNameOf(status.providerID), signal);
    }
  }

  async get(providerId: string, signal: AbortSignal): Promise<NodeClaim> {
    return this.#toClaim(await this.#instance(providerId, signal));
  }

  async list(signal: AbortSignal): Promise<readonly NodeClaim[]> {
    const { machines, vms } = this.#options;
    const lists = await Promise.all([machines?.instances.list(signal) ?? [], vms.list(signal)]);
    return lists.flat().map((instance) => this.#toClaim(instance));
  }

  async getInstanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]> {
    const { name } = nodePool.spec.template.spec.nodeClassRef;
    const nodeClass = this.#classOf(nodePools, nodePool, name);
    if (nodeClass === undefined) throw missingClass(name);
    return this.#options.catalog.list(nodeClass);
  }

  async isDrifted(nodeClaim: NodeClaim, signal: AbortSignal): Promise<DriftReason | undefined> {
    const { cluster, settings } = this.#options;
    const poolName = nodeClaim.metadata.labels?.[label.nodePool];
    const nodePool = poolName === undefined ? undefined : cluster.nodePool(poolName);
    if (nodePool === undefined) return undefined;
    const className = nodePool.spec.template.spec.nodeClassRef.name;
    const nodeClass = this.#classOf(nodeClaims, nodeClaim, className);
    if (nodeClass === undefined) return undefined;
    const providerId = providerIdIn(nodeClaim);
    const node = cluster.node(providerId);
    return await driftOf({
      nodeClaim,
      nodeClass,
      node: node?.metadata.deletionTimestamp === undefined ? node : undefined,
      kubeletIdentityClientId: settings.kubeletIdentityClientId,
      kind: this.#machineName(providerId) === undefined ? 'vm' : 'machine',
      driftAction: async () => (await this.#instance(providerId, signal)).driftAction,
    });
  }

  /** Waits for what runs in the background, which ends at once. */
  async drain(): Promise<void> {
    await this.#options.completion.drain();
  }

  /** A claim that goes before its machine was on record may have one all the same. */
  async #deleteByName(nodeClaimName: string, signal: AbortSignal): Promise<void> {
    const { machines, vms } = this.#options;
    for (const instances of [vms, ...(machines === undefined ? [] : [machines.instances])]) {
      const found = await instances.find(nodeClaimName, signal);
      if (found !== undefined) return await instances.delete(found.name, signal);
    }
    throw nodeClaimNotFound({ fields: { NodeClaim: nodeClaimName } });
  }

  async #instance(providerId: string, signal: AbortSignal): Promise<Instance> {
    const { machines, vms } = this.#options;
    const machine = this.#machineName(providerId);
    if (machine !== undefined && machines !== undefined) {
      return await machines.instances.get(machine, signal);
    }
    return await vms.get(vmNameOf(providerId), signal);
  }

  /** Undefined for a plain virtual machine. */
  #machineName(providerId: string): string | undefined {
    const { machines } = this.#options;
    return machines && machineNameOfVm(machines.pool, vmNameOf(providerId));
  }

  #typesOf(nodeClass: AKSNodeClass): readonly InstanceType[] {
    try {
      return this.#options.catalog.list(nodeClass);
    } catch (cause) {
      const message = shortened(describeError(cause));
      throw new CreateError({ reason: 'InstanceTypeResolutionFailed', message }, { cause });
    }
  }

  /** The type of a machine is looked up among those of its pool's class; neither need be there any more. */
  #toClaim(instance: Instance): NodeClaim {
    const { cluster, catalog, clock } = this.#options;
    const claim = claimOfInstance(instance, { instanceType: undefined, nowMs: clock.now() });
    const poolName = claim.metadata.labels?.[label.nodePool] ?? '';
    const className = cluster.nodePool(poolName)?.spec.template.spec.nodeClassRef.name;
    const nodeClass = className === undefined ? undefined : cluster.nodeClass(className);
    if (nodeClass === undefined) return claim;
    const instanceType = catalog.list(nodeClass).find(({ name }) => name === instance.size);
    return claimOfInstance(instance, { instanceType, nowMs: clock.now() });
  }

  #launched(owner: Owner, instance: Instance): NodeClaim {
    const { catalog, clock, settings } = this.#options;
    const instanceType = catalog.list(owner.nodeClass).find(({ name }) => name === instance.size);
    return launchedClaim({ owner, instance, instanceType, settings, nowMs: clock.now() });
  }

  /** Undefined, and told to the user, when it is not there or going. */
  #classOf<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    className: string,
  ): AKSNodeClass | undefined {
    const nodeClass = this.#options.cluster.nodeClass(className);
    if (nodeClass !== undefined && nodeClass.metadata.deletionTimestamp === undefined) {
      return nodeClass;
    }
    this.#options.events.publish({
      object: referenceTo(type, object),
      type: 'Warning',
      reason: 'NodeClassResolutionError',
      message: `Failed resolving NodeClass ${className}`,
      dedupeValues: [object.metadata.uid ?? object.metadata.name],
    });
    return undefined;
  }
}

function createFailure(error: unknown): Error {
  if (isInsufficientCapacity(error) && error instanceof Error) return error;
  const classified = findCreateError(error);
  if (classified !== undefined) return classified;
  const message = shortened(describeError(error));
  return new CreateError({ reason: 'CreateInstanceFailed', message }, { cause: error });
}

function providerIdIn({ metadata, status }: NodeClaim): string {
  const { providerID } = status ?? {};
  if (providerID !== undefined && providerID !== '') return providerID;
  throw new CodedError('ProviderIdMissing', 'the NodeClaim has no provider id', {
    fields: { NodeClaim: metadata.name },
  });
}

function missingClass(name: string): CodedError {
  return new CodedError('NodeClassMissing', 'the AKSNodeClass is not there or going away', {
    fields: { AKSNodeClass: name },
  });
}

function shortened(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}...`;
}
