// What AKS refuses of a cluster. In: what was asked for and what is there. Out: nothing, or AKS's refusal: of changes that a
// cluster cannot make, and of node provisioning by AKS where it cannot work or could not be switched off safely.
import { at, objectAt, objectsAt, stringAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Write } from '../arm/managed-type.ts';
import { groupId } from '../arm/resource-id.ts';
import { virtualMachineType } from '../compute/vm/machine.ts';
import type { Resource } from '../store.ts';
import type { ArmError } from '../errors.ts';
import { isAutoProvisioned, isBusy, stateOf } from './cluster.ts';
import type { ContainerService } from './container-service.ts';
import { aksError, badRequest, inProgress, invalidParameter } from './errors.ts';
import { compareVersions } from './kubernetes-versions.ts';

const nodePoolTag = 'karpenter.sh_nodepool';

const fixed = [
  ['dnsPrefix'],
  ['nodeResourceGroup'],
  ['networkProfile', 'serviceCidr'],
  ['networkProfile', 'dnsServiceIP'],
  ['networkProfile', 'loadBalancerSku'],
] as const;

/** `properties`: as they would be stored. */
export function checkCluster(
  service: ContainerService,
  write: Write,
  properties: JsonObject,
): void {
  const { existing, body } = write;
  const pools = objectsAt(body, 'properties', 'agentPoolProfiles');
  if (existing === undefined) checkNew(pools);
  else checkChange(service, existing, properties);
  if (isAutoProvisioned(properties)) checkProvisioning(properties, { body, pools });
}

function checkNew(pools: readonly JsonObject[]): void {
  if (pools.some((pool) => textAt(pool, 'mode') === 'System')) return;
  throw invalidParameter('agentPoolProfile.mode', 'There has to be at least one system agent pool');
}

function checkChange(service: ContainerService, existing: Resource, properties: JsonObject): void {
  if (isBusy(existing)) throw inProgress('managed cluster', existing.name, stateOf(existing));
  const before = objectAt(existing.body, 'properties') ?? {};
  for (const path of fixed) {
    const [was, is] = [at(before, ...path), at(properties, ...path)];
    if (was === undefined || was === is) continue;
    throw propertyChange(`properties.${path.join('.')}`);
  }
  const [was, is] = [textAt(before, 'kubernetesVersion'), textAt(properties, 'kubernetesVersion')];
  if (compareVersions(is, was) < 0) {
    throw badRequest(
      `Downgrading the cluster is not allowed. Current version: ${was}, desired version: ${is}.`,
    );
  }
  const turnsOff = isAutoProvisioned(before) && !isAutoProvisioned(properties);
  if (turnsOff) checkNoneLeft(service, existing, textAt(before, 'nodeResourceGroup'));
}

export function propertyChange(property: string): ArmError {
  return aksError(
    409,
    'PropertyChangeNotAllowed',
    `Changing property '${property}' is not allowed.`,
  );
}

function checkProvisioning(
  properties: JsonObject,
  { body, pools }: { readonly body: JsonObject; readonly pools: readonly JsonObject[] },
): void {
  const plugin = textAt(properties, 'networkProfile', 'networkPlugin');
  if (plugin === 'kubenet') {
    throw badRequest(
      "Node auto provisioning is not supported with network plugin 'kubenet'. Please use network plugin 'azure' or 'none'.",
    );
  }
  const scaled = pools.find((pool) => pool['enableAutoScaling'] === true);
  if (scaled !== undefined) {
    throw badRequest(
      `Node auto provisioning cannot be enabled while cluster autoscaler is enabled on agent pool '${textAt(scaled, 'name')}'. Please disable cluster autoscaler on all agent pools first.`,
    );
  }
  const principal = textAt(properties, 'servicePrincipalProfile', 'clientId');
  if (stringAt(body, 'identity', 'type') === 'None' || principal !== 'msi') {
    throw badRequest(
      'Node auto provisioning requires a managed identity; service principals are not supported.',
    );
  }
}

/** Nodes that nobody would remove any more. */
function checkNoneLeft(service: ContainerService, cluster: Resource, nodeGroup: string): void {
  const scope = groupId(cluster.subscriptionId, nodeGroup);
  const left = service.env.store
    .list(virtualMachineType, scope)
    .filter(({ body }) => stringAt(body, 'tags', nodePoolTag) !== undefined);
  if (left.length === 0) return;
  throw badRequest(
    `Node auto provisioning cannot be disabled while there are ${left.length} node(s) that it has provisioned. Please delete all NodePools and NodeClaims first.`,
  );
}
