// The official clients for resource groups, roles and credentials against the emulated Azure.
import { AuthorizationManagementClient } from '@azure/arm-authorization';
import { ResourceManagementClient } from '@azure/arm-resources';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AzureServer } from '../../../src/emulator/azure/server.ts';
import { clientsOf, location, startTestAzure, subscriptionId } from './sdk.ts';

let server: AzureServer;

beforeAll(async () => {
  server = await startTestAzure();
});

afterAll(async () => {
  await server.stop();
});

function resources(): ResourceManagementClient {
  const { credential, options } = clientsOf(server);
  return new ResourceManagementClient(credential, subscriptionId, options);
}

describe('the resources client', () => {
  test('creates, lists, tags and deletes a resource group', async () => {
    const client = resources();
    const created = await client.resourceGroups.createOrUpdate('first', { location });
    const tagged = await client.resourceGroups.update('first', { tags: { team: 'a' } });
    const names: (string | undefined)[] = [];
    for await (const group of client.resourceGroups.list()) names.push(group.name);
    const before = await client.resourceGroups.checkExistence('first');
    await client.resourceGroups.delete('first');
    const after = await client.resourceGroups.checkExistence('first');
    expect({ created, tags: tagged.tags, names, before, after }).toMatchObject({
      created: {
        id: `/subscriptions/${subscriptionId}/resourceGroups/first`,
        location,
        properties: { provisioningState: 'Succeeded' },
      },
      tags: { team: 'a' },
      names: ['first'],
    });
    expect([before, after].map((answer) => (answer as { body?: boolean }).body ?? answer)).toEqual([
      true,
      false,
    ]);
  });

  test('is told that a group does not exist', async () => {
    await expect(resources().resourceGroups.get('missing')).rejects.toMatchObject({
      statusCode: 404,
      code: 'ResourceGroupNotFound',
      message: expect.stringContaining("Resource group 'missing' could not be found.") as string,
    });
  });
});

test('a wrong secret gets no token, in the words of the real directory', async () => {
  const { credential, options } = clientsOf(server, 'wrong');
  const client = new ResourceManagementClient(credential, subscriptionId, options);
  await expect(client.resourceGroups.get('first')).rejects.toThrow(/AADSTS7000215/);
});

test('the authorization client finds a role by name and assigns it', async () => {
  const { credential, options } = clientsOf(server);
  const client = new AuthorizationManagementClient(credential, subscriptionId, options);
  const scope = `subscriptions/${subscriptionId}`;
  const found: (string | undefined)[] = [];
  const filter = "roleName eq 'Network Contributor'";
  for await (const role of client.roleDefinitions.list(scope, { filter })) found.push(role.id);
  const [roleDefinitionId = ''] = found;
  const principalId = '99999999-0000-4000-8000-000000000000';
  const name = '12345678-0000-4000-8000-000000000000';
  const created = await client.roleAssignments.create(scope, name, {
    roleDefinitionId,
    principalId,
    principalType: 'ServicePrincipal',
  });
  const again = client.roleAssignments.create(scope, name.replace('1', '2'), {
    roleDefinitionId,
    principalId,
    principalType: 'ServicePrincipal',
  });
  await expect(again).rejects.toMatchObject({ code: 'RoleAssignmentExists', statusCode: 409 });
  expect(created).toMatchObject({ scope: `/${scope}`, principalId, roleDefinitionId });
});
