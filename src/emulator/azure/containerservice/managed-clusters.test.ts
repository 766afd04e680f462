import { describe, expect, test } from 'vitest';
import { listAt, objectAt, objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import { subscriptionId, type Answer, type TestAzure } from '../azure-fixture.ts';
import {
  azureWithCluster,
  azureWithGroup,
  clusterBody,
  clusterId,
  nodeGroup,
  nodeGroupPath,
  poolPath,
  testKubeconfig,
  version,
} from './container-service-fixture.ts';

const path = `${clusterId}?${version}`;

async function names(azure: TestAzure, type: string): Promise<string[]> {
  const { body } = await azure.send('GET', `${nodeGroupPath(type)}?api-version=2024-07-01`);
  return objectsAt(body, 'value').map((one) => textAt(one, 'name'));
}

function refusal({ status, body }: Answer): unknown[] {
  return [status, textAt(body, 'code') || textAt(body, 'error', 'code')];
}

describe('a new cluster', () => {
  test('is answered as creating, and has all that AKS chooses for it when it is done', async () => {
    const azure = await azureWithGroup();
    const first = await azure.send('PUT', path, clusterBody());
    expect([first.status, textAt(first.body, 'properties', 'provisioningState')]).toEqual([
      201,
      'Creating',
    ]);
    expect(first.headers['azure-asyncoperation']).toContain(
      '/locations/southcentralus/operations/',
    );
    await azure.clock.advance(600_000);
    const { body } = await azure.send('GET', path);
    expect(body).toMatchObject({
      id: clusterId,
      type: 'Microsoft.ContainerService/managedClusters',
      identity: { type: 'SystemAssigned', principalId: expect.any(String) },
      properties: {
        provisioningState: 'Succeeded',
        powerState: { code: 'Running' },
        kubernetesVersion: '1.35.4',
        currentKubernetesVersion: '1.35.4',
        nodeResourceGroup: nodeGroup,
        fqdn: '127.0.0.1:6443',
        networkProfile: {
          networkPolicy: 'cilium',
          podCidr: '10.244.0.0/16',
          serviceCidr: '10.0.0.0/16',
          dnsServiceIP: '10.0.0.10',
        },
        nodeProvisioningProfile: { mode: 'Auto' },
        oidcIssuerProfile: {
          enabled: true,
          issuerURL: expect.stringMatching(
            /^https:\/\/southcentralus\.oic\.prod-aks\.azure\.com\//,
          ),
        },
        identityProfile: {
          kubeletidentity: {
            resourceId: nodeGroupPath(
              'Microsoft.ManagedIdentity/userAssignedIdentities/prod-agentpool',
            ),
          },
        },
        agentPoolProfiles: [
          {
            name: 'nodepool1',
            count: 1,
            vmSize: 'Standard_D2s_v3',
            maxPods: 250,
            provisioningState: 'Succeeded',
            nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202502.09.0',
          },
        ],
      },
    });
  });

  test('has a network, a security group, a balancer and its nodes in a group of their own', async () => {
    const azure = await azureWithCluster();
    const suffix = /^aks-vnet-(\d{8})$/.exec(
      (await names(azure, 'Microsoft.Network/virtualNetworks'))[0] ?? '',
    )?.[1];
    expect({
      groups: await names(azure, 'Microsoft.Network/networkSecurityGroups'),
      balancers: await names(azure, 'Microsoft.Network/loadBalancers'),
      machines: await names(azure, 'Microsoft.Compute/virtualMachines'),
    }).toEqual({
      groups: [`aks-agentpool-${suffix}-nsg`],
      balancers: ['kubernetes'],
      machines: [`aks-nodepool1-${suffix}-vmss000000`],
    });
  });

  test('fails with the reason when its nodes cannot be had', async () => {
    const azure = await azureWithGroup({ quotas: [{ name: 'cores', limit: 1 }] });
    const end = await azure.finish('PUT', path, clusterBody());
    const { body } = await azure.send('GET', path);
    expect([
      end.body['status'],
      textAt(end.body, 'error', 'code'),
      textAt(body, 'properties', 'provisioningState'),
    ]).toEqual(['Failed', 'QuotaExceeded', 'Failed']);
    expect(textAt(end.body, 'error', 'message')).toContain('Total Regional Cores quota');
  });

  test('stands in a network of its owner when one is named', async () => {
    const azure = await azureWithGroup();
    const network = `/subscriptions/${subscriptionId}/resourceGroups/main/providers/Microsoft.Network/virtualNetworks/own`;
    await azure.finish('PUT', `${network}?api-version=2024-07-01`, {
      location: 'southcentralus',
      properties: {
        addressSpace: { addressPrefixes: ['10.1.0.0/16'] },
        subnets: [{ name: 'nodes', properties: { addressPrefix: '10.1.0.0/24' } }],
      },
    });
    const [pool] = objectsAt(clusterBody(), 'properties', 'agentPoolProfiles');
    const vnetSubnetID = `${network}/subnets/nodes`;
    const end = await azure.finish(
      'PUT',
      path,
      clusterBody({ agentPoolProfiles: [{ ...pool, vnetSubnetID }] }),
    );
    const machines = await azure.send('GET', `${poolPath('nodepool1')}/machines?${version}`);
    const [machine] = objectsAt(machines.body, 'value');
    expect([
      end.body['status'],
      await names(azure, 'Microsoft.Network/virtualNetworks'),
      listAt(machine, 'properties', 'network', 'ipAddresses'),
    ]).toEqual(['Succeeded', [], [{ family: 'IPv4', ip: '10.1.0.4' }]]);
  });

  test.each([
    [{ kubernetesVersion: '1.20.0' }, [400, 'K8sVersionNotSupported']],
    [{ agentPoolProfiles: [] }, [400, 'InvalidParameter']],
    [{ agentPoolProfiles: [{ name: 'Pool', mode: 'System' }] }, [400, 'InvalidParameter']],
    [{ servicePrincipalProfile: { clientId: 'an-application' } }, [400, 'BadRequest']],
    [{ networkProfile: { networkPlugin: 'kubenet' } }, [400, 'BadRequest']],
    [
      {
        agentPoolProfiles: [
          { name: 'a', mode: 'System', enableAutoScaling: true, minCount: 1, maxCount: 2 },
        ],
      },
      [400, 'BadRequest'],
    ],
    [
      { agentPoolProfiles: [{ name: 'a', mode: 'System', vmSize: 'Standard_X' }] },
      [400, 'VMSizeNotSupported'],
    ],
  ])('is refused with %j and leaves nothing behind', async (changes, expected) => {
    const azure = await azureWithGroup();
    const answer = await azure.send('PUT', path, clusterBody(changes));
    const after = await azure.send('GET', path);
    expect([
      refusal(answer),
      after.status,
      azure.azure.env.directory.byResourceId(clusterId),
      azure.azure.env.store.get(nodeGroupPath('').replace('/providers/', '')),
    ]).toEqual([expected, 404, undefined, undefined]);
  });

  test('can be told to run a minor version', async () => {
    const azure = await azureWithGroup();
    const { body } = await azure.send('PUT', path, clusterBody({ kubernetesVersion: '1.34' }));
    expect(textAt(body, 'properties', 'currentKubernetesVersion')).toBe('1.34.6');
  });
});

describe('a cluster', () => {
  test('keeps what a full update cannot say', async () => {
    const azure = await azureWithCluster();
    const before = (await azure.send('GET', path)).body;
    const body = clusterBody({
      nodeProvisioningProfile: { mode: 'Auto', defaultNodePools: 'None' },
    });
    const end = await azure.finish('PUT', path, body);
    const after = (await azure.send('GET', path)).body;
    const kept = (cluster: JsonObject): unknown[] => [
      textAt(cluster, 'properties', 'fqdn'),
      textAt(cluster, 'properties', 'oidcIssuerProfile', 'issuerURL'),
      textAt(cluster, 'identity', 'principalId'),
      textAt(cluster, 'properties', 'resourceUID'),
      objectAt(cluster, 'properties', 'identityProfile'),
      objectsAt(cluster, 'properties', 'agentPoolProfiles').map((pool) => pool['name']),
    ];
    expect([end.body['status'], kept(after)]).toEqual(['Succeeded', kept(before)]);
    expect(textAt(after, 'properties', 'nodeProvisioningProfile', 'defaultNodePools')).toBe('None');
  });

  test('takes no second change while one is under way', async () => {
    const azure = await azureWithGroup();
    await azure.send('PUT', path, clusterBody());
    const again = await azure.send('PUT', path, clusterBody());
    expect(refusal(again)).toEqual([409, 'OperationNotAllowed']);
  });

  test('does not change its prefix, its version downwards, or stop provisioning over nodes', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', `${poolPath('machines')}/machines/a?${version}`, {
      properties: {
        hardware: { vmSize: 'Standard_D2s_v3' },
        tags: { 'karpenter.sh_nodepool': 'default' },
      },
    });
    const answers = [
      await azure.send('PUT', path, clusterBody({ dnsPrefix: 'other' })),
      await azure.send('PUT', path, clusterBody({ kubernetesVersion: '1.34.6' })),
      await azure.send('PUT', path, clusterBody({ nodeProvisioningProfile: { mode: 'Manual' } })),
    ];
    expect(answers.map((answer) => refusal(answer))).toEqual([
      [409, 'PropertyChangeNotAllowed'],
      [400, 'BadRequest'],
      [400, 'BadRequest'],
    ]);
  });

  test('gives the kubeconfig of the Kubernetes behind it', async () => {
    const azure = await azureWithCluster();
    const { body } = await azure.send('POST', `${clusterId}/listClusterUserCredential?${version}`);
    const [config] = objectsAt(body, 'kubeconfigs');
    expect([config?.['name'], Buffer.from(textAt(config, 'value'), 'base64').toString()]).toEqual([
      'clusterUser',
      testKubeconfig,
    ]);
  });

  test('gives no credentials when nothing is behind it, or local accounts are off', async () => {
    const lonely = await azureWithGroup({ containerService: {} });
    await lonely.send('PUT', path, clusterBody());
    const none = await lonely.send('POST', `${clusterId}/listClusterUserCredential?${version}`);
    const closed = await azureWithGroup();
    await closed.send('PUT', path, clusterBody({ disableLocalAccounts: true }));
    const admin = await closed.send('POST', `${clusterId}/listClusterAdminCredential?${version}`);
    expect([refusal(none), refusal(admin)]).toEqual([
      [404, 'NotFound'],
      [400, 'BadRequest'],
    ]);
  });

  test('takes its nodes, their group and its identity with it', async () => {
    const azure = await azureWithCluster();
    const { body } = await azure.send('GET', path);
    const deleted: string[] = [];
    azure.azure.compute.events.onChanged(({ kind, vm }) => {
      if (kind === 'deleted') deleted.push(vm.name);
    });
    const end = await azure.finish('DELETE', path);
    const group = await azure.send(
      'GET',
      `/subscriptions/${subscriptionId}/resourceGroups/${nodeGroup}?api-version=2024-11-01`,
    );
    expect({
      end: end.body['status'],
      group: group.status,
      deleted: deleted.length,
      identity: azure.azure.env.directory.byObjectId(textAt(body, 'identity', 'principalId')),
      quota: azure.azure.compute.quotas.usage(subscriptionId, 'southcentralus', 'cores').current,
    }).toEqual({ end: 'Succeeded', group: 404, deleted: 1, identity: undefined, quota: 0 });
  });
});

test('the group of a cluster takes the group of its nodes with it', async () => {
  const azure = await azureWithCluster();
  const groupOf = (name: string): string =>
    `/subscriptions/${subscriptionId}/resourceGroups/${name}?api-version=2024-11-01`;
  await azure.finish('DELETE', groupOf('main'));
  const { status } = await azure.send('GET', groupOf(nodeGroup));
  const { current } = azure.azure.compute.quotas.usage(subscriptionId, 'southcentralus', 'cores');
  expect([status, current]).toEqual([404, 0]);
});

describe('an agent pool', () => {
  test('has as many nodes as it counts, up and down', async () => {
    const azure = await azureWithCluster();
    const pool = poolPath('nodepool1');
    const count = async (): Promise<number> =>
      (await names(azure, 'Microsoft.Compute/virtualMachines')).length;
    const counts: number[] = [];
    for (const wanted of [3, 1]) {
      const end = await azure.finish('PUT', `${pool}?${version}`, {
        properties: { count: wanted, mode: 'System' },
      });
      expect(end.body['status']).toBe('Succeeded');
      counts.push(await count());
    }
    expect(counts).toEqual([3, 1]);
  });

  test('makes its nodes anew under their names when it is upgraded, and only then', async () => {
    const azure = await azureWithGroup();
    await azure.finish('PUT', path, clusterBody({ kubernetesVersion: '1.34' }));
    const events: string[] = [];
    azure.azure.compute.events.onChanged(({ kind, vm }) => {
      if (kind === 'created' || kind === 'deleted') events.push(`${kind} ${vm.name.slice(-6)}`);
    });
    const [pool] = objectsAt(clusterBody(), 'properties', 'agentPoolProfiles');
    const upgraded = { kubernetesVersion: '1.35.4' };
    const control = await azure.finish('PUT', path, clusterBody(upgraded));
    const image = await azure.finish(
      'POST',
      `${poolPath('nodepool1')}/upgradeNodeImageVersion?${version}`,
    );
    const before = [...events];
    const nodes = await azure.finish(
      'PUT',
      path,
      clusterBody({ ...upgraded, agentPoolProfiles: [{ ...pool, orchestratorVersion: '1.35.4' }] }),
    );
    expect([control, image, nodes].map(({ body }) => body['status'])).toEqual([
      'Succeeded',
      'Succeeded',
      'Succeeded',
    ]);
    expect([before, events]).toEqual([[], ['deleted 000000', 'created 000000']]);
  });

  test('spreads its nodes over its zones', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', `${poolPath('spread')}?${version}`, {
      properties: { count: 3, mode: 'User', availabilityZones: ['1', '2', '3'] },
    });
    const { body } = await azure.send('GET', `${poolPath('spread')}/machines?${version}`);
    expect(objectsAt(body, 'value').flatMap((machine) => listAt(machine, 'zones'))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  test.each([
    ['nodepool1', { vmSize: 'Standard_D64s_v3' }, [409, 'PropertyChangeNotAllowed']],
    ['nodepool1', { mode: 'System', count: 0 }, [400, 'InvalidParameter']],
    ['new', { orchestratorVersion: '1.99.0' }, [400, 'K8sVersionNotSupported']],
    ['new', { enableAutoScaling: true, minCount: 1, maxCount: 2 }, [400, 'BadRequest']],
    ['new', { osType: 'Windows' }, [400, 'BadRequest']],
    ['not-a-name', {}, [400, 'InvalidParameter']],
  ])('%s is refused with %j', async (name, properties, expected) => {
    const azure = await azureWithCluster();
    expect(
      refusal(await azure.send('PUT', `${poolPath(name)}?${version}`, { properties })),
    ).toEqual(expected);
  });

  test('goes with its nodes, but never the last one for the system', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', `${poolPath('second')}?${version}`, { properties: { count: 1 } });
    const end = await azure.finish('DELETE', `${poolPath('second')}?${version}`);
    const last = await azure.send('DELETE', `${poolPath('nodepool1')}?${version}`);
    expect([
      end.body['status'],
      refusal(last),
      (await names(azure, 'Microsoft.Compute/virtualMachines')).length,
    ]).toEqual(['Succeeded', [400, 'BadRequest'], 1]);
  });
});

test('versions and upgrades go one minor at a time', async () => {
  const azure = await azureWithGroup();
  await azure.finish('PUT', path, clusterBody({ kubernetesVersion: '1.33' }));
  const list = await azure.send(
    'GET',
    `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/southcentralus/kubernetesVersions?${version}`,
  );
  const profile = await azure.send('GET', `${clusterId}/upgradeProfiles/default?${version}`);
  expect({
    versions: objectsAt(list.body, 'values').map(({ version: name, isDefault }) => [
      name,
      isDefault,
    ]),
    upgrades: listAt(profile.body, 'properties', 'controlPlaneProfile', 'upgrades'),
    pools: objectsAt(profile.body, 'properties', 'agentPoolProfiles').map(({ name }) => name),
  }).toEqual({
    versions: [
      ['1.35', true],
      ['1.34', undefined],
      ['1.33', undefined],
    ],
    upgrades: [{ kubernetesVersion: '1.34.6' }],
    pools: ['nodepool1'],
  });
});

test('a region lists the newest node image of each kind', async () => {
  const azure = await azureWithGroup();
  const { body } = await azure.send(
    'GET',
    `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/southcentralus/nodeImageVersions?${version}`,
  );
  expect(body['value']).toEqual([
    {
      fullName: 'AKSUbuntu-2204gen2containerd-202502.09.0',
      os: 'AKSUbuntu',
      sku: '2204gen2containerd',
      version: '202502.09.0',
    },
    {
      fullName: 'AKSUbuntu-2204gen2arm64containerd-202502.09.0',
      os: 'AKSUbuntu',
      sku: '2204gen2arm64containerd',
      version: '202502.09.0',
    },
  ]);
});

describe('a maintenance configuration', () => {
  const window = {
    maintenanceWindow: {
      schedule: { weekly: { dayOfWeek: 'Friday', intervalWeeks: 1 } },
      durationHours: 4,
      startTime: '00:00',
    },
  };
  const configuration = (name: string): string =>
    `${clusterId}/maintenanceConfigurations/${name}?${version}`;

  test('is written, read, listed and removed at once', async () => {
    const azure = await azureWithCluster();
    const name = configuration('aksManagedNodeOSUpgradeSchedule');
    const created = await azure.send('PUT', name, { properties: window });
    const list = await azure.send('GET', `${clusterId}/maintenanceConfigurations?${version}`);
    const removed = await azure.send('DELETE', name);
    const gone = await azure.send('GET', name);
    expect([
      created.status,
      created.body['properties'],
      objectsAt(list.body, 'value').length,
      removed.status,
      gone.status,
    ]).toEqual([201, window, 1, 200, 404]);
  });

  test.each([
    ['mine', window],
    ['default', {}],
    [
      'aksManagedAutoUpgradeSchedule',
      { maintenanceWindow: { ...window.maintenanceWindow, durationHours: 1 } },
    ],
  ])('%s is refused with %j', async (name, properties) => {
    const azure = await azureWithCluster();
    expect(refusal(await azure.send('PUT', configuration(name), { properties }))).toEqual([
      400,
      'BadRequest',
    ]);
  });
});
