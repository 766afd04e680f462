// All that Microsoft.ManagedIdentity has here.
import type { ResourceType } from '../arm/arm-call.ts';
import type { AzureEnvironment } from '../environment.ts';
import { federatedCredentials } from './federated-credentials.ts';
import { systemAssignedIdentities } from './system-assigned-identities.ts';
import { userAssignedIdentities } from './user-assigned-identities.ts';

export function managedIdentityTypes(env: AzureEnvironment): ResourceType[] {
  return [userAssignedIdentities(env), federatedCredentials(env), systemAssignedIdentities(env)];
}
