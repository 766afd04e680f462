// An agent pool as it is stored. In: what was asked for, and what is there. Out: its properties, with AKS's choice where nothing
// was said; or the refusal of what a pool cannot be or become. A pool of mode Machines has no size and no count of its own.
import { at, numberAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import { isRestricted } from '../compute/size-catalog.ts';
import type { SizeFacts } from '../facts.ts';
import { defaultMaxPods, isAutoProvisioned, type Cluster } from './cluster.ts';
import { propertyChange } from './cluster-checks.ts';
import type { ContainerService } from './container-service.ts';
import { badRequest, invalidParameter, sizeNotSupported } from './errors.ts';
import { compareVersions, resolveVersion } from './kubernetes-versions.ts';

const validName = /^[a-z][a-z0-9]{0,11}$/;
const mostNodes = 1000;
const fixed = [
  'vmSize',
  'osDiskSizeGB',
  'osDiskType',
  'osType',
  'type',
  'maxPods',
  'vnetSubnetID',
  'scaleSetPriority',
];

export interface PoolWish {
  readonly name: string;
  readonly asked: JsonObject;
  readonly before: JsonObject | undefined;
}

export function poolProperties(
  service: ContainerService,
  cluster: Cluster,
  { name, asked: raw, before }: PoolWish,
): JsonObject {
  if (!validName.test(name)) {
    throw invalidParameter(
      'agentPoolProfile.name',
      `The name '${name}' must have 1 to 12 lower-case letters and digits and begin with a letter`,
    );
  }
  const asked = Object.fromEntries(
    Object.entries(raw).filter(
      ([field, value]) => value !== '' && value !== null && field !== 'name',
    ),
  );
  const version = resolveVersion(
    service,
    stringAt(asked, 'orchestratorVersion') ??
      (textAt(before, 'orchestratorVersion') || cluster.kubernetesVersion),
    cluster.name,
  );
  checkVersion(version, cluster);
  const common = commonProperties(cluster, { asked, before, version });
  if (textAt(common, 'osType') !== 'Linux')
    throw badRequest('This emulator has Linux agent pools only.');
  const properties =
    textAt(common, 'mode') === 'Machines'
      ? { ...common, count: 0, type: 'VirtualMachines' }
      : withNodes(service, cluster, { common, before, name });
  checkFixed(before, properties);
  return properties;
}

function commonProperties(
  cluster: Cluster,
  pool: {
    readonly asked: JsonObject;
    readonly before: JsonObject | undefined;
    readonly version: string;
  },
): JsonObject {
  const { asked, before, version } = pool;
  return {
    mode: 'User',
    osSKU: 'Ubuntu',
    osType: 'Linux',
    maxPods: defaultMaxPods(cluster),
    ...kept(before, ['mode', 'osSKU', 'maxPods']),
    ...asked,
    enableFIPS: asked['enableFIPS'] === true,
    orchestratorVersion: version,
    currentOrchestratorVersion: version,
    powerState: { code: 'Running' },
  };
}

function withNodes(
  service: ContainerService,
  cluster: Cluster,
  pool: {
    readonly common: JsonObject;
    readonly before: JsonObject | undefined;
    readonly name: string;
  },
): JsonObject {
  const { common, before } = pool;
  const size = checkedSize(
    service,
    stringAt(common, 'vmSize') ?? stringAt(before, 'vmSize'),
    cluster.location,
  );
  const isUpgrade = textAt(before, 'orchestratorVersion') !== textAt(common, 'orchestratorVersion');
  const image = isUpgrade ? newestImage(service, cluster, common, size) : undefined;
  const isSpot = textAt(common, 'scaleSetPriority') === 'Spot';
  const properties: JsonObject = {
    kubeletDiskType: 'OS',
    osDiskType: 'Managed',
    osDiskSizeGB: 128,
    enableAutoScaling: false,
    enableNodePublicIP: false,
    upgradeSettings: { maxSurge: '10%' },
    type: 'VirtualMachineScaleSets',
    ...kept(before, keptFields),
    ...common,
    vmSize: size.name,
    count: checkedCount(common, before),
    ...(isSpot ? { scaleSetEvictionPolicy: 'Delete', spotMaxPrice: -1 } : {}),
    // Scaling a pool does not upgrade it.
    ...(image === undefined ? kept(before, ['nodeImageVersion']) : { nodeImageVersion: image }),
  };
  checkAutoscaling(cluster, properties, pool.name);
  return properties;
}

const keptFields = ['osDiskType', 'osDiskSizeGB', 'type', 'nodeLabels', 'availabilityZones'];

/** The name of the newest image for nodes of a pool; undefined when there is none. */
export function newestImage(
  service: ContainerService,
  { location }: Cluster,
  pool: JsonObject,
  size: SizeFacts,
): string | undefined {
  return service.images.newest({
    region: location,
    osSku: textAt(pool, 'osSKU'),
    size,
    isFips: pool['enableFIPS'] === true,
  })?.fullName;
}

function kept(before: JsonObject | undefined, fields: readonly string[]): JsonObject {
  const entries = fields.flatMap((field) => {
    const value = before?.[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The smallest that a system pool can live on, where none is named. */
export function checkedSize(
  { compute }: ContainerService,
  name: string | undefined,
  location: string,
): SizeFacts {
  const offered = compute.catalog.offeredIn(location).filter((size) => {
    const placement = size.placements[location];
    return placement !== undefined && !isRestricted(placement, undefined);
  });
  const found =
    name === undefined
      ? offered
          .filter((size) => size.vCpus >= 2 && size.memoryGiB >= 4 && size.architecture === 'x64')
          .filter((size) => size.premiumStorage && size.hyperVGenerations.includes('V2'))
          .toSorted((a, b) => a.vCpus - b.vCpus || a.memoryGiB - b.memoryGiB)[0]
      : offered.find((size) => size.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw sizeNotSupported(name ?? '', location);
  return found;
}

function checkedCount(asked: JsonObject, before: JsonObject | undefined): number {
  const count = numberAt(asked, 'count') ?? numberAt(before, 'count') ?? 1;
  const least = textAt(asked, 'mode') === 'System' ? 1 : 0;
  if (Number.isInteger(count) && count >= least && count <= mostNodes) return count;
  throw invalidParameter(
    'agentPoolProfile.count',
    `The value ${count} must be an integer from ${least} to ${mostNodes}`,
  );
}

function checkAutoscaling(cluster: Cluster, properties: JsonObject, name: string): void {
  if (properties['enableAutoScaling'] !== true) return;
  if (isAutoProvisioned(cluster.properties)) {
    throw badRequest(
      `Cluster autoscaler cannot be enabled on agent pool '${name}' while node auto provisioning is enabled on the cluster.`,
    );
  }
  const [least, most] = [numberAt(properties, 'minCount'), numberAt(properties, 'maxCount')];
  if (least !== undefined && most !== undefined && least <= most) return;
  throw invalidParameter(
    'agentPoolProfile.minCount',
    'minCount and maxCount must be given when cluster autoscaler is enabled, and minCount must not exceed maxCount',
  );
}

function checkVersion(version: string, cluster: Cluster): void {
  if (compareVersions(version, cluster.kubernetesVersion) <= 0) return;
  throw badRequest(
    `Node pool version ${version} and control plane version ${cluster.kubernetesVersion} are incompatible. Node pool version can not be greater than control plane version.`,
  );
}

function checkFixed(before: JsonObject | undefined, properties: JsonObject): void {
  if (before === undefined) return;
  for (const field of fixed) {
    const [was, is] = [at(before, field), at(properties, field)];
    if (was === undefined || was === is) continue;
    throw propertyChange(`properties.${field}`);
  }
}
