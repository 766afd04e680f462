// The nodes of a pool that has a count. In: the pool as it is to be. Out: parts that make what is missing, take away what is too
// much, the youngest first, and make anew what is of another version or image. Scale sets are not emulated: each node is a virtual machine of its own, named as theirs are.
import { countAt, objectAt, textAt } from '../../kube/json.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import { virtualMachineType } from '../compute/vm/machine.ts';
import type { Resource } from '../store.ts';
import { machineType, nodeResourceId, type Cluster } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { making, markFailed, unmaking } from './machine-run.ts';
import { machinesOf, newBody } from './machines.ts';
import { poolMachine } from './pool-machine.ts';
import type { Part } from './undertakings.ts';

export interface PoolRun {
  readonly service: ContainerService;
  readonly call: ArmCall;
  readonly cluster: Cluster;
  readonly pool: Resource;
}

export function scaling(run: PoolRun): Part[] {
  const { service, pool } = run;
  if (textAt(pool.body, 'properties', 'mode') === 'Machines') return [];
  const current = machinesOf(service.env, pool.id);
  const wanted = countAt(pool.body, 'properties', 'count');
  const oldestFirst = current.toSorted(
    (a, b) => a.createdMs - b.createdMs || (a.name < b.name ? -1 : 1),
  );
  const kept = oldestFirst.slice(0, wanted);
  const names = freeNames(run, current, wanted - kept.length);
  return [
    ...oldestFirst.slice(wanted).map((machine) => unmaking({ ...run, machine })),
    ...kept
      .filter((machine) => isOutdated(pool, machine))
      .map((machine) => replacing(run, machine)),
    ...names.map(({ name, index }) => newNode(run, name, index)),
  ];
}

/** Made for another version or from another image than the pool has now. */
function isOutdated(pool: Resource, machine: Resource): boolean {
  const wanted = objectAt(pool.body, 'properties');
  const has = objectAt(machine.body, 'properties');
  return (
    textAt(wanted, 'nodeImageVersion') !== textAt(has, 'nodeImageVersion') ||
    textAt(wanted, 'orchestratorVersion') !== textAt(has, 'kubernetes', 'orchestratorVersion')
  );
}

/** Under the same name, as a scale set does. */
function replacing(run: PoolRun, machine: Resource): Part {
  const index = Number.parseInt(machine.name.slice(-6), 36);
  return (done) =>
    unmaking({ ...run, machine })((error) => {
      if (error === undefined) newNode(run, machine.name, index)(done);
      else done(error);
    });
}

function freeNames(
  { pool, cluster }: PoolRun,
  current: readonly Resource[],
  count: number,
): { readonly name: string; readonly index: number }[] {
  const taken = new Set(current.map(({ name }) => name));
  const names: { readonly name: string; readonly index: number }[] = [];
  for (let index = 0; names.length < count; index++) {
    // Scale sets count in base 36.
    const name = `aks-${pool.name}-${cluster.suffix}-vmss${index.toString(36).padStart(6, '0')}`;
    if (!taken.has(name)) names.push({ name, index });
  }
  return names;
}

function newNode(run: PoolRun, name: string, index: number): Part {
  const { service, cluster, pool } = run;
  const { env } = service;
  const properties = objectAt(pool.body, 'properties') ?? {};
  return (done) => {
    const vmId = nodeResourceId(cluster, virtualMachineType, name);
    const machine = env.lifecycle.save(`${pool.id}/machines/${name}`, machineType, {
      body: newBody(env, poolMachine(properties, index), vmId),
    });
    env.lifecycle.setState(machine.id, 'Creating');
    making({ ...run, machine, pool: pool.name })((error) => {
      service.undertakings.settle(machine.id, error);
      if (error !== undefined) markFailed(env, machine.id, error);
      done(error);
    });
  };
}
