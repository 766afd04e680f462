// What AKS refuses of a machine before it makes anything. In: the body of a PUT. Out: the properties to store, or AKS's refusal.
// What only the machine's own providers know (quota, capacity, whether the image boots there) is found out when it is made.
import {
  at,
  listAt,
  numberAt,
  objectAt,
  sameJson,
  stringAt,
  textAt,
  without,
  type JsonObject,
} from '../../kube/json.ts';
import { checkedTags } from '../arm/validation.ts';
import type { ArmCall } from '../arm/arm-call.ts';
import type { Resource } from '../store.ts';
import type { Cluster } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { badRequest, invalidParameter, operationNotAllowed } from './errors.ts';
import { compareVersions, resolveVersion } from './kubernetes-versions.ts';
import { checkedSize } from './pool-defaults.ts';

export interface MachineWish {
  readonly cluster: Cluster;
  readonly pool: Resource;
  readonly body: JsonObject;
  readonly headers: ArmCall['headers'];
}

/** Zones and properties of a new machine. */
export function newMachine(service: ContainerService, wish: MachineWish): JsonObject {
  const { cluster, pool, body } = wish;
  const asked = objectAt(body, 'properties') ?? {};
  if (textAt(pool.body, 'properties', 'mode') !== 'Machines') {
    throw operationNotAllowed(
      `Machines can be created only in an agent pool of mode 'Machines'; the mode of agent pool '${pool.name}' is '${textAt(pool.body, 'properties', 'mode')}'.`,
    );
  }
  const size = checkedSize(service, stringAt(asked, 'hardware', 'vmSize') ?? '', cluster.location);
  const version = resolveVersion(
    service,
    stringAt(asked, 'kubernetes', 'orchestratorVersion') ?? cluster.kubernetesVersion,
    cluster.name,
  );
  if (compareVersions(version, cluster.kubernetesVersion) > 0) {
    throw badRequest(
      `Machine version ${version} and control plane version ${cluster.kubernetesVersion} are incompatible. Machine version can not be greater than control plane version.`,
    );
  }
  checkPriority(asked, wish.headers);
  checkMaxPods(asked);
  checkedTags(asked['tags']);
  const osSku = textAt(asked, 'operatingSystem', 'osSKU') || 'Ubuntu';
  const isFips = at(asked, 'operatingSystem', 'enableFIPS') === true;
  const zones = zonesOf(service, body, cluster);
  return {
    ...(zones.length === 0 ? {} : { zones }),
    properties: {
      ...without(asked, 'priority'),
      // Only a spot machine says so.
      ...(textAt(asked, 'priority') === 'Spot' ? { priority: 'Spot' } : {}),
      hardware: { ...objectAt(asked, 'hardware'), vmSize: size.name },
      kubernetes: { ...objectAt(asked, 'kubernetes'), orchestratorVersion: version },
      mode: stringAt(asked, 'mode') ?? 'User',
      nodeImageVersion: imageOf(service, asked, { region: cluster.location, osSku, size, isFips }),
    },
  };
}

function imageOf(
  { images }: ContainerService,
  asked: JsonObject,
  wish: Parameters<ContainerService['images']['newest']>[0],
): string {
  const name = stringAt(asked, 'nodeImageVersion');
  const found = name === undefined ? images.newest(wish) : images.find(name, wish.region);
  if (found !== undefined) return found.fullName;
  throw invalidParameter(
    'machine.properties.nodeImageVersion',
    `Node image version '${name ?? ''}' is not found for OS SKU '${wish.osSku}' in location '${wish.region}'`,
  );
}

function zonesOf(
  { env }: ContainerService,
  body: JsonObject,
  { location }: Cluster,
): readonly string[] {
  const zones = listAt(body, 'zones').filter((zone) => typeof zone === 'string');
  const offered = env.regions.find(location)?.zones ?? [];
  const isThere = zones.every((zone) => offered.includes(zone));
  if (isThere && zones.length <= 1) return zones;
  throw invalidParameter(
    'machine.zones',
    `The zone(s) '${zones.join(',')}' for resource 'machine' is not supported. The supported zones for location '${location}' are '${offered.join(',')}'`,
  );
}

function checkPriority(asked: JsonObject, headers: ArmCall['headers']): void {
  const priority = stringAt(asked, 'priority') ?? 'Regular';
  if (priority !== 'Regular' && priority !== 'Spot') {
    throw invalidParameter('machine.properties.priority', `The value '${priority}' is unknown`);
  }
  const isAllowed = headers['allowspotvmsystemnode']?.toLowerCase() === 'true';
  if (priority === 'Regular' || textAt(asked, 'mode') !== 'System' || isAllowed) return;
  throw badRequest('A machine of mode System cannot have priority Spot.');
}

function checkMaxPods(asked: JsonObject): void {
  const maxPods = numberAt(asked, 'kubernetes', 'maxPods');
  if (maxPods === undefined || (maxPods >= 10 && maxPods <= 250)) return;
  throw invalidParameter(
    'machine.properties.kubernetes.maxPods',
    `The value ${maxPods} must be from 10 to 250`,
  );
}

/** What a machine cannot become. Tags are all that a second write changes. */
export function changedMachine(existing: Resource, body: JsonObject): JsonObject {
  const before = objectAt(existing.body, 'properties') ?? {};
  const asked = objectAt(body, 'properties') ?? {};
  const size = stringAt(asked, 'hardware', 'vmSize');
  const isOther = (a: string | undefined, b: string): boolean =>
    a !== undefined && a.toLowerCase() !== b.toLowerCase();
  const priority = textAt(before, 'priority') || 'Regular';
  const isMoved =
    body['zones'] !== undefined && !sameJson(listAt(body, 'zones'), listAt(existing.body, 'zones'));
  const changes = [
    ['vmSize', isOther(size, textAt(before, 'hardware', 'vmSize'))],
    ['priority', isOther(stringAt(asked, 'priority'), priority)],
    ['zones', isMoved],
  ] as const;
  const changed = changes.find(([, isChanged]) => isChanged);
  if (changed !== undefined) {
    throw operationNotAllowed(
      `Changing property '${changed[0]}' of machine '${existing.name}' is not allowed.`,
    );
  }
  const tags = checkedTags(asked['tags']);
  return { ...existing.body, properties: { ...before, ...(tags === undefined ? {} : { tags }) } };
}
