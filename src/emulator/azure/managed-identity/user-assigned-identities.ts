// User-assigned identities. In: a name and a place. Out: a principal of the directory that machines and workloads can act as;
// its ids never change while it exists, and it can get no token once it is gone.
import { randomUuid } from '../../../base/uuid.ts';
import { objectAt, stringAt, textAt, without, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType } from '../arm/managed-type.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { Resource } from '../store.ts';

export const userAssignedIdentityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';

const nameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/,
  rule: 'The name of an identity has 3 to 128 characters: letters, digits, hyphens and underscores; it begins with a letter or a digit.',
};

export interface IdentityIds {
  readonly id: string;
  readonly principalId: string;
  readonly clientId: string;
}

export function userAssignedIdentities(env: AzureEnvironment): ResourceType {
  return managedType(env, {
    type: userAssignedIdentityType,
    name: nameRule,
    removesAtOnce: true,
    patch: 'tags',
    plan: ({ body, existing }) => ({
      isImmediate: true,
      body: { properties: { ...objectAt(body, 'properties'), ...idsOf(env, existing) } },
      accepted: (identity) => {
        if (existing === undefined) enroll(env, identity);
      },
    }),
    // The real one has no state: it is there or it is not.
    show: ({ body }) => ({
      ...body,
      properties: without(objectAt(body, 'properties') ?? {}, 'provisioningState'),
    }),
    removed: ({ body }) => env.directory.remove(textAt(body, 'properties', 'principalId')),
  });
}

function idsOf(env: AzureEnvironment, existing: Resource | undefined): JsonObject {
  const before = objectAt(existing?.body, 'properties');
  return {
    tenantId: env.tenantId,
    principalId: stringAt(before, 'principalId') ?? randomUuid(env.random),
    clientId: stringAt(before, 'clientId') ?? randomUuid(env.random),
  };
}

function enroll(env: AzureEnvironment, { id, name, body }: Resource): void {
  env.directory.put({
    objectId: textAt(body, 'properties', 'principalId'),
    clientId: textAt(body, 'properties', 'clientId'),
    displayName: name,
    kind: 'ManagedIdentity',
    resourceId: id,
  });
}

/** For a service that makes an identity by itself; the one that is there already is kept. */
export function ensureIdentity(env: AzureEnvironment, id: string, location: string): IdentityIds {
  const existing = env.store.get(id);
  const resource =
    existing ??
    env.lifecycle.save(id, userAssignedIdentityType, {
      body: { location, tags: {}, properties: idsOf(env, undefined) },
    });
  if (existing === undefined) enroll(env, resource);
  return {
    id: resource.id,
    principalId: textAt(resource.body, 'properties', 'principalId'),
    clientId: textAt(resource.body, 'properties', 'clientId'),
  };
}
