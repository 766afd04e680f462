// Agent pools: sets of nodes of one kind, and the one that holds machines made one by one. In: PUT, GET, DELETE, and the deletion
// of machines in batches. Out: the pool, whose nodes follow its count.
import type { Json } from '../../../api/meta.ts';
import {
  at,
  listAt,
  objectAt,
  stringAt,
  textAt,
  withValue,
  type JsonObject,
} from '../../kube/json.ts';
import { ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import { nameOf } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { resourceNotFound } from '../errors.ts';
import type { Resource } from '../store.ts';
import { agentPoolType, clusterFrom, isBusy, stateOf, type Cluster } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { badRequest, conditionNotMet, inProgress, noValidMachines, notFound } from './errors.ts';
import { upgradesOf } from './kubernetes-versions.ts';
import { unmaking } from './machine-run.ts';
import { machinesOf } from './machines.ts';
import { checkedSize, newestImage, poolProperties } from './pool-defaults.ts';
import { scaling } from './pool-scale.ts';

export function agentPools(service: ContainerService): ResourceType[] {
  const { env, undertakings } = service;
  const base = managedType(env, {
    type: agentPoolType,
    isTracked: false,
    notFound: (call) => notFound('agent pool', nameOf(call.path)),
    conditionFailed: conditionNotMet,
    links: ({ body }) => {
      const scope = stringAt(body, 'properties', 'vnetSubnetID');
      const action = 'Microsoft.Network/virtualNetworks/subnets/join/action';
      return scope === undefined ? [] : [{ action, scope }];
    },
    plan: ({ call, name, body, existing }) => {
      const owner = clusterOf(env, call);
      const cluster = clusterFrom(env, owner);
      for (const one of [owner, existing]) {
        if (one !== undefined && isBusy(one)) throw inProgress(wordOf(one), one.name, stateOf(one));
      }
      return {
        isImmediate: true,
        body: {
          properties: poolProperties(service, cluster, {
            name,
            asked: objectAt(body, 'properties') ?? {},
            before: objectAt(existing?.body, 'properties'),
          }),
        },
        accepted: (pool) => {
          undertakings.begin(call, pool, {
            state: existing === undefined ? 'Creating' : 'Updating',
            location: cluster.location,
            parts: scaling({ service, call, cluster, pool }),
          });
        },
      };
    },
    show: shownPool,
    checkRemoval: (pool, call) => checkRemoval(env, pool, call),
    actions: {
      deleteMachines: (pool, call) => deleteMachines(service, pool, call),
      upgradeNodeImageVersion: (pool, call) => upgradeImage(service, pool, call),
    },
  });
  return [undertakings.answering(base), poolUpgrades(service), availableVersions(service)];
}

function wordOf({ type }: Resource): string {
  return type === agentPoolType ? 'agent pool' : 'managed cluster';
}

function clusterOf(env: AzureEnvironment, call: ArmCall): Resource {
  const id = call.id.split('/').slice(0, 9).join('/');
  const cluster = env.store.get(id);
  if (cluster !== undefined) return cluster;
  const [name = ''] = call.path.names;
  throw resourceNotFound(
    `Microsoft.ContainerService/managedClusters/${name}`,
    call.path.resourceGroup,
  );
}

/** Also as it stands inside its cluster. */
export function shownPool({ body, etag }: Resource): JsonObject {
  return withValue(body, ['properties', 'eTag'], etag);
}

function checkRemoval(env: AzureEnvironment, pool: Resource, call: ArmCall): void {
  const cluster = clusterOf(env, call);
  for (const one of [cluster, pool]) {
    if (isBusy(one)) throw inProgress(wordOf(one), one.name, stateOf(one));
  }
  const isSystem = (one: Resource): boolean => textAt(one.body, 'properties', 'mode') === 'System';
  const others = env.store.list(agentPoolType, cluster.id).filter(({ id }) => id !== pool.id);
  if (!isSystem(pool) || others.some((one) => isSystem(one))) return;
  throw badRequest(
    `There has to be at least one system agent pool; agent pool '${pool.name}' is the last one.`,
  );
}

function deleteMachines(service: ContainerService, pool: Resource, call: ArmCall): ArmReply {
  const { env, undertakings } = service;
  const asked = listAt(call.body, 'machineNames').filter((name) => typeof name === 'string');
  const known = machinesOf(env, pool.id);
  const byName = new Map(known.map((machine) => [machine.name.toLowerCase(), machine]));
  const missing = asked.filter((name) => !byName.has(name.toLowerCase()));
  if (asked.length === 0 || missing.length > 0) {
    throw noValidMachines(
      missing,
      known.map(({ name }) => name),
    );
  }
  const cluster = clusterFrom(env, clusterOf(env, call));
  const machines = asked.flatMap((name) => byName.get(name.toLowerCase()) ?? []);
  const started = undertakings.run(call, {
    location: cluster.location,
    parts: machines.map((machine) => unmaking({ service, call, cluster, machine })),
    ended: () => recount(env, pool.id),
  });
  return { status: 202, headers: started.headers };
}

/** Every node is made anew from the newest image. */
function upgradeImage(service: ContainerService, pool: Resource, call: ArmCall): ArmReply {
  const { env, undertakings } = service;
  if (isBusy(pool)) throw inProgress('agent pool', pool.name, stateOf(pool));
  const cluster = clusterFrom(env, clusterOf(env, call));
  const properties = objectAt(pool.body, 'properties') ?? {};
  const size = checkedSize(service, textAt(properties, 'vmSize'), cluster.location);
  const image = newestImage(service, cluster, properties, size);
  if (image === undefined)
    throw badRequest(`There is no node image for agent pool '${pool.name}'.`);
  const changed = env.lifecycle.update(pool.id, (body) =>
    withValue(body, ['properties', 'nodeImageVersion'], image),
  );
  const started = undertakings.begin(call, pool, {
    state: 'Updating',
    location: cluster.location,
    parts: scaling({ service, call, cluster, pool: changed ?? pool }),
  });
  return { status: 202, headers: started.headers };
}

/** A pool whose nodes are counted has so many fewer now. */
function recount(env: AzureEnvironment, poolId: string): void {
  const pool = env.store.get(poolId);
  if (pool === undefined || at(pool.body, 'properties', 'mode') === 'Machines') return;
  const count = machinesOf(env, poolId).length;
  env.lifecycle.update(poolId, (body) => withValue(body, ['properties', 'count'], count));
}

function poolUpgrades(service: ContainerService): ResourceType {
  return {
    type: `${agentPoolType}/upgradeProfiles`,
    get: (call) => {
      const cluster = clusterFrom(service.env, clusterOf(service.env, call));
      const pool = service.env.store.get(call.id.split('/').slice(0, 11).join('/'));
      if (pool === undefined) throw notFound('agent pool', call.path.names[1] ?? '');
      return ok({
        id: call.id,
        name: 'default',
        type: `${agentPoolType}/upgradeProfiles`,
        properties: upgradeProfile(service, cluster, objectAt(pool.body, 'properties') ?? {}),
      });
    },
  };
}

function upgradeProfile(service: ContainerService, cluster: Cluster, pool: JsonObject): JsonObject {
  const current = textAt(pool, 'currentOrchestratorVersion');
  const size = service.compute.catalog.find(textAt(pool, 'vmSize'), cluster.location);
  const latest = size === undefined ? undefined : newestImage(service, cluster, pool, size);
  const upgrades = upgradesOf(service.kubernetesVersions, current);
  return {
    kubernetesVersion: current,
    osType: 'Linux',
    upgrades: upgrades.map((kubernetesVersion) => ({ kubernetesVersion })),
    ...(latest === undefined ? {} : { latestNodeImageVersion: latest }),
  };
}

function availableVersions(service: ContainerService): ResourceType {
  const type = 'Microsoft.ContainerService/managedClusters/availableAgentPoolVersions';
  return {
    type,
    list: (call) => {
      const { kubernetesVersion } = clusterFrom(service.env, clusterOf(service.env, call));
      const agentPoolVersions = service.kubernetesVersions.map((version) => ({
        kubernetesVersion: version,
        ...(version === kubernetesVersion ? { default: true } : {}),
      }));
      return ok({ id: call.id, name: 'default', type, properties: { agentPoolVersions } });
    },
  };
}

export function poolProfiles(env: AzureEnvironment, clusterId: string): Json[] {
  return env.store
    .list(agentPoolType, clusterId)
    .map((pool) => ({ name: pool.name, ...objectAt(shownPool(pool), 'properties') }));
}
