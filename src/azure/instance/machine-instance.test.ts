import { describe, expect, test } from 'vitest';
import type { Machine } from '../arm/machines.ts';
import { claimOfInstance } from './instance-claim.ts';
import { instanceOfMachine, provisioningErrorOf } from './machine-instance.ts';

const machine: Machine = {
  id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c/agentPools/p/machines/default-a',
  name: 'default-a',
  zones: ['2'],
  properties: {
    resourceId:
      '/subscriptions/s/resourceGroups/MC_g/providers/Microsoft.Compute/virtualMachines/aks-p-default-a-12345678-vm',
    hardware: { vmSize: 'Standard_D2s_v3', ultraSsdEnabled: true },
    nodeImageVersion: 'AKSUbuntu-2204gen2containerd-1',
    provisioningState: 'Succeeded',
    tags: {
      'karpenter.sh_nodepool': 'a-pool',
      'karpenter.azure.com_aksmachine_nodeclaim': 'a-long-claim',
    },
    status: { creationTimestamp: '2026-01-01T00:00:00.12799Z' },
  },
};

function without(field: string): Machine {
  const { properties = {} } = machine;
  return field === 'id'
    ? { ...machine, id: '' }
    : { ...machine, properties: { ...properties, [field]: undefined } };
}

describe('a machine of AKS', () => {
  test('is read with what it leaves unsaid', () => {
    expect(instanceOfMachine(machine, 'southcentralus')).toMatchObject({
      kind: 'machine',
      name: 'default-a',
      zone: 'southcentralus-2',
      capacityType: 'on-demand',
      ultraSsd: true,
      createdMs: Date.UTC(2026, 0, 1) + 120,
      state: 'ready',
    });
  });

  test.each(['id', 'resourceId', 'hardware', 'nodeImageVersion', 'status'])(
    'is refused without %s',
    (field) => {
      expect(() => instanceOfMachine(without(field), 'southcentralus')).toThrow('incompletely');
    },
  );

  test('is in no zone when it names none, and in none of ours when it names two', () => {
    const { zones: _, ...regional } = machine;
    expect(instanceOfMachine(regional, 'southcentralus').zone).toBe('0');
    const torn = { ...machine, zones: ['1', '2'] };
    expect(() => instanceOfMachine(torn, 'southcentralus')).toThrow();
  });

  test.each([
    [{ code: 'A', message: 'a' }, ['A', 'a']],
    [
      {
        code: 'QuotaExceeded',
        message: 'a',
        details: [{ code: 'OperationNotAllowed', message: 'b' }],
      },
      ['OperationNotAllowed', 'b'],
    ],
    [undefined, ['UnknownError', 'the machine failed without saying why']],
  ])('fails for the innermost cause: %j', (provisioningError, expected) => {
    const status = provisioningError === undefined ? {} : { provisioningError };
    const { code, text } = provisioningErrorOf({ ...machine, properties: { status } });
    expect([code, text]).toEqual(expected);
  });

  test('is a claim by its tag, with its annotation', () => {
    const instance = instanceOfMachine(machine, 'southcentralus');
    const { metadata, status } = claimOfInstance(instance, { instanceType: undefined, nowMs: 0 });
    expect({
      name: metadata.name,
      created: metadata.creationTimestamp,
      pool: metadata.labels?.['karpenter.sh/nodepool'],
      annotations: metadata.annotations,
      providerID: status?.providerID,
    }).toEqual({
      name: 'a-long-claim',
      created: '2026-01-01T00:00:00Z',
      pool: 'a-pool',
      annotations: { 'karpenter.azure.com/aks-machine-resource-id': machine.id },
      providerID: `azure://${machine.properties?.resourceId?.replace('MC_g', 'mc_g')}`,
    });
  });
});
