// The identities of a machine. In: what a PUT or a PATCH says of them, and what is there. Out: the identity as it is
// shown, with the ids that the directory gives. A PATCH adds, and takes away only what it sets to null.
import { randomUuid } from '../../../../base/uuid.ts';
import type { Json } from '../../../../api/meta.ts';
import { objectAt, stringAt, textAt, type JsonObject } from '../../../kube/json.ts';
import type { AzureEnvironment } from '../../environment.ts';
import { ArmError } from '../../errors.ts';

export function identityIds(identity: JsonObject | undefined): string[] {
  const assigned = objectAt(identity, 'userAssignedIdentities') ?? {};
  return Object.keys(assigned).filter((id) => assigned[id] !== null);
}

/** Undefined for a machine without any. */
export function plannedIdentity(
  env: AzureEnvironment,
  asked: JsonObject | undefined,
  context: { readonly vmId: string; readonly before?: JsonObject | undefined },
): JsonObject | undefined {
  const { vmId, before } = context;
  if (asked === undefined) return before;
  const types = textAt(asked, 'type').split(/\s*,\s*/);
  const system = types.includes('SystemAssigned') ? systemIdentity(env, vmId, before) : undefined;
  const user = types.includes('UserAssigned') ? userIdentities(env, asked, context) : undefined;
  if (system === undefined && user === undefined) return undefined;
  const held = ['SystemAssigned', 'UserAssigned'].filter((type) => types.includes(type));
  return { type: held.join(', '), ...system, ...user };
}

function userIdentities(
  env: AzureEnvironment,
  asked: JsonObject,
  { vmId, before }: { readonly vmId: string; readonly before?: JsonObject | undefined },
): JsonObject {
  const assigned = mergedIds(asked, before);
  if (assigned.length === 0) {
    throw failedIdentity(
      vmId,
      'The identity ids must not be empty for UserAssigned identity type.',
    );
  }
  const entries = assigned.map((id) => [id, shownIdentity(env, id, vmId)] as const);
  return { userAssignedIdentities: Object.fromEntries(entries) };
}

function mergedIds(asked: JsonObject, before: JsonObject | undefined): string[] {
  const changes = objectAt(asked, 'userAssignedIdentities') ?? {};
  const removed = new Set(
    Object.keys(changes)
      .filter((id) => changes[id] === null)
      .map((id) => id.toLowerCase()),
  );
  const ids = new Map<string, string>();
  for (const id of [...identityIds(before), ...identityIds(asked)]) ids.set(id.toLowerCase(), id);
  return [...ids].filter(([key]) => !removed.has(key)).map(([, id]) => id);
}

function shownIdentity(env: AzureEnvironment, id: string, vmId: string): Json {
  const principal = env.directory.byResourceId(id);
  if (principal === undefined) throw failedIdentity(vmId, `Resource '${id}' was not found.`);
  return { principalId: principal.objectId, clientId: principal.clientId };
}

function systemIdentity(
  env: AzureEnvironment,
  vmId: string,
  before: JsonObject | undefined,
): JsonObject {
  const known = stringAt(before, 'principalId') ?? env.directory.byResourceId(vmId)?.objectId;
  const principalId = known ?? randomUuid(env.random);
  if (known === undefined) {
    env.directory.put({
      objectId: principalId,
      clientId: randomUuid(env.random),
      displayName: vmId.split('/').at(-1) ?? vmId,
      kind: 'ManagedIdentity',
      resourceId: vmId,
    });
  }
  return { principalId, tenantId: env.tenantId };
}

function failedIdentity(vmId: string, reason: string): ArmError {
  const response = JSON.stringify({ error: { code: 'BadRequest', message: reason } });
  return new ArmError(
    400,
    'FailedIdentityOperation',
    `Identity operation for resource '${vmId}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '${response}'.'.`,
  );
}
