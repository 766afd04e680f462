// AKS machines on an Azure in this process: a cluster with a pool for them, and both ways to make them.
import { MachineInstances } from '../../../src/azure/instance/machine-instances.ts';
import {
  putInBatches,
  putSingly,
  type PutMachine,
} from '../../../src/azure/instance/machine-put.ts';
import { sweepInstances } from '../../../src/azure/instance/sweeps.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { subscriptionId } from '../../../src/emulator/azure/azure-fixture.ts';
import { readyClass, settings, type Adapter } from './adapter.ts';

export const machinePool = {
  subscriptionId,
  resourceGroup: 'main',
  cluster: 'prod',
  pool: 'machines',
};

export const machineType = 'Microsoft.ContainerService/managedClusters/agentPools/machines';

/** AKS takes images from its own galleries only. */
export const machineClass = readyClass({}, { gallery: 'shared', kubernetesVersion: '1.35.4' });

export type Putting = (adapter: Adapter) => PutMachine;

export const singly: Putting = ({ arm }) => putSingly(arm, machinePool);

export const batched: Putting = ({ arm, signal }) =>
  putInBatches(arm, machinePool, { idleMs: 1000, maxMs: 5000, maxSize: 50, signal });

export function machinesOn(adapter: Adapter, putting: Putting): MachineInstances {
  return new MachineInstances({
    arm: adapter.arm,
    pool: machinePool,
    cluster: () => settings,
    put: putting(adapter),
    log: silentLogger,
  });
}

/** Everything that was made for claims of the pool `default`, by type of resource. */
export function machineParts(adapter: Adapter): string[] {
  const types = [
    machineType,
    'Microsoft.Compute/virtualMachines',
    'Microsoft.Network/networkInterfaces',
    'Microsoft.Compute/disks',
  ];
  return types.flatMap((type) => adapter.left(type)).filter((name) => name.includes('default-'));
}

const sweepAfterMs = 10 * 60 * 1000;

export async function sweepMachines(
  adapter: Adapter,
  instances: MachineInstances,
  claims: readonly string[] = [],
): Promise<void> {
  const { test, signal, settle } = adapter;
  const { clock } = test;
  await clock.advance(sweepAfterMs);
  const listed = await settle(instances.list(signal));
  const owned = new Set(
    listed.filter(({ name }) => claims.includes(name)).map(({ providerId }) => providerId),
  );
  await settle(sweepInstances({ instances, owned: () => owned, clock, signal }));
  await clock.advance(sweepAfterMs);
}
