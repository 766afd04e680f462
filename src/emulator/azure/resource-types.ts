// The table of everything that this Azure knows: one line for each type of resource, by provider. A type that is not
// here does not exist. To add one, write its file and add its line.
import { roleAssignments } from './authorization/role-assignments.ts';
import { roleDefinitions } from './authorization/role-definitions.ts';
import type { ResourceType } from './arm/arm-call.ts';
import type { Compute } from './compute/compute.ts';
import { computeTypes } from './compute/compute-types.ts';
import type { ContainerService } from './containerservice/container-service.ts';
import { containerServiceTypes } from './containerservice/container-service-types.ts';
import { deploymentTypes } from './deployments/deployments.ts';
import { managedIdentityTypes } from './managed-identity/managed-identity-types.ts';
import { networkTypes } from './network/network-types.ts';
import { operationResultType } from './operations/operation-types.ts';
import { resourceGraph, type ResourceGraphOptions } from './resource-graph/resource-graph.ts';
import { featureTypes } from './resources/features.ts';
import { genericResources } from './resources/generic-resources.ts';
import { providerTypes, type ProviderOptions } from './resources/providers.ts';
import { resourceGroups } from './resources/resource-groups.ts';
import { subscriptionTypes } from './resources/subscriptions.ts';
import { tagTypes } from './resources/tags.ts';

export function resourceTypes(
  compute: Compute,
  providers: Omit<ProviderOptions, 'env'> & {
    readonly containerService: ContainerService;
    readonly graph?: ResourceGraphOptions | undefined;
  },
): ResourceType[] {
  const { env } = compute;
  return [
    ...subscriptionTypes(env),
    resourceGroups(env),
    ...genericResources(env),
    ...providerTypes({ env, ...providers }),
    operationResultType(env.operations),
    ...featureTypes(),
    tagTypes(env),
    ...deploymentTypes(env, providers.registry),

    roleAssignments(env),
    roleDefinitions(env),

    ...networkTypes(env),
    ...computeTypes(compute),
    ...managedIdentityTypes(env),
    ...containerServiceTypes(providers.containerService),
    resourceGraph(env, providers.graph),
  ];
}
