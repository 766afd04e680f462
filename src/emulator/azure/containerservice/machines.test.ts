import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../api/meta.ts';
import { listAt, objectAt, objectsAt, textAt } from '../../kube/json.ts';
import { subscriptionId, testImages, type Answer, type TestAzure } from '../azure-fixture.ts';
import type { VmChange } from '../compute/vm-events.ts';
import { nicIdOf } from './machine-parts.ts';
import {
  azureWithCluster,
  location,
  machineBody,
  machinePath,
  nodeGroupPath,
  poolPath,
  version,
} from './container-service-fixture.ts';

const pool = poolPath('machines');

function refusal({ status, body }: Answer): unknown[] {
  return [status, textAt(body, 'code') || textAt(body, 'error', 'code')];
}

function state({ body }: Answer): string {
  return textAt(body, 'properties', 'provisioningState');
}

async function machineNames(azure: TestAzure): Promise<string[]> {
  const { body } = await azure.send('GET', `${pool}/machines?${version}`);
  return objectsAt(body, 'value').map((machine) => textAt(machine, 'name'));
}

/** What is left of machines in the group of the nodes; the system pool's own node aside. */
function left(azure: TestAzure): string[] {
  return ['virtualMachines', 'networkInterfaces', 'disks'].flatMap((kind) =>
    azure.azure.env.store
      .below(nodeGroupPath('').replace('/providers/', ''))
      .filter(({ type, name }) => type.endsWith(`/${kind}`) && name.includes('-machines-'))
      .map(({ name }) => name),
  );
}

function cores(azure: TestAzure): number {
  return azure.azure.compute.quotas.usage(subscriptionId, location, 'cores').current;
}

const systemCores = 2;

describe('a new machine', () => {
  test('is there at once as creating, with a virtual machine and its address when it is done', async () => {
    const azure = await azureWithCluster();
    const first = await azure.send('PUT', machinePath('default-abcde'), machineBody());
    await azure.clock.advance(300_000);
    const done = await azure.send('GET', machinePath('default-abcde'));
    const vmName = textAt(done.body, 'properties', 'resourceId').split('/').at(-1) ?? '';
    expect([first.status, state(first), state(done)]).toEqual([201, 'Creating', 'Succeeded']);
    expect(vmName).toMatch(/^aks-machines-default-abcde-\d{8}-vm$/);
    expect(done.body).toMatchObject({
      name: 'default-abcde',
      zones: ['1'],
      properties: {
        network: { ipAddresses: [{ family: 'IPv4', ip: '10.224.0.5' }] },
        hardware: { vmSize: 'Standard_D2s_v3' },
        nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202502.09.0',
        eTag: expect.any(String),
        status: {
          driftAction: 'Synced',
          vmState: 'Running',
          creationTimestamp: expect.any(String),
        },
      },
    });
    // Only a spot machine says what it is.
    expect(objectAt(done.body, 'properties')).not.toHaveProperty('priority');
  });

  test('boots by the scripts of its image with what was asked for', async () => {
    const azure = await azureWithCluster();
    const changes: VmChange[] = [];
    azure.azure.compute.events.onChanged((change) => changes.push(change));
    await azure.finish('PUT', machinePath('default-abcde'), machineBody());
    const kinds = changes.map(({ kind, extension }) => [kind, extension?.type ?? '']);
    expect(kinds).toEqual([
      ['created', ''],
      ['running', ''],
      ['extended', 'CustomScript'],
      ['extended', 'Compute.AKS.Linux.Billing'],
    ]);
    const command = String(changes[2]!.extension!.protectedSettings['commandToExecute']);
    for (const part of [
      'TLS_BOOTSTRAP_TOKEN="abcdef.0123456789abcdef"',
      'API_SERVER_NAME="127.0.0.1:6443"',
      '--register-with-taints=karpenter.sh/unregistered:NoExecute',
      '--kube-reserved=cpu=100m,memory=2048Mi',
      'karpenter.sh/nodepool=default',
      'kubernetes.azure.com/agentpool=machines',
    ]) {
      expect(command).toContain(part);
    }
    expect(changes[1]!.vm).toMatchObject({
      tags: { 'karpenter.azure.com_aksmachine_nodeclaim': 'default-abcde' },
      zone: '1',
      boots: true,
    });
  });

  test.each([
    [
      { quotas: [{ name: 'standardDSv3Family', limit: 3 }] },
      'QuotaExceeded',
      'OperationNotAllowed',
    ],
    [
      { capacity: [{ size: 'Standard_D2s_v3', zone: '1', count: 0 }] },
      'ZonalAllocationFailed',
      'ZonalAllocationFailed',
    ],
    [
      {
        faults: [
          {
            operation: 'Microsoft.Compute/virtualMachines/write',
            resource: 'aks-machines-',
            effect: { kind: 'fail-late', code: 'AllocationFailed' },
          },
        ],
      },
      'AllocationFailed',
      'AllocationFailed',
    ],
  ] as const)('says why it failed with %j', async (changes, code, inner) => {
    const azure = await azureWithCluster(changes);
    const end = await azure.finish('PUT', machinePath('a'), machineBody());
    const machine = await azure.send('GET', machinePath('a'));
    const error = objectAt(machine.body, 'properties', 'status', 'provisioningError');
    expect([
      end.body['status'],
      state(machine),
      error?.['code'],
      objectsAt(error, 'details').map((detail) => detail['code']),
    ]).toEqual(['Failed', 'Failed', code, [inner]]);
  });

  test('that failed can be deleted without a trace', async () => {
    const azure = await azureWithCluster({
      capacity: [{ size: 'Standard_D2s_v3', zone: '2', count: 0 }],
    });
    await azure.finish('PUT', machinePath('a'), machineBody({}, ['2']));
    const before = left(azure).length;
    await azure.finish('POST', `${pool}/deleteMachines?${version}`, { machineNames: ['a'] });
    expect([before > 0, left(azure), cores(azure)]).toEqual([true, [], systemCores]);
  });

  test.each([
    ['a', { hardware: { vmSize: 'Standard_Z9' } }, [400, 'VMSizeNotSupported']],
    ['a', { nodeImageVersion: 'AKSUbuntu-2204gen2containerd-1.0.0' }, [400, 'InvalidParameter']],
    ['a', { kubernetes: { orchestratorVersion: '1.99.0' } }, [400, 'K8sVersionNotSupported']],
    ['a', { kubernetes: { maxPods: 5 } }, [400, 'InvalidParameter']],
    ['a', { priority: 'Cheap' }, [400, 'InvalidParameter']],
    ['a', { priority: 'Spot', mode: 'System' }, [400, 'BadRequest']],
    ['an-extraordinarily-long-name-of-a-machine', {}, [400, 'InvalidParameter']],
  ])('%s is refused with %j', async (name, changes, expected) => {
    const azure = await azureWithCluster();
    const answer = await azure.send('PUT', machinePath(name), machineBody(changes));
    expect([refusal(answer), await machineNames(azure), left(azure)]).toEqual([expected, [], []]);
  });

  test('can be a spot node for the system only when that is said', async () => {
    const azure = await azureWithCluster();
    const body = machineBody({ priority: 'Spot', mode: 'System' });
    const answer = await azure.send('PUT', machinePath('a'), body, {
      allowspotvmsystemnode: 'true',
    });
    expect([answer.status, textAt(answer.body, 'properties', 'priority')]).toEqual([201, 'Spot']);
  });

  test('is made from the galleries of AKS in another subscription', async () => {
    const gallery =
      '/subscriptions/10945678-1234-1234-1234-123456789012/resourceGroups/AKS-Ubuntu/providers/Microsoft.Compute/galleries/AKSUbuntu';
    const images = testImages.map((image) => ({ ...image, gallery }));
    const azure = await azureWithCluster({ images });
    const end = await azure.finish('PUT', machinePath('a'), machineBody());
    expect(end.body['status']).toBe('Succeeded');
  });

  test('needs a pool for machines', async () => {
    const azure = await azureWithCluster();
    const missing = await azure.send(
      'PUT',
      machinePath('a').replace('/machines/', '/none/'),
      machineBody(),
    );
    const wrong = await azure.send(
      'PUT',
      `${poolPath('nodepool1')}/machines/a?${version}`,
      machineBody(),
    );
    const list = await azure.send('GET', `${poolPath('none')}/machines?${version}`);
    expect([refusal(missing)[0], refusal(wrong), refusal(list)]).toEqual([
      404,
      [400, 'OperationNotAllowed'],
      [404, 'NotFound'],
    ]);
  });

  test('is stuck or fails late by request', async () => {
    const operation = 'Microsoft.ContainerService/managedClusters/agentPools/machines/write';
    const azure = await azureWithCluster();
    azure.azure.env.faults.add({ operation, effect: { kind: 'stuck' }, count: 1 });
    azure.azure.env.faults.add({
      operation,
      effect: { kind: 'fail-late', code: 'InternalOperationError' },
      count: 1,
    });
    await azure.send('PUT', machinePath('stuck'), machineBody());
    await azure.send('PUT', machinePath('late'), machineBody());
    await azure.clock.advance(600_000);
    const states = await Promise.all(
      ['stuck', 'late'].map(async (name) => state(await azure.send('GET', machinePath(name)))),
    );
    expect(states).toEqual(['Creating', 'Failed']);
  });
});

describe('a machine', () => {
  test('changes its tags and those of its virtual machine, under the right etag only', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', machinePath('a'), machineBody());
    const { body } = await azure.send('GET', machinePath('a'));
    const changed = machineBody({ tags: { new: 'tag' } });
    const wrong = await azure.send('PUT', machinePath('a'), changed, { 'if-match': 'another' });
    const right = await azure.send('PUT', machinePath('a'), changed, {
      'if-match': textAt(body, 'properties', 'eTag'),
    });
    await azure.clock.advance(300_000);
    const after = await azure.send('GET', machinePath('a'));
    const vm = azure.azure.env.store.get(textAt(body, 'properties', 'resourceId'));
    expect([
      refusal(wrong),
      right.status,
      state(after),
      objectAt(after.body, 'properties', 'tags'),
      textAt(vm?.body, 'tags', 'new'),
      textAt(azure.azure.env.store.get(nicIdOf(vm?.id ?? ''))?.body, 'tags', 'new'),
    ]).toEqual([[412, 'ConditionNotMet'], 200, 'Succeeded', { new: 'tag' }, 'tag', 'tag']);
  });

  test.each([
    [machineBody({ hardware: { vmSize: 'Standard_D64s_v3' } })],
    [machineBody({ priority: 'Spot' })],
    [machineBody({}, ['2'])],
  ])('cannot become %j', async (body) => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', machinePath('a'), machineBody());
    expect(refusal(await azure.send('PUT', machinePath('a'), body))).toEqual([
      400,
      'OperationNotAllowed',
    ]);
  });

  test('shows what became of its virtual machine', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', machinePath('a'), machineBody());
    const { body } = await azure.send('GET', machinePath('a'));
    const vm = textAt(body, 'properties', 'resourceId');
    await azure.finish('DELETE', `${vm}?api-version=2025-04-01`);
    const after = await azure.send('GET', machinePath('a'));
    expect(
      [body, after.body].map((machine) => textAt(machine, 'properties', 'status', 'vmState')),
    ).toEqual(['Running', 'Deleted']);
  });
});

describe('a deletion', () => {
  test('takes several machines at once with all they are made of', async () => {
    const azure = await azureWithCluster();
    for (const name of ['a', 'b', 'c']) await azure.finish('PUT', machinePath(name), machineBody());
    const first = await azure.send('POST', `${pool}/deleteMachines?${version}`, {
      machineNames: ['a', 'B'],
    });
    const during = state(await azure.send('GET', machinePath('a')));
    await azure.clock.advance(600_000);
    expect({
      status: first.status,
      polls:
        first.headers['azure-asyncoperation'] !== undefined &&
        first.headers['location'] !== undefined,
      during,
      names: await machineNames(azure),
      left: left(azure).length,
      cores: cores(azure),
    }).toEqual({
      status: 202,
      polls: true,
      during: 'Deleting',
      names: ['c'],
      left: 3,
      cores: systemCores + 2,
    });
  });

  test('of a machine that is not there says so in the words that clients look for', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', machinePath('a'), machineBody());
    const answer = await azure.send('POST', `${pool}/deleteMachines?${version}`, {
      machineNames: ['a', 'x'],
    });
    expect(refusal(answer)).toEqual([400, 'InvalidParameter']);
    expect(textAt(answer.body, 'message')).toMatch(
      /Cannot find any valid machines.*x.*valid machines to delete are: a/,
    );
    expect(await machineNames(azure)).toEqual(['a']);
  });

  test('of a machine that is being made leaves nothing behind', async () => {
    const azure = await azureWithCluster();
    const first = await azure.send('PUT', machinePath('a'), machineBody());
    await azure.clock.advance(8000);
    await azure.send('POST', `${pool}/deleteMachines?${version}`, { machineNames: ['a'] });
    const during = state(await azure.send('GET', machinePath('a')));
    await azure.clock.advance(600_000);
    expect(during).toBe('Deleting');
    const poll = first.headers['azure-asyncoperation']!.slice(
      'https://management.azure.com'.length,
    );
    const operation = await azure.send('GET', poll);
    expect([
      await machineNames(azure),
      left(azure),
      cores(azure),
      operation.body['status'],
    ]).toEqual([[], [], systemCores, 'Failed']);
  });
});

describe('a batch', () => {
  const header = (names: readonly string[]): Record<string, string> => ({
    batchputmachine: JSON.stringify({
      batchMachines: names.map((machineName, index) => ({
        machineName,
        zones: [String((index % 3) + 1)],
        tags: { name: machineName },
      })),
    }),
  });
  const shared = (): Json => {
    const { zones: _, ...rest } = machineBody();
    return rest;
  };
  const details = (answer: Answer): unknown[] =>
    objectsAt(answer.body, 'details').map(({ code, target }) => [target, code]);

  test('makes all its machines, each with its own zone and tags', async () => {
    const azure = await azureWithCluster();
    const answer = await azure.send('PUT', machinePath('a'), shared(), header(['a', 'b', 'c']));
    await azure.clock.advance(600_000);
    const { body } = await azure.send('GET', `${pool}/machines?${version}`);
    expect([answer.status, textAt(answer.body, 'name')]).toEqual([201, 'a']);
    expect(
      objectsAt(body, 'value').map((machine) => [
        machine['name'],
        listAt(machine, 'zones'),
        textAt(machine, 'properties', 'tags', 'name'),
        textAt(machine, 'properties', 'provisioningState'),
      ]),
    ).toEqual([
      ['a', ['1'], 'a', 'Succeeded'],
      ['b', ['2'], 'b', 'Succeeded'],
      ['c', ['3'], 'c', 'Succeeded'],
    ]);
  });

  test('names each machine that was refused, and makes the others', async () => {
    const azure = await azureWithCluster();
    await azure.finish('PUT', machinePath('b'), machineBody());
    const answer = await azure.send(
      'PUT',
      machinePath('a'),
      shared(),
      header(['a', 'b', 'Bad_Name', 'd']),
    );
    expect([refusal(answer), details(answer), await machineNames(azure)]).toEqual([
      [400, 'BatchMachineClientError'],
      [
        ['b', 'OperationNotAllowed'],
        ['Bad_Name', 'InvalidParameter'],
      ],
      ['a', 'b', 'd'],
    ]);
    // Flat, as AKS answers: nothing is wrapped in `error`.
    expect(answer.body).not.toHaveProperty('error');
  });

  test('puts failures of the service itself into its message', async () => {
    const azure = await azureWithCluster();
    azure.azure.env.faults.add({
      operation: '*/machines/write',
      resource: '/machines/b',
      effect: { kind: 'refuse', status: 500, code: 'InternalServerError' },
    });
    const answer = await azure.send('PUT', machinePath('a'), shared(), header(['a', 'b']));
    expect(refusal(answer)).toEqual([500, 'BatchMachineInternalServerError']);
    expect(JSON.parse(textAt(answer.body, 'message'))).toEqual([
      { code: 'InternalServerError', message: 'InternalServerError', target: 'b' },
    ]);
    expect(await machineNames(azure)).toEqual(['a']);
  });

  test.each([
    ['not json'],
    ['{}'],
    [JSON.stringify({ batchMachines: [{ machineName: 'a' }, { machineName: 'A' }] })],
    [
      JSON.stringify({
        batchMachines: Array.from({ length: 51 }, (_, n) => ({ machineName: `m${n}` })),
      }),
    ],
  ])('is refused as a whole with the header %s', async (batchputmachine) => {
    const azure = await azureWithCluster();
    const answer = await azure.send('PUT', machinePath('a'), shared(), { batchputmachine });
    expect([refusal(answer), await machineNames(azure)]).toEqual([[400, 'BadRequest'], []]);
  });
});

test('whatever is made and deleted in whatever order, nothing is left that no machine owns', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('put' as const),
      name: fc.constantFrom('a', 'b', 'c'),
      spot: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('delete' as const), name: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 100, max: 90_000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const azure = await azureWithCluster({
        faults: [
          {
            operation: 'Microsoft.Compute/virtualMachines/write',
            resource: 'aks-machines-',
            effect: { kind: 'fail-late', code: 'AllocationFailed' },
            rate: 0.3,
          },
        ],
      });
      for (const one of steps) {
        if (one.kind === 'wait') await azure.clock.advance(one.ms);
        else if (one.kind === 'put') {
          await azure.send(
            'PUT',
            machinePath(one.name),
            machineBody(one.spot ? { priority: 'Spot' } : {}),
          );
        } else {
          await azure.send('POST', `${pool}/deleteMachines?${version}`, {
            machineNames: [one.name],
          });
        }
      }
      await azure.clock.advance(600_000);
      const names = await machineNames(azure);
      if (names.length > 0) {
        await azure.finish('POST', `${pool}/deleteMachines?${version}`, { machineNames: names });
      }
      expect([await machineNames(azure), left(azure), cores(azure)]).toEqual([[], [], systemCores]);
    }),
    { numRuns: 30 },
  );
});
