import { expect, test } from 'vitest';
import { providerIdOf, vmNameOf } from './provider-id.ts';

const idIn = (group: string) =>
  `/subscriptions/S/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/aks-A`;

test('the resource group is in lower case, and nothing else', () => {
  expect(providerIdOf(idIn('MC_Group'))).toBe(`azure://${idIn('mc_group')}`);
});

test.each([
  [`azure://${idIn('g')}`, 'aks-A'],
  [`azure://${idIn('g').toLowerCase()}`, 'aks-a'],
])('the name is read off %s', (providerId, name) => {
  expect(vmNameOf(providerId)).toBe(name);
});

test.each([
  '',
  'aws:///us-east-1a/i-1',
  idIn('g'),
  `azure://${idIn('g')}/extensions/x`,
  'azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/v/virtualMachines/0',
])('%s is refused', (providerId) => {
  expect(() => vmNameOf(providerId)).toThrow('not the provider id');
});
