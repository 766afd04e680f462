// Managed clusters. In: PUT, GET, PATCH of tags, DELETE, and the actions of `az aks`. Out: the cluster with its pools, and in a
// group of their own its network and nodes. A cluster that goes takes that group with it.
import {
  objectAt,
  objectsAt,
  stringAt,
  textAt,
  withValue,
  type JsonObject,
} from '../../kube/json.ts';
import { ok, type ArmCall, type ArmReply, type ResourceType } from '../arm/arm-call.ts';
import { managedType, type Write, type WritePlan } from '../arm/managed-type.ts';
import { groupId } from '../arm/resource-id.ts';
import { plannedIdentity } from '../compute/vm/identity.ts';
import type { AzureEnvironment } from '../environment.ts';
import { resourceNotFound } from '../errors.ts';
import type { Resource } from '../store.ts';
import { poolProfiles } from './agent-pools.ts';
import { agentPoolType, clusterFrom, isBusy, managedClusterType, stateOf } from './cluster.ts';
import { checkCluster } from './cluster-checks.ts';
import { clusterProperties } from './cluster-defaults.ts';
import {
  ensureKubeletIdentity,
  ensureNodeGroup,
  grantRights,
  infrastructureSteps,
} from './cluster-infrastructure.ts';
import type { ContainerService } from './container-service.ts';
import { credentialActions } from './credentials.ts';
import { inProgress } from './errors.ts';
import { upgradesOf } from './kubernetes-versions.ts';
import { randomDigits } from './machines.ts';
import { poolProperties } from './pool-defaults.ts';
import { scaling } from './pool-scale.ts';
import { inSequence } from './service-calls.ts';
import type { Part } from './undertakings.ts';

const nameRule = {
  pattern: /^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/,
  rule: 'The name of a managed cluster has 1 to 63 characters: letters, digits, underscores and hyphens; it begins and ends with a letter or a digit.',
};

export function managedClusters(service: ContainerService): ResourceType[] {
  const { env, undertakings } = service;
  const base = managedType(env, {
    type: managedClusterType,
    name: nameRule,
    etagField: 'eTag',
    patch: 'tags',
    links: ({ body }) =>
      subnetsIn(body).map((scope) => ({
        action: 'Microsoft.Network/virtualNetworks/subnets/join/action',
        scope,
      })),
    plan: (write) => planCluster(service, write),
    show: (cluster) => shownCluster(env, cluster),
    checkRemoval: (cluster) => {
      if (isBusy(cluster)) throw inProgress('managed cluster', cluster.name, stateOf(cluster));
    },
    removed: (cluster) => removeNodeGroup(env, cluster),
    actions: credentialActions(service),
  });
  return [undertakings.answering(base), upgradeProfiles(service)];
}

function poolsIn(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'properties', 'agentPoolProfiles');
}

function subnetsIn(body: JsonObject): string[] {
  const ids = poolsIn(body).flatMap((pool) => stringAt(pool, 'vnetSubnetID') ?? []);
  return [...new Set(ids)];
}

function planCluster(service: ContainerService, write: Write): WritePlan {
  const { env } = service;
  const { existing, body, name, id, location, call } = write;
  const suffix = stringAt(existing?.hidden, 'suffix') ?? randomDigits(env);
  const properties = clusterProperties(service, write, suffix);
  checkCluster(service, write, properties);
  const { subscriptionId } = call.path;
  const nodeResourceGroup = textAt(properties, 'nodeResourceGroup');
  const place = { id, name, location, subscriptionId, nodeResourceGroup };
  const draft = { ...(existing ?? emptyResource(write)), body: { location, properties } };
  const pools = plannedPools(service, draft, body);
  // From here on nothing is refused: an identity is a principal as soon as it is planned.
  const identity = plannedIdentity(env, objectAt(body, 'identity') ?? { type: 'SystemAssigned' }, {
    vmId: id,
    before: objectAt(existing?.body, 'identity'),
  });
  ensureNodeGroup(env, place);
  const kubelet = kubeletIdentity(env, properties, body) ?? ensureKubeletIdentity(env, place);
  const profile = {
    kubeletidentity: {
      resourceId: kubelet.id,
      clientId: kubelet.clientId,
      objectId: kubelet.principalId,
    },
  };
  return {
    isImmediate: true,
    hidden: { suffix },
    body: {
      sku: objectAt(body, 'sku') ?? { name: 'Base', tier: 'Free' },
      ...(identity === undefined ? {} : { identity }),
      properties: { ...properties, identityProfile: profile },
    },
    accepted: (cluster) => carryOut(service, { call, cluster, pools, existing, body }),
  };
}

function emptyResource({ id, name, call }: Write): Resource {
  const { subscriptionId, resourceGroup } = call.path;
  const nothing = { body: {}, hidden: {}, etag: '', createdMs: 0, changedMs: 0 };
  return {
    ...nothing,
    id,
    key: id.toLowerCase(),
    type: managedClusterType,
    name,
    subscriptionId,
    resourceGroup,
  };
}

/** The one that was given, or the one that is there. */
function kubeletIdentity(
  env: AzureEnvironment,
  properties: JsonObject,
  body: JsonObject,
): { readonly id: string; readonly clientId: string; readonly principalId: string } | undefined {
  const path = ['identityProfile', 'kubeletidentity', 'resourceId'] as const;
  const id = stringAt(body, 'properties', ...path) ?? stringAt(properties, ...path);
  const principal = id === undefined ? undefined : env.directory.byResourceId(id);
  if (id === undefined || principal === undefined) return undefined;
  return { id, clientId: principal.clientId, principalId: principal.objectId };
}

interface PlannedPool {
  readonly name: string;
  readonly id: string;
  readonly properties: JsonObject;
}

/** Checked before anything is stored. */
function plannedPools(service: ContainerService, draft: Resource, body: JsonObject): PlannedPool[] {
  const { env } = service;
  const cluster = clusterFrom(env, draft);
  return poolsIn(body).map((asked) => {
    const name = textAt(asked, 'name');
    const id = `${draft.id}/agentPools/${name}`;
    const before = objectAt(env.store.get(id)?.body, 'properties');
    return { name, id, properties: poolProperties(service, cluster, { name, asked, before }) };
  });
}

function carryOut(
  service: ContainerService,
  work: {
    readonly call: ArmCall;
    readonly cluster: Resource;
    readonly pools: readonly PlannedPool[];
    readonly existing: Resource | undefined;
    readonly body: JsonObject;
  },
): void {
  const { env } = service;
  const { call, existing } = work;
  const cluster = clusterFrom(env, work.cluster);
  const subnetIds = subnetsIn(work.body);
  if (existing === undefined) {
    const isOwn = textAt(work.cluster.body, 'identity', 'type').includes('SystemAssigned');
    grantRights(env, cluster, isOwn ? subnetIds : []);
  }
  for (const pool of work.pools) {
    const isNew = env.store.get(pool.id) === undefined;
    env.lifecycle.save(pool.id, agentPoolType, { body: { properties: pool.properties } });
    env.lifecycle.setState(pool.id, isNew ? 'Creating' : 'Updating');
  }
  const from = { service, call, caller: cluster.caller };
  const building: Part = (done) =>
    inSequence(env, infrastructureSteps(from, cluster, subnetIds.length > 0), (error) => {
      if (error === undefined) scaleAll(service, { call, work, done });
      else done(error);
    });
  service.undertakings.begin(call, work.cluster, {
    state: existing === undefined ? 'Creating' : 'Updating',
    location: cluster.location,
    parts: [building],
  });
}

/** Each pool is done when its own nodes are; the cluster when all pools are. */
function scaleAll(
  service: ContainerService,
  run: {
    readonly call: ArmCall;
    readonly work: { readonly cluster: Resource; readonly pools: readonly PlannedPool[] };
    readonly done: (error?: Parameters<Parameters<Part>[0]>[0]) => void;
  },
): void {
  const { env, undertakings } = service;
  const { call, work } = run;
  const cluster = clusterFrom(env, work.cluster);
  const parts = work.pools.map(({ id }): Part => {
    const pool = env.store.get(id);
    const nodes = pool === undefined ? [] : scaling({ service, call, cluster, pool });
    return (done) =>
      undertakings.gather(nodes, (error) => {
        undertakings.settle(id, error);
        done(error);
      });
  });
  undertakings.gather(parts, run.done);
}

function shownCluster(env: AzureEnvironment, cluster: Resource): JsonObject {
  return withValue(
    cluster.body,
    ['properties', 'agentPoolProfiles'],
    poolProfiles(env, cluster.id),
  );
}

/** Compute first: what a machine holds is free only when the machine is gone. */
function removeNodeGroup(env: AzureEnvironment, cluster: Resource): void {
  const { subscriptionId, body } = cluster;
  const group = groupId(subscriptionId, textAt(body, 'properties', 'nodeResourceGroup'));
  for (const resource of env.store.below(group)) {
    if (resource.type.startsWith('Microsoft.Compute/')) env.lifecycle.remove(resource.id);
  }
  env.lifecycle.remove(group);
  env.directory.remove(textAt(body, 'identity', 'principalId'));
}

function upgradeProfiles(service: ContainerService): ResourceType {
  const type = `${managedClusterType}/upgradeProfiles`;
  return {
    type,
    get: (call): ArmReply => {
      const id = call.id.split('/').slice(0, 9).join('/');
      const resource = service.env.store.get(id);
      if (resource === undefined) {
        throw resourceNotFound(
          `${managedClusterType}/${call.path.names[0] ?? ''}`,
          call.path.resourceGroup,
        );
      }
      const { kubernetesVersion } = clusterFrom(service.env, resource);
      const profile = (current: string, name?: string): JsonObject => ({
        kubernetesVersion: current,
        ...(name === undefined ? {} : { name }),
        osType: 'Linux',
        upgrades: upgradesOf(service.kubernetesVersions, current).map((version) => ({
          kubernetesVersion: version,
        })),
      });
      const pools = service.env.store
        .list(agentPoolType, id)
        .map(({ name, body }) =>
          profile(textAt(body, 'properties', 'currentOrchestratorVersion'), name),
        );
      return ok({
        id: call.id,
        name: 'default',
        type,
        properties: { controlPlaneProfile: profile(kubernetesVersion), agentPoolProfiles: pools },
      });
    },
  };
}
