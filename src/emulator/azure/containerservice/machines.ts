// Machines of an agent pool. In: PUT one, PUT many at once by a header, GET, list. Out: the machine at once as Creating, and the
// operation that makes it. A machine is deleted through its pool only.
import { objectAt, objectsAt, textAt, withValue, type JsonObject } from '../../kube/json.ts';
import type { ArmCall, ResourceType } from '../arm/arm-call.ts';
import { managedType, type WritePlan } from '../arm/managed-type.ts';
import { nameOf, parentOf } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { powerStateOf, virtualMachineType } from '../compute/vm/machine.ts';
import type { Resource } from '../store.ts';
import {
  clusterFrom,
  isBusy,
  machineType,
  nodeResourceId,
  stateOf,
  type Cluster,
} from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { conditionNotMet, inProgress, invalidParameter, notFound } from './errors.ts';
import { putBatch } from './machine-batch.ts';
import { changedMachine, newMachine } from './machine-checks.ts';
import { making, markFailed, removeParts } from './machine-run.ts';
import { nicIdOf, poolTag } from './machine-parts.ts';
import { callAzure, inSequence, type ServiceCaller } from './service-calls.ts';
import type { Part } from './undertakings.ts';

const validName = /^[a-z0-9]([a-z0-9-]{0,32}[a-z0-9])?$/;

interface Place {
  readonly cluster: Cluster;
  readonly pool: Resource;
}

export function machines(service: ContainerService): ResourceType {
  const { env, undertakings } = service;
  const base = managedType(env, {
    type: machineType,
    isTracked: false,
    notFound: (call) => notFound('machine', nameOf(call.path)),
    conditionFailed: conditionNotMet,
    plan: (write) => {
      const place = placeOf(env, write.call);
      const { body, call, existing } = write;
      return existing === undefined
        ? planNew(service, { call, body, place, name: write.name })
        : planChange(service, { call, body, place, existing });
    },
    show: (machine) => shownMachine(env, machine),
    removed: (machine) => removeParts(env, machine),
  });
  const { delete: _, list, put, ...rest } = undertakings.answering(base);
  return {
    ...rest,
    list: (call) => {
      if (env.store.get(call.id) === undefined) {
        throw notFound('agent pool', call.path.names[1] ?? '');
      }
      return list?.(call) ?? { status: 200 };
    },
    put: (call) => {
      placeOf(env, call);
      return putBatch(call, {
        put: (member) => put?.(member) ?? { status: 405 },
        exists: (id) => env.store.get(id) !== undefined,
        strike: (id) => env.faults.strike(call.operation, id),
      });
    },
  };
}

function placeOf(env: AzureEnvironment, call: ArmCall): Place {
  const [clusterName = '', poolName = ''] = call.path.names;
  const poolId = parentOf(call.path) ?? '';
  const pool = env.store.get(poolId);
  const cluster = env.store.get(poolId.split('/').slice(0, -2).join('/'));
  if (cluster === undefined) throw notFound('managed cluster', clusterName);
  if (pool === undefined) throw notFound('agent pool', poolName);
  return { cluster: clusterFrom(env, cluster), pool };
}

function planNew(
  service: ContainerService,
  wish: {
    readonly call: ArmCall;
    readonly body: JsonObject;
    readonly place: Place;
    readonly name: string;
  },
): WritePlan {
  const { env, undertakings } = service;
  const { call, place, name } = wish;
  const { cluster, pool } = place;
  if (!validName.test(name)) {
    throw invalidParameter(
      'machine.name',
      `The name '${name}' must have 1 to 34 lower-case letters, digits and hyphens`,
    );
  }
  const body = newMachine(service, { cluster, pool, body: wish.body, headers: call.headers });
  const vmName = `aks-${pool.name}-${name}-${randomDigits(env)}-vm`;
  return {
    isImmediate: true,
    body: newBody(env, body, nodeResourceId(cluster, virtualMachineType, vmName)),
    accepted: (machine) => {
      undertakings.begin(call, machine, {
        state: 'Creating',
        location: cluster.location,
        parts: [making({ service, call, cluster, machine, pool: pool.name })],
        ended: (error) => {
          if (error !== undefined) markFailed(env, machine.id, error);
        },
      });
    },
  };
}

/** Eight digits of chance, as in the names of AKS. */
export function randomDigits({ random }: AzureEnvironment): string {
  return String(Math.floor(random.next() * 100_000_000)).padStart(8, '0');
}

/** With what AKS itself says of a machine. */
export function newBody(env: AzureEnvironment, body: JsonObject, vmId: string): JsonObject {
  return {
    ...body,
    properties: {
      ...objectAt(body, 'properties'),
      resourceId: vmId,
      status: {
        creationTimestamp: new Date(env.clock.now()).toISOString(),
        driftAction: 'Synced',
      },
    },
  };
}

function planChange(
  service: ContainerService,
  wish: {
    readonly call: ArmCall;
    readonly body: JsonObject;
    readonly place: Place;
    readonly existing: Resource;
  },
): WritePlan {
  const { existing, call, place } = wish;
  if (isBusy(existing)) throw inProgress('machine', existing.name, stateOf(existing));
  const body = changedMachine(existing, wish.body);
  const tags = objectAt(body, 'properties', 'tags') ?? {};
  const { cluster, pool } = place;
  return {
    isImmediate: true,
    body,
    accepted: (machine) => {
      service.undertakings.begin(call, machine, {
        state: 'Updating',
        location: cluster.location,
        parts: [retagging({ service, call, caller: cluster.caller }, { machine, pool, tags })],
      });
    },
  };
}

/** The tags of a machine are those of all it is made of. */
function retagging(
  from: ServiceCaller,
  change: { readonly machine: Resource; readonly pool: Resource; readonly tags: JsonObject },
): Part {
  const { env } = from.service;
  const { machine, pool, tags } = change;
  const vmId = textAt(machine.body, 'properties', 'resourceId');
  const body = { tags: { ...tags, [poolTag]: pool.name } };
  const steps = [nicIdOf(vmId), vmId].map((id) => () => {
    if (env.store.get(id) === undefined) return undefined;
    return callAzure(from, { method: 'PATCH', id, body });
  });
  return (done) => inSequence(env, steps, done);
}

function shownMachine(env: AzureEnvironment, machine: Resource): JsonObject {
  const tagged = withValue(machine.body, ['properties', 'eTag'], machine.etag);
  const vm = env.store.get(textAt(machine.body, 'properties', 'resourceId'));
  const state = ['properties', 'status', 'vmState'];
  if (vm === undefined) {
    const isMade = stateOf(machine) === 'Succeeded';
    return isMade ? withValue(tagged, state, 'Deleted') : tagged;
  }
  // Pods' own addresses stand behind the first one and are not shown.
  const [first] = objectsAt(env.store.get(nicIdOf(vm.id))?.body, 'properties', 'ipConfigurations');
  const ip = textAt(first, 'properties', 'privateIPAddress');
  const addresses = ip === '' ? [] : [{ family: 'IPv4', ip }];
  const placed = withValue(tagged, ['properties', 'network', 'ipAddresses'], addresses);
  return powerStateOf(vm) === 'running' ? withValue(placed, state, 'Running') : placed;
}

export function machinesOf(env: AzureEnvironment, poolId: string): Resource[] {
  return env.store.list(machineType, poolId);
}
