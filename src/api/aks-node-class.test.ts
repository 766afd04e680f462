import { expect, test } from 'vitest';
import { aksNodeClasses, specOf } from './aks-node-class.ts';
import { apiVersionOf } from './resource-type.ts';

test('a class without a spec means all defaults', () => {
  expect(specOf({ metadata: { name: 'bare' } })).toEqual({
    imageFamily: 'Ubuntu',
    osDiskSizeGB: 128,
  });
});

test('a class with a spec is read as it is', () => {
  const spec = { imageFamily: 'AzureLinux', osDiskSizeGB: 64 } as const;
  expect(specOf({ metadata: { name: 'own' }, spec })).toBe(spec);
});

test('classes are read and written at their storage version', () => {
  expect(apiVersionOf(aksNodeClasses)).toBe('karpenter.azure.com/v1beta1');
});
