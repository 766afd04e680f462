// Machines of nodes, however they are made. In: what was chosen for a claim. Out: machines, described the same way whether they
// are plain virtual machines or AKS machines. One suite tests both.
// 1. A machine is named after its claim: making it twice makes one, before and after a restart.
// 2. `create` either hands over a launch or leaves nothing behind that `discard` and the sweeps do not find by name.
// 3. Whoever names a machine that is not there is told NodeClaimNotFound.
import type { VmSize } from '../catalog/vm-size.ts';
import type { CapacityType } from '../catalog/quote.ts';
import type { NodePlan } from '../bootstrap/node-plan.ts';

export interface LaunchPlan extends NodePlan {
  readonly size: VmSize;
  readonly capacityType: CapacityType;
}

export interface Instance {
  readonly kind: 'vm' | 'machine';
  /** By which its back-end knows it. */
  readonly name: string;
  /** `azure:///subscriptions/…/virtualMachines/…` */
  readonly providerId: string;
  /** Of the AKS machine, where there is one. */
  readonly machineId?: string;
  readonly size: string;
  /** As nodes are labelled; undefined when Azure's answer names none that can be. */
  readonly zone: string | undefined;
  readonly capacityType: CapacityType;
  readonly imageId: string;
  readonly ultraSsd: boolean;
  readonly tags: Readonly<Record<string, string>>;
  /** Ids of user-assigned identities. */
  readonly identities: readonly string[];
  readonly createdMs: number | undefined;
  readonly state: InstanceState;
  /** What AKS says is to be done about a machine that no longer is as the cluster wants it. */
  readonly driftAction?: string;
}

export type InstanceState = 'creating' | 'ready' | 'failed' | 'deleting';

export interface Launch {
  readonly instance: Instance;
  /** Settles when the machine is complete; throws Azure's error if it will never be. Call once. */
  completed(signal: AbortSignal): Promise<void>;
}

export interface InstanceChange {
  readonly tags?: Readonly<Record<string, string>>;
  /** To be added; none is ever taken away. */
  readonly identities?: readonly string[];
}

export interface Instances {
  /** The machine of a claim, if there is one; throws when its name belongs to another claim. */
  find(nodeClaimName: string, signal: AbortSignal): Promise<Instance | undefined>;
  /** Takes up a launch that was begun before. Without a plan its size is no longer known. */
  resume(instance: Instance, plan: LaunchPlan | undefined, signal: AbortSignal): Promise<Launch>;
  /** Returns when Azure has accepted the machine. */
  create(plan: LaunchPlan, signal: AbortSignal): Promise<Launch>;
  /** Takes away what a failed launch has left, and waits for it. Never throws but for its signal. */
  discard(nodeClaimName: string, signal: AbortSignal): Promise<void>;
  get(name: string, signal: AbortSignal): Promise<Instance>;
  list(signal: AbortSignal): Promise<readonly Instance[]>;
  /** Returns when termination is under way. */
  delete(name: string, signal: AbortSignal): Promise<void>;
  update(name: string, change: InstanceChange, signal: AbortSignal): Promise<void>;
}

export function stateOf(provisioningState: string | undefined): InstanceState {
  switch (provisioningState?.toLowerCase()) {
    case 'succeeded':
      return 'ready';
    case 'failed':
    case 'canceled':
      return 'failed';
    case 'deleting':
      return 'deleting';
    default:
      return 'creating';
  }
}

/** Undefined for what is no time. */
export function timeOf(text: string | undefined): number | undefined {
  const epochMs = Date.parse(text ?? '');
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
