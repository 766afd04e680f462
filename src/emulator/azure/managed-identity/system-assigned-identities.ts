// The identity that a resource has by itself, read through the resource. In: any resource as scope. Out: the ids of its
// principal. It is made and unmade with its resource, so nothing can be written here.
import { textAt } from '../../kube/json.ts';
import { ok, type ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { resourceNotFound } from '../errors.ts';

export function systemAssignedIdentities(env: AzureEnvironment): ResourceType {
  return {
    type: 'Microsoft.ManagedIdentity/identities',
    get: (call) => {
      const owner = env.store.get(call.path.scope);
      const principal = env.directory.byResourceId(call.path.scope);
      if (owner === undefined || principal === undefined) {
        throw resourceNotFound(
          'Microsoft.ManagedIdentity/identities/default',
          call.path.resourceGroup,
        );
      }
      return ok({
        id: call.id,
        name: 'default',
        type: 'Microsoft.ManagedIdentity/identities',
        location: textAt(owner.body, 'location'),
        properties: {
          tenantId: env.tenantId,
          principalId: principal.objectId,
          clientId: principal.clientId,
        },
      });
    },
  };
}
