// AKS machines on the wire. In: the agent pool of mode Machines that they live in. Out: where a machine is, pages of them, and
// the call that deletes them: a machine cannot be deleted by itself.
import type { MachineBody } from '../bootstrap/machine-body.ts';
import { begin, type Operation } from './operation.ts';
import { pages } from './page.ts';
import type { ResourceRef } from './resource.ts';
import type { Arm } from './send.ts';

/** The newest that the original speaks; machines cannot be created in any stable one. */
export const machineApiVersion = '2026-05-02-preview';

export interface MachinePoolRef {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly cluster: string;
  readonly pool: string;
}

type MachineProperties = MachineBody['properties'];

/** As answered: every field may be missing. */
export interface Machine {
  readonly id?: string;
  readonly name?: string;
  readonly zones?: readonly string[];
  readonly properties?: Partial<Omit<MachineProperties, 'hardware' | 'priority'>> & {
    readonly hardware?: Partial<MachineProperties['hardware']>;
    readonly priority?: string;
    readonly provisioningState?: string;
    readonly resourceId?: string;
    readonly eTag?: string;
    readonly status?: {
      readonly creationTimestamp?: string;
      readonly driftAction?: string;
      readonly provisioningError?: ProvisioningError;
    };
  };
}

interface ProvisioningError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly { readonly code?: string; readonly message?: string }[];
}

function poolId({ subscriptionId, resourceGroup, cluster, pool }: MachinePoolRef): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ContainerService/managedClusters/${cluster}/agentPools/${pool}`;
}

export function machineRef(pool: MachinePoolRef, name: string): ResourceRef {
  return { id: `${poolId(pool)}/machines/${name}`, apiVersion: machineApiVersion };
}

export function machinePages(
  arm: Arm,
  pool: MachinePoolRef,
  signal: AbortSignal,
): AsyncGenerator<readonly Machine[]> {
  return pages(arm, {
    path: `${poolId(pool)}/machines`,
    apiVersion: machineApiVersion,
    signal,
  });
}

export function beginDeleteMachines(
  arm: Arm,
  pool: MachinePoolRef,
  request: { readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<Operation<unknown>> {
  return begin(arm, {
    method: 'POST',
    path: `${poolId(pool)}/deleteMachines`,
    apiVersion: machineApiVersion,
    body: { machineNames: request.names },
    signal: request.signal,
  });
}
