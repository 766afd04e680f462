// Federated credentials of an identity: whose tokens are taken in its name. In: issuer, subject, audience. Out: the directory
// knows them at once. No two of an identity trust the same subject of the same issuer, and there are twenty at most.
import { listAt, objectAt, textAt, without, type JsonObject } from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType, type Write } from '../arm/managed-type.ts';
import { parentOf, parseResourceId } from '../arm/resource-id.ts';
import type { AzureEnvironment } from '../environment.ts';
import { ArmError } from '../errors.ts';
import type { Resource } from '../store.ts';

const type = 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials';
const most = 20;

const nameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{2,119}$/,
  rule: 'The name of a federated credential has 3 to 120 characters: letters, digits, hyphens and underscores; it begins with a letter or a digit.',
};

export function federatedCredentials(env: AzureEnvironment): ResourceType {
  return managedType(env, {
    type,
    name: nameRule,
    removesAtOnce: true,
    plan: (write) => {
      const properties = checked(write);
      checkRoom(env, write, properties);
      return {
        isImmediate: true,
        body: { properties },
        accepted: ({ id }) => tellDirectory(env, identityOf(id)),
      };
    },
    show: ({ body }) => ({
      properties: without(objectAt(body, 'properties') ?? {}, 'provisioningState'),
    }),
    removed: ({ id }) => tellDirectory(env, identityOf(id)),
  });
}

function identityOf(credentialId: string): string {
  const parsed = parseResourceId(credentialId);
  return (parsed === undefined ? undefined : parentOf(parsed)) ?? '';
}

function checked({ body }: Write): JsonObject {
  const properties = objectAt(body, 'properties');
  const issuer = textAt(properties, 'issuer');
  const subject = textAt(properties, 'subject');
  const audiences = listAt(properties, 'audiences').filter((one) => typeof one === 'string');
  if (subject === '') throw badRequest('The property subject is required and cannot be empty.');
  if (audiences.length !== 1) {
    throw badRequest('The property audiences must have exactly one value.');
  }
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:') {
    throw badRequest(`The property issuer '${issuer}' must be an https URL.`);
  }
  return { issuer, subject, audiences };
}

function checkRoom(env: AzureEnvironment, write: Write, asked: JsonObject): void {
  const others = credentialsOf(env, identityOf(write.id)).filter(
    ({ id }) => id !== write.existing?.id,
  );
  const twin = others.find(
    ({ body }) =>
      textAt(body, 'properties', 'issuer') === asked['issuer'] &&
      textAt(body, 'properties', 'subject') === asked['subject'],
  );
  if (twin !== undefined) {
    throw new ArmError(
      409,
      'Conflict',
      'Issuer and subject combination already exists for this Managed Identity.',
    );
  }
  if (others.length < most) return;
  throw badRequest(`Too many Federated Identity Credentials. Maximum allowed is ${most}.`);
}

function badRequest(message: string): ArmError {
  return new ArmError(400, 'BadRequest', message);
}

function credentialsOf(env: AzureEnvironment, identityId: string): Resource[] {
  return env.store.list(type, identityId);
}

function tellDirectory(env: AzureEnvironment, identityId: string): void {
  const principal = env.directory.byResourceId(identityId);
  // Gone before its credentials: then nobody trusts them any more.
  if (principal === undefined) return;
  const federated = credentialsOf(env, identityId).map(({ name, body }) => ({
    name,
    issuer: textAt(body, 'properties', 'issuer'),
    subject: textAt(body, 'properties', 'subject'),
    audiences: listAt(body, 'properties', 'audiences').filter((one) => typeof one === 'string'),
  }));
  env.directory.put({ ...principal, federated });
}
