import { describe, expect, test } from 'vitest';
import { nextKubernetesVersion } from './kubernetes-version-status.ts';

describe('the Kubernetes version of a node class', () => {
  test.each([
    [
      'is taken from the API server at first',
      undefined,
      'v1.33.1',
      { kind: 'adopted', version: '1.33.1' },
    ],
    [
      'is taken from the API server when it cannot be read',
      'latest',
      '1.33.1',
      { kind: 'adopted', version: '1.33.1' },
    ],
    ['follows an upgrade', '1.33.1', '1.34.0', { kind: 'upgraded', version: '1.34.0' }],
    ['follows a new patch', '1.33.1', '1.33.2', { kind: 'upgraded', version: '1.33.2' }],
    ['stays', '1.33.1', '1.33.1', { kind: 'kept', version: '1.33.1' }],
    ['never goes back', '1.34.0', '1.33.9', { kind: 'kept', version: '1.34.0' }],
  ])('%s', (_, current, server, step) => {
    expect(nextKubernetesVersion({ current, server })).toMatchObject(step);
  });

  test('makes images not ready when it is raised', () => {
    expect(nextKubernetesVersion({ current: '1.33.1', server: '1.34.0' })).toMatchObject({
      imagesNotReady: { reason: 'KubernetesUpgrade' },
    });
  });

  test('is an error when the API server does not know its own', () => {
    expect(nextKubernetesVersion({ current: '1.33.1', server: 'unknown' })).toEqual({
      kind: 'invalid',
      reason: 'the API server says it is of version unknown, which is no version',
    });
  });
});
