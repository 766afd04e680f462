// All that Microsoft.ContainerService has here.
import type { ResourceType } from '../arm/arm-call.ts';
import { operationTypes } from '../operations/operation-types.ts';
import { agentPools } from './agent-pools.ts';
import type { ContainerService } from './container-service.ts';
import { kubernetesVersionList } from './kubernetes-versions.ts';
import { machines } from './machines.ts';
import { maintenanceConfigurations } from './maintenance-configurations.ts';
import { managedClusters } from './managed-clusters.ts';
import { nodeImageVersions } from './node-images.ts';

export function containerServiceTypes(service: ContainerService): ResourceType[] {
  return [
    ...managedClusters(service),
    ...agentPools(service),
    machines(service),
    maintenanceConfigurations(service),
    kubernetesVersionList(service),
    nodeImageVersions(service.env, service.images),
    ...operationTypes(service.env.operations, 'Microsoft.ContainerService'),
  ];
}
